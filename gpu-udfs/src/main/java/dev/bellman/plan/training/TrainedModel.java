package dev.bellman.plan.training;

import dev.bellman.markov.FittedModel;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * A model after a number of iterations.
 *
 * @param logProbabilities for each iteration, the natural logarithm of the probability of all sequences under the model
 *     before it
 */
public record TrainedModel(FittedModel model, double... logProbabilities) {
    private static final ArrayType NUMBERS = DataTypes.createArrayType(DataTypes.DoubleType, false);
    private static final ArrayType ROWS = DataTypes.createArrayType(NUMBERS, false);

    /** The columns of a trained model. The first three have the names of arguments of {@code viterbi}. */
    public static final StructType SCHEMA = new StructType()
            .add("start", NUMBERS, false)
            .add("transitions", ROWS, false)
            .add("emissions", ROWS, false)
            .add("log_probabilities", NUMBERS, false);

    /** Returns a row with the given columns, in Spark's internal format. */
    public InternalRow row(List<String> columns) {
        return new GenericInternalRow(columns.stream()
                .map(name -> switch (SCHEMA.fieldIndex(name)) {
                    case 0 -> ArrayData.toArrayData(model.start());
                    case 1 -> matrix(model.transitions());
                    case 2 -> matrix(model.emissions());
                    default -> ArrayData.toArrayData(logProbabilities);
                })
                .toArray());
    }

    /** Returns the schema of {@link #row}. */
    public static StructType schema(List<String> columns) {
        return new StructType(columns.stream().map(SCHEMA::apply).toArray(StructField[]::new));
    }

    private static ArrayData matrix(double[]... rows) {
        Object[] arrays = new Object[rows.length];
        for (int i = 0; i < rows.length; i++) {
            arrays[i] = ArrayData.toArrayData(rows[i]);
        }
        return new GenericArrayData(arrays);
    }
}
