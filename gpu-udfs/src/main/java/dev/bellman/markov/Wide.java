package dev.bellman.markov;

/**
 * A non-negative number with the 53-bit mantissa of a DOUBLE and an unlimited exponent.
 *
 * @param mantissa at least 1 and less than 2, or 0
 */
record Wide(double mantissa, long exponent) {
    static final Wide ZERO = new Wide(0, 0);
    static final Wide ONE = new Wide(1, 0);

    private static final double LOG_2 = StrictMath.log(2);

    private static final int DIGITS = 53;
    private static final long FRACTION = (1L << DIGITS - 1) - 1;

    /** If the exponents of two numbers differ by more than this, their sum is the larger number. */
    private static final int FAR = 60;

    /**
     * If the exponents of a product and a summand differ by more than this, the larger of the two is their sum, except
     * that a smaller summand still affects the rounding of a product.
     */
    private static final int FAR_OF_PRODUCT = 150;

    static Wide of(double value) {
        return of(value, 0);
    }

    /** Returns {@code value * 2^exponent}. */
    static Wide of(double value, long exponent) {
        if (value == 0) {
            return ZERO;
        }
        // scale a subnormal number up first, because getExponent does not return its true exponent
        int up = value < Double.MIN_NORMAL ? DIGITS : 0;
        double normal = value * Math.scalb(1.0, up);
        int shift = Math.getExponent(normal);
        return new Wide(Math.scalb(normal, -shift), exponent + shift - up);
    }

    /** Returns {@code e^x}, where {@code x} is -Infinity or has a magnitude of at most 2^53. */
    static Wide exp(double x) {
        if (x == Double.NEGATIVE_INFINITY) {
            return ZERO;
        }
        double exponent = Math.rint(x / LOG_2);
        return of(StrictMath.exp(x - exponent * LOG_2), (long) exponent);
    }

    Wide times(Wide other) {
        return of(mantissa * other.mantissa, exponent + other.exponent);
    }

    /**
     * Returns the product of positive normal numbers. The result is the same as with repeated calls of {@link #times}.
     */
    static Wide product(double... numbers) {
        double mantissa = 1;
        long exponent = 0;
        for (double number : numbers) {
            exponent += Math.getExponent(number);
            long fraction = Double.doubleToRawLongBits(number) & FRACTION;
            mantissa *= Double.longBitsToDouble(Double.doubleToRawLongBits(1) | fraction);
            if (mantissa >= 2) {
                mantissa /= 2;
                exponent++;
            }
        }
        return new Wide(mantissa, exponent);
    }

    Wide plus(Wide other) {
        if (mantissa == 0 || other.mantissa == 0) {
            return mantissa == 0 ? other : this;
        }
        if (exponent < other.exponent) {
            return other.plus(this);
        }
        long less = exponent - other.exponent;
        return less > FAR ? this : of(mantissa + Math.scalb(other.mantissa, (int) -less), exponent);
    }

    /** Returns {@code this * factor + summand}, rounded once. */
    Wide fma(Wide factor, Wide summand) {
        if (mantissa == 0 || factor.mantissa == 0) {
            return summand;
        }
        long ofProduct = exponent + factor.exponent;
        long more = summand.exponent - ofProduct;
        if (summand.mantissa != 0 && more > FAR_OF_PRODUCT) {
            return summand;
        }
        // a far smaller summand still decides how a product halfway between two doubles is rounded
        double scaled = Math.scalb(summand.mantissa, (int) Math.max(more, -FAR_OF_PRODUCT));
        return of(Math.fma(mantissa, factor.mantissa, scaled), ofProduct);
    }

    /** Returns the number as a double; its exponent must be in the range of DOUBLE. */
    double narrow() {
        return Math.scalb(mantissa, (int) exponent);
    }

    /**
     * Returns the quotient as a DOUBLE, or 0 if it is less than {@code least}, which must be far above the smallest
     * DOUBLE.
     */
    double dividedBy(Wide other, double least) {
        Wide quotient = of(mantissa / other.mantissa, exponent - other.exponent);
        double value =
                quotient.exponent < Double.MIN_EXPONENT ? 0 : Math.scalb(quotient.mantissa, (int) quotient.exponent);
        return value < least ? 0 : value;
    }

    double log() {
        return mantissa == 0 ? Double.NEGATIVE_INFINITY : StrictMath.log(mantissa) + exponent * LOG_2;
    }
}
