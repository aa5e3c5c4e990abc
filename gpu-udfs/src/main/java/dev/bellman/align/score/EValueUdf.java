package dev.bellman.align.score;

import dev.bellman.FunctionOptions;
import java.util.List;
import org.apache.spark.sql.api.java.UDF4;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code e_value(score, query_letters, target_letters, scoring)}. */
public final class EValueUdf extends StatisticsUdf implements UDF4<Long, Long, Long, UTF8String, Double> {
    private static final long serialVersionUID = 1L;

    public EValueUdf(ScoreStatistics.Strategy strategy, FunctionOptions options) {
        super("e_value", strategy, options);
    }

    @Override
    public Double call(Long score, Long queryLetters, Long targetLetters, UTF8String scoring) {
        return answer(scoring, score, queryLetters, targetLetters);
    }

    @Override
    List<String> numbers() {
        return List.of("score", "query_letters", "target_letters");
    }

    @Override
    String kernelName() {
        return "statistics_e_values";
    }

    @Override
    double solve(ScoreStatistics its, long... numbers) {
        return its.expected(numbers[0], numbers[1], numbers[2]);
    }

    @Override
    EValueUdf with(FunctionOptions other) {
        return new EValueUdf(strategy, other);
    }
}
