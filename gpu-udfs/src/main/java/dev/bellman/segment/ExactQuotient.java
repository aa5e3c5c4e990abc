package dev.bellman.segment;

import java.math.BigDecimal;
import java.math.BigInteger;

/** Divides decimal numbers exactly, and rounds the quotient to a double. */
final class ExactQuotient {
    /** The minimum number of bits in the integer quotient, which has more bits than a double needs. */
    private static final int BITS = 64;

    private static final BigDecimal HALF = BigDecimal.valueOf(0.5);

    private ExactQuotient() {}

    /** Returns the quotient, rounded once. The divisor must be positive. */
    static double of(BigDecimal dividend, BigDecimal divisor) {
        if (dividend.signum() < 0) {
            return -of(dividend.negate(), divisor);
        }
        if (dividend.signum() == 0) {
            return 0;
        }
        int scale = dividend.scale() - divisor.scale();
        BigInteger numerator = scaled(dividend.unscaledValue(), -scale);
        BigInteger denominator = scaled(divisor.unscaledValue(), scale);
        int shift = BITS + denominator.bitLength() - numerator.bitLength();
        BigInteger[] quotient =
                numerator.shiftLeft(Math.max(0, shift)).divideAndRemainder(denominator.shiftLeft(Math.max(0, -shift)));
        // the last bit represents all omitted bits; it is too low to be the bit that decides the rounding
        BigInteger digits = quotient[1].signum() == 0 ? quotient[0] : quotient[0].setBit(0);
        double result = Math.scalb(digits.doubleValue(), -shift);
        return result < Double.MIN_NORMAL
                ? new BigDecimal(digits).multiply(HALF.pow(shift)).doubleValue()
                : result;
    }

    /** Multiplies an integer by a power of ten, unless the exponent is negative. */
    private static BigInteger scaled(BigInteger number, int exponent) {
        return exponent > 0 ? number.multiply(BigInteger.TEN.pow(exponent)) : number;
    }
}
