package dev.bellman.segment;

/**
 * Implements fdlibm's {@code log} for positive normal numbers. The result is bit-for-bit the same as that of {@link
 * StrictMath#log}, which calls native code in Java 17. A number {@code x} is {@code 2^k * (1 + f)} with {@code 1 + f}
 * from sqrt(2)/2 to sqrt(2), and {@code log(1 + f)} is computed by a polynomial in {@code s = f / (2 + f)}.
 */
final class Logarithm {
    private static final double LN2_HIGH = 6.93147180369123816490e-01;
    private static final double LN2_LOW = 1.90821492927058770002e-10;
    private static final double L1 = 6.666666666666735130e-01;
    private static final double L2 = 3.999999999940941908e-01;
    private static final double L3 = 2.857142874366239149e-01;
    private static final double L4 = 2.222219843214978396e-01;
    private static final double L5 = 1.818357216161805012e-01;
    private static final double L6 = 1.531383769920937332e-01;
    private static final double L7 = 1.479819860511658591e-01;

    private Logarithm() {}

    static double of(double x) {
        long bits = Double.doubleToRawLongBits(x);
        int top = (int) (bits >>> 32);
        int fraction = top & 0xfffff;
        int half = fraction + 0x95f64 & 0x100000;
        int k = (top >> 20) - 1023 + (half >> 20);
        double f = Double.longBitsToDouble((long) (fraction | half ^ 0x3ff00000) << 32 | bits & 0xffffffffL) - 1;
        double power = k;
        if ((fraction + 2 & 0xfffff) < 3) {
            // the first terms of the series suffice, because |f| is below 2^-20
            double rest = f * f * (0.5 - 0.33333333333333333 * f);
            return k == 0 ? f - rest : power * LN2_HIGH - ((rest - power * LN2_LOW) - f);
        }
        double s = f / (2 + f);
        double z = s * s;
        double w = z * z;
        double rest = z * (L1 + w * (L3 + w * (L5 + w * L7))) + w * (L2 + w * (L4 + w * L6));
        if ((fraction - 0x6147a | 0x6b851 - fraction) > 0) {
            double square = 0.5 * f * f;
            return k == 0
                    ? f - (square - s * (square + rest))
                    : power * LN2_HIGH - ((square - (s * (square + rest) + power * LN2_LOW)) - f);
        }
        return k == 0 ? f - s * (f - rest) : power * LN2_HIGH - ((s * (f - rest) - power * LN2_LOW) - f);
    }
}
