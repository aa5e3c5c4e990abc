package dev.bellman.fold;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarFunction;
import dev.bellman.columns.TaskMemory;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code accordion_fold(hydrophobic)}. */
public final class AccordionFoldUdf implements UDF1<UTF8String, Row>, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    static final StructType RESULT = new StructType()
            .add("score", DataTypes.IntegerType, false)
            .add("ends", DataTypes.createArrayType(DataTypes.IntegerType, false), false);

    final AccordionFold.Strategy strategy;
    final FunctionOptions options;

    public AccordionFoldUdf(AccordionFold.Strategy strategy, FunctionOptions options) {
        this.strategy = strategy;
        this.options = options;
    }

    @Override
    public Row call(UTF8String hydrophobic) {
        return hydrophobic == null
                ? null
                : options.answer(() -> {
                    byte[] residues = TaskMemory.bytesOf(hydrophobic);
                    AccordionFold.Solution solution = AccordionFold.solve(residues, strategy);
                    options.cells().add((long) residues.length * residues.length / 2);
                    return RowFactory.create(solution.score(), solution.ends());
                });
    }

    /** The function as a {@link dev.bellman.columns.CpuFunction}. */
    Object onCpu(FunctionOptions other, List<Object> arguments) {
        return new AccordionFoldUdf(strategy, other).call((UTF8String) arguments.get(0));
    }

    @Override
    public boolean hasKernel() {
        return strategy != AccordionFold.Strategy.SERIAL;
    }
}
