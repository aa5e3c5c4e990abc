package dev.bellman.generate;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.Serializable;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Length distributions. For both the normal and the lognormal distribution, the parameters are the mean and the
 * standard deviation of the length itself; these lengths are rounded and limited to the range from 1 to {@value
 * #MAXIMUM}.
 */
public record Lengths(Kind kind, double first, double second) implements Serializable {
    /** The kinds of distributions, each of which interprets {@code first} and {@code second} differently. */
    public enum Kind {
        /** {@code first} is the minimum and {@code second} the maximum, both inclusive. */
        UNIFORM,
        /** {@code first} is the mean and {@code second} the standard deviation. */
        NORMAL,
        /** {@code first} is the mean and {@code second} the standard deviation. */
        LOGNORMAL
    }

    /** The maximum length of a sequence or chain. */
    public static final int MAXIMUM = 100_000_000;

    private static final Pattern FIXED = Pattern.compile("(\\d{1,9})");
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})-(\\d{1,9})");
    private static final Pattern MOMENTS = Pattern.compile("(normal|lognormal):(\\d+(?:\\.\\d+)?),(\\d+(?:\\.\\d+)?)");

    public Lengths {
        boolean valid = kind == Kind.UNIFORM
                ? first >= 0 && first <= second && second <= MAXIMUM
                : first >= 1 && first <= MAXIMUM && second >= 0 && second <= MAXIMUM;
        if (!valid) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_USAGE,
                    "the lengths %s are out of range: %s"
                            .formatted(
                                    kind == Kind.UNIFORM
                                            ? "%d-%d".formatted((long) first, (long) second)
                                            : "%s:%s,%s".formatted(kind.name().toLowerCase(Locale.ROOT), first, second),
                                    (kind == Kind.UNIFORM
                                                    ? "the minimum must be at least 0 and at most the maximum, and the "
                                                            + "maximum at most %d"
                                                    : "the mean must be from 1 to %1$d, and the standard deviation "
                                                            + "from 0 to %1$d")
                                            .formatted(MAXIMUM)));
        }
    }

    public static Lengths fixed(int length) {
        return uniform(length, length);
    }

    /** Returns uniformly distributed lengths from {@code minimum} to {@code maximum}, both inclusive. */
    public static Lengths uniform(int minimum, int maximum) {
        return new Lengths(Kind.UNIFORM, minimum, maximum);
    }

    /** Parses {@code 150}, {@code 100-200}, {@code normal:150,20} or {@code lognormal:150,20}. */
    public static Lengths parse(String text) {
        Matcher fixed = FIXED.matcher(text);
        if (fixed.matches()) {
            return fixed(Integer.parseInt(fixed.group(1)));
        }
        Matcher range = RANGE.matcher(text);
        if (range.matches()) {
            return uniform(Integer.parseInt(range.group(1)), Integer.parseInt(range.group(2)));
        }
        Matcher moments = MOMENTS.matcher(text);
        if (moments.matches()) {
            return new Lengths(
                    moments.group(1).equals("normal") ? Kind.NORMAL : Kind.LOGNORMAL,
                    Double.parseDouble(moments.group(2)),
                    Double.parseDouble(moments.group(3)));
        }
        throw new BellmanException(
                ErrorCode.BELLMAN_USAGE,
                "'" + text
                        + "' is not a length; use a number (150), a range (100-200), normal:MEAN,SD or "
                        + "lognormal:MEAN,SD");
    }

    double mean() {
        return kind == Kind.UNIFORM ? (first + second) / 2 : first;
    }

    int draw(RowRandom random) {
        return switch (kind) {
            case UNIFORM -> (int) first + random.below((int) second - (int) first + 1);
            case NORMAL -> within(first + second * random.nextGaussian());
            case LOGNORMAL -> {
                // the variance and mean of the logarithm for which the length has the requested mean and deviation
                double variance = StrictMath.log1p(second / first * (second / first));
                double mean = StrictMath.log(first) - variance / 2;
                yield within(StrictMath.exp(mean + StrictMath.sqrt(variance) * random.nextGaussian()));
            }
        };
    }

    private static int within(double length) {
        return (int) Math.max(1, Math.min(MAXIMUM, StrictMath.rint(length)));
    }
}
