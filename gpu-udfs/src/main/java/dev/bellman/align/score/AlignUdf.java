package dev.bellman.align.score;

import dev.bellman.FunctionOptions;
import dev.bellman.Strategies;
import dev.bellman.align.Text;
import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.ColumnarFunction;
import java.util.List;
import org.apache.spark.sql.api.java.UDF4;
import org.apache.spark.sql.api.java.UDF5;
import org.apache.spark.unsafe.types.UTF8String;

/** The common part of the functions of scored pairs: NULL handling, and the cells of a table. */
abstract class AlignUdf<R>
        implements UDF4<UTF8String, UTF8String, UTF8String, UTF8String, R>,
                UDF5<UTF8String, UTF8String, UTF8String, UTF8String, Long, R>,
                ColumnarFunction {
    private static final long serialVersionUID = 1L;

    final String function;
    final SequenceAlignment.Strategy strategy;
    final FunctionOptions options;

    AlignUdf(String function, SequenceAlignment.Strategy strategy, FunctionOptions options) {
        this.function = function;
        this.strategy = strategy;
        this.options = options;
    }

    /** The result for a pair; null for a score below {@code least}. */
    abstract R solve(Text a, Text b, AlignmentMode mode, Scoring its, long least);

    /** Counts pairs for which {@code auto} has chosen this strategy. */
    final void chose(SequenceAlignment.Strategy chosen, int pairs) {
        if (strategy == SequenceAlignment.Strategy.AUTO && pairs > 0) {
            options.cells().chose(Strategies.name(chosen), pairs);
        }
    }

    /** The same function with other options. */
    abstract AlignUdf<R> with(FunctionOptions other);

    /** The function as a {@link dev.bellman.columns.CpuFunction}. */
    final Object onCpu(FunctionOptions other, List<Object> arguments) {
        AlignUdf<R> udf = with(other);
        UTF8String a = (UTF8String) arguments.get(0);
        UTF8String b = (UTF8String) arguments.get(1);
        UTF8String mode = (UTF8String) arguments.get(2);
        UTF8String its = (UTF8String) arguments.get(3);
        return arguments.size() == 4 ? udf.call(a, b, mode, its) : udf.call(a, b, mode, its, (Long) arguments.get(4));
    }

    @Override
    public boolean hasKernel() {
        return switch (strategy) {
            case AUTO, ANTI_DIAGONAL, WAVEFRONT -> true;
            case SERIAL, STRIPED -> false;
        };
    }

    @Override
    public final R call(UTF8String a, UTF8String b, UTF8String mode, UTF8String its) {
        return a == null || b == null || mode == null || its == null
                ? null
                : answer(a, b, mode, its, SequenceAlignment.ANY);
    }

    @Override
    public final R call(UTF8String a, UTF8String b, UTF8String mode, UTF8String its, Long least) {
        return a == null || b == null || mode == null || its == null || least == null
                ? null
                : answer(a, b, mode, its, least);
    }

    private R answer(UTF8String a, UTF8String b, UTF8String mode, UTF8String its, long least) {
        return options.answer(() -> {
            AlignmentMode known = AlignmentMode.of(function, mode.toString());
            Scoring parsed = Scoring.of(function, its.toString());
            Text aText = Text.of(a);
            Text bText = Text.of(b);
            R result = solve(aText, bText, known, parsed, least);
            options.cells().add((long) aText.length() * bText.length());
            return result;
        });
    }
}
