package dev.bellman.align.score;

import dev.bellman.proof.Values;
import org.apache.spark.sql.catalyst.InternalRow;

/** Defines {@code bit_score} and {@code e_value} by Karlin and Altschul's formulas, computed term by term. */
final class StatisticsTextbook {
    private StatisticsTextbook() {}

    private static ScoreStatistics statistics(InternalRow arguments) {
        int last = arguments.numFields() - 1;
        for (int i = 0; i < last; i++) {
            if (arguments.getLong(i) < 0) {
                throw Values.invalid();
            }
        }
        return ScoreStatistics.of("textbook", arguments.getUTF8String(last).toString());
    }

    static Double bitScore(InternalRow arguments) {
        ScoreStatistics its = statistics(arguments);
        double scaled = its.lambda() * arguments.getLong(0);
        return (scaled - StrictMath.log(its.k())) / StrictMath.log(2);
    }

    static Double expected(InternalRow arguments) {
        ScoreStatistics its = statistics(arguments);
        double ofPlaces = its.k() * arguments.getLong(1) * arguments.getLong(2);
        double ofScore = StrictMath.exp(-(its.lambda() * arguments.getLong(0)));
        return ofPlaces * ofScore;
    }
}
