package dev.bellman.chain;

/** Adds and multiplies costs of at most 63 bits. A negative result means that the result or an operand does not fit. */
public final class CostArithmetic {
    private CostArithmetic() {}

    /** Returns the product of two numbers, or a negative number if the product or a factor does not fit. */
    public static long product(long a, long b) {
        return a < 0 || b < 0 || Math.multiplyHigh(a, b) != 0 ? ChainSolver.OVERFLOW : a * b;
    }

    /** Returns the sum of two numbers, or a negative number if the sum or a term does not fit. */
    public static long sum(long a, long b) {
        return a < 0 || b < 0 ? ChainSolver.OVERFLOW : a + b;
    }

    /**
     * Returns the number of candidates that are compared to fill the table of a problem with {@code n} leaves: {@code
     * (n^3 - n) / 6}, or 2^63 - 1 if three times this number does not fit in 63 bits.
     */
    public static long relaxations(long n) {
        long tripled = product(n * (n + 1) / 2, n - 1);
        return tripled < 0 ? Long.MAX_VALUE : tripled / 3;
    }
}
