package dev.bellman.linear;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.TaskCores;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code lu(matrix)}. */
public final class LuUdf extends EliminationUdf implements UDF1<ArrayData, Row> {
    private static final long serialVersionUID = 1L;

    private static final DataType MATRIX =
            DataTypes.createArrayType(DataTypes.createArrayType(DataTypes.DoubleType, false), false);
    static final StructType RESULT = new StructType().add("l", MATRIX, false).add("u", MATRIX, false);

    public LuUdf(Elimination.Strategy strategy, FunctionOptions options) {
        super("lu", strategy, options);
    }

    @Override
    public Row call(ArrayData matrix) {
        return matrix == null
                ? null
                : options.answer(() -> {
                    Elimination.Factors factors = Elimination.lu(matrix(matrix), strategy, TaskCores.count());
                    count(matrix.numElements());
                    return RowFactory.create(factors.l(), factors.u());
                });
    }

    @Override
    Object onCpu(FunctionOptions other, List<Object> arguments) {
        return new LuUdf(strategy, other).call((ArrayData) arguments.get(0));
    }
}
