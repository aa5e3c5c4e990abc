package dev.bellman.chain.tree;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;

/** Checks the lists of costs that define a parenthesization, and creates the exceptions for invalid costs. */
final class Costs {
    private Costs() {}

    static void check(String function, String list, long[] costs) {
        for (int i = 0; i < costs.length; i++) {
            if (costs[i] < 0) {
                throw invalidEntry(function, list, i, Long.toString(costs[i]));
            }
        }
    }

    /** Checks costs and returns a copy in which -0.0 is replaced with 0.0. */
    static double[] checked(String function, String list, double[] costs, double largest) {
        double[] checked = new double[costs.length];
        for (int i = 0; i < costs.length; i++) {
            if (!(costs[i] >= 0 && costs[i] <= largest)) {
                throw invalidEntry(function, list, i, Double.toString(costs[i]));
            }
            checked[i] = costs[i] + 0.0;
        }
        return checked;
    }

    /** Returns the exception for an entry that is not a valid cost; {@code index} counts from 0. */
    static BellmanException invalidEntry(String function, String list, int index, String value) {
        boolean infinite = value.equals("Infinity");
        return BellmanException.inRow(
                function,
                "entry %d of %s (counted from 1) is %s; it must be a %snumber and at least 0"
                        .formatted(index + 1, list, infinite ? "infinite" : value, infinite ? "finite " : ""));
    }

    static BellmanException overflow(String function, String what) {
        return new BellmanException(
                ErrorCode.BELLMAN_OVERFLOW,
                ("%s: %s costs more than %d, the maximum BIGINT value; use smaller costs, DOUBLE, or try_%s, which "
                                + "returns NULL")
                        .formatted(function, what, Long.MAX_VALUE, function));
    }
}
