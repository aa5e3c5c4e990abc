package dev.bellman.align.score;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarFunction;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The common part of the functions of a score's significance: NULL handling, rejected rows, and the scoring, which is
 * the same for most rows.
 */
abstract class StatisticsUdf implements Serializable, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    final String function;
    final ScoreStatistics.Strategy strategy;
    final FunctionOptions options;
    private transient UTF8String scoringText;
    private transient ScoreStatistics statistics;

    StatisticsUdf(String function, ScoreStatistics.Strategy strategy, FunctionOptions options) {
        this.function = function;
        this.strategy = strategy;
        this.options = options;
    }

    /** The names of the arguments before the scoring, which must not be negative. */
    abstract List<String> numbers();

    /** The kernel that computes the results. */
    abstract String kernelName();

    /** The result for the {@link #numbers} of a row. */
    abstract double solve(ScoreStatistics its, long... numbers);

    /** The same function with other options. */
    abstract StatisticsUdf with(FunctionOptions other);

    /** The function as a {@link dev.bellman.columns.CpuFunction}. */
    final Object onCpu(FunctionOptions other, List<Object> arguments) {
        int count = numbers().size();
        return with(other)
                .answer(
                        (UTF8String) arguments.get(count),
                        arguments.subList(0, count).toArray(Long[]::new));
    }

    final Double answer(UTF8String scoring, Long... numbers) {
        if (scoring == null) {
            return null;
        }
        long[] values = new long[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] == null) {
                return null;
            }
            values[i] = numbers[i];
        }
        return options.answer(() -> {
            ScoreStatistics its = of(scoring);
            for (int i = 0; i < values.length; i++) {
                ScoreStatistics.check(function, numbers().get(i), values[i]);
            }
            return solve(its, values);
        });
    }

    private ScoreStatistics of(UTF8String text) {
        if (!text.equals(scoringText)) {
            statistics = ScoreStatistics.of(function, text.toString());
            scoringText = text.clone();
        }
        return statistics;
    }

    @Override
    public final boolean hasKernel() {
        return strategy == ScoreStatistics.Strategy.AUTO;
    }
}
