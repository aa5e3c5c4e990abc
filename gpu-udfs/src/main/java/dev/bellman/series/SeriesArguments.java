package dev.bellman.series;

import dev.bellman.BellmanException;
import dev.bellman.columns.Arguments;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * The arguments of a time-series function call.
 *
 * @param hasPoints whether series are arrays of points rather than arrays of numbers
 * @param isFloat whether the numbers are FLOAT rather than DOUBLE
 */
record SeriesArguments(boolean hasPoints, boolean isFloat, Arguments values) {
    String function() {
        return values.function();
    }

    Series series(int place, String name) {
        ArrayData array = values.array(place);
        return hasPoints ? Series.ofPoints(function(), name, array) : Series.of(function(), name, array, isFloat);
    }

    /** Returns two series, neither of which may be empty. */
    Series[] nonEmptyPair(String first, String second) {
        Series[] pair = pair(first, second);
        for (int i = 0; i < 2; i++) {
            if (pair[i].length() == 0) {
                throw BellmanException.inRow(
                        function(), "%s is empty; it needs at least one point".formatted(i == 0 ? first : second));
            }
        }
        return pair;
    }

    Series[] pair(String first, String second) {
        Series a = series(0, first);
        Series b = series(1, second);
        if (a.dimensions() != b.dimensions() && a.length() > 0 && b.length() > 0) {
            throw BellmanException.inRow(
                    function(),
                    "the points of %s have %d numbers, but the points of %s have %d; the dimensions must match"
                            .formatted(first, a.dimensions(), second, b.dimensions()));
        }
        return new Series[] {a, b};
    }

    int band(int place) {
        return band(function(), values.integer(place));
    }

    static int band(String function, int band) {
        if (band < 0) {
            throw BellmanException.inSetting(function, "band is %d; it must be at least 0".formatted(band));
        }
        return band;
    }

    /** Returns the rule that the argument {@code power} selects: absolute differences for 1, squares for 2. */
    CellRule power(int place) {
        return power(function(), values.integer(place)) == 1
                ? isFloat ? CellRule.ABSOLUTE_FLOAT : CellRule.ABSOLUTE
                : isFloat ? CellRule.SQUARED_FLOAT : CellRule.SQUARED;
    }

    static int power(String function, int power) {
        if (power != 1 && power != 2) {
            throw BellmanException.inSetting(function, "power is %d; it must be 1 or 2".formatted(power));
        }
        return power;
    }

    double max(int place) {
        return max(function(), values.number(place));
    }

    static double max(String function, double max) {
        if (Double.isNaN(max)) {
            throw BellmanException.inSetting(function, "max is NaN; it must be a number");
        }
        return max;
    }

    double gap(int place) {
        return finite(function(), "gap", values.number(place));
    }

    static double finite(String function, String name, double value) {
        if (!(Math.abs(value) <= Double.MAX_VALUE)) {
            throw BellmanException.inSetting(function, "%s is %s; it must be a finite number".formatted(name, value));
        }
        return value;
    }

    double tolerance(int place) {
        return tolerance(function(), values.number(place));
    }

    static double tolerance(String function, double tolerance) {
        if (finite(function, "tolerance", tolerance) < 0) {
            throw BellmanException.inSetting(function, "tolerance is %s; it must be at least 0".formatted(tolerance));
        }
        return tolerance;
    }

    double gamma(int place) {
        return gamma(function(), values.number(place));
    }

    static double gamma(String function, double gamma) {
        if (finite(function, "gamma", gamma) <= 0) {
            throw BellmanException.inSetting(function, "gamma is %s; it must be positive".formatted(gamma));
        }
        return gamma;
    }
}
