package dev.bellman.align.gap;

import dev.bellman.FunctionOptions;
import dev.bellman.Strategies;
import dev.bellman.align.Text;
import dev.bellman.columns.ColumnarFunction;
import dev.bellman.columns.TaskCores;
import dev.bellman.columns.TaskMemory;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF5;
import org.apache.spark.sql.api.java.UDF6;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code gap_alignment(a, b, match, mismatch, gap_costs)}, and the form with separate costs for each sequence. */
public final class GapAlignmentUdf
        implements UDF5<UTF8String, UTF8String, Long, Long, ArrayData, Row>,
                UDF6<UTF8String, UTF8String, Long, Long, ArrayData, ArrayData, Row>,
                ColumnarFunction {
    private static final long serialVersionUID = 1L;

    static final StructType RESULT =
            new StructType().add("score", DataTypes.LongType, false).add("cigar", DataTypes.StringType, false);

    final GapAlignment.Strategy strategy;
    final FunctionOptions options;

    public GapAlignmentUdf(GapAlignment.Strategy strategy, FunctionOptions options) {
        this.strategy = strategy;
        this.options = options;
    }

    @Override
    public Row call(UTF8String a, UTF8String b, Long match, Long mismatch, ArrayData costs) {
        if (a == null || b == null || match == null || mismatch == null || costs == null) {
            return null;
        }
        return options.answer(() -> solve(a, b, GapScores.shared(match, mismatch, checked("gap_costs", costs))));
    }

    @Override
    public Row call(UTF8String a, UTF8String b, Long match, Long mismatch, ArrayData aCosts, ArrayData bCosts) {
        if (a == null || b == null || match == null || mismatch == null || aCosts == null || bCosts == null) {
            return null;
        }
        return options.answer(() -> solve(
                a, b, new GapScores(match, mismatch, checked("a_gap_costs", aCosts), checked("b_gap_costs", bCosts))));
    }

    private Row solve(UTF8String a, UTF8String b, GapScores scores) {
        Text aText = Text.of(a);
        Text bText = Text.of(b);
        GapAlignment.Solution solution = GapAlignment.solve(aText, bText, scores, strategy, TaskCores.count());
        options.cells().add((long) aText.length() * bText.length());
        if (strategy == GapAlignment.Strategy.AUTO) {
            GapScores.Shape shape = scores.shape(aText.length(), bText.length());
            options.cells().chose(Strategies.name(GapAlignment.choose(shape, strategy)), 1);
        }
        return RowFactory.create(solution.score(), solution.cigar());
    }

    private static long[] checked(String name, ArrayData costs) {
        TaskMemory.takeArgument("gap_alignment", name, costs.numElements());
        for (int i = 0; i < costs.numElements(); i++) {
            if (costs.isNullAt(i)) {
                throw GapErrorContext.FUNCTION.invalid(
                        "entry %d of %s (counted from 1) is NULL; it must be a number".formatted(i + 1, name));
            }
        }
        return costs.toLongArray();
    }

    /** The function as a {@link dev.bellman.columns.CpuFunction}. */
    Object onCpu(FunctionOptions other, List<Object> arguments) {
        GapAlignmentUdf udf = new GapAlignmentUdf(strategy, other);
        UTF8String a = (UTF8String) arguments.get(0);
        UTF8String b = (UTF8String) arguments.get(1);
        Long match = (Long) arguments.get(2);
        Long mismatch = (Long) arguments.get(3);
        ArrayData costs = (ArrayData) arguments.get(4);
        return arguments.size() == 5
                ? udf.call(a, b, match, mismatch, costs)
                : udf.call(a, b, match, mismatch, costs, (ArrayData) arguments.get(5));
    }

    @Override
    public boolean hasKernel() {
        return strategy != GapAlignment.Strategy.SERIAL;
    }
}
