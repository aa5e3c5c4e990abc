package dev.bellman.align.score;

import dev.bellman.FunctionOptions;
import java.util.List;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code bit_score(score, scoring)}. */
public final class BitScoreUdf extends StatisticsUdf implements UDF2<Long, UTF8String, Double> {
    private static final long serialVersionUID = 1L;

    public BitScoreUdf(ScoreStatistics.Strategy strategy, FunctionOptions options) {
        super("bit_score", strategy, options);
    }

    @Override
    public Double call(Long score, UTF8String scoring) {
        return answer(scoring, score);
    }

    @Override
    List<String> numbers() {
        return List.of("score");
    }

    @Override
    String kernelName() {
        return "statistics_bit_scores";
    }

    @Override
    double solve(ScoreStatistics its, long... numbers) {
        return its.bitScore(numbers[0]);
    }

    @Override
    BitScoreUdf with(FunctionOptions other) {
        return new BitScoreUdf(strategy, other);
    }
}
