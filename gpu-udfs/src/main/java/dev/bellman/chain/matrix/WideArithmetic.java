package dev.bellman.chain.matrix;

/** Multiplies and compares unsigned numbers exactly, in 64-bit words. */
final class WideArithmetic {
    private WideArithmetic() {}

    /** Compares two fractions with 128-bit numerators. */
    static int compareRatios(long highA, long lowA, long denA, long highB, long lowB, long denB) {
        long middleA = multiplyHigh(lowA, denB);
        long middleB = multiplyHigh(lowB, denA);
        if ((highA | highB) != 0) {
            long productA = highA * denB;
            long productB = highB * denA;
            middleA += productA;
            middleB += productB;
            long topA = multiplyHigh(highA, denB) + (Long.compareUnsigned(middleA, productA) < 0 ? 1 : 0);
            long topB = multiplyHigh(highB, denA) + (Long.compareUnsigned(middleB, productB) < 0 ? 1 : 0);
            if (topA != topB) {
                return Long.compareUnsigned(topA, topB);
            }
        }
        return middleA != middleB
                ? Long.compareUnsigned(middleA, middleB)
                : Long.compareUnsigned(lowA * denB, lowB * denA);
    }

    /** Returns the upper half of the product of two unsigned numbers. */
    static long multiplyHigh(long a, long b) {
        return Math.multiplyHigh(a, b) + (a >> 63 & b) + (b >> 63 & a);
    }
}
