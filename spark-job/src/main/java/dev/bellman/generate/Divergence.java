package dev.bellman.generate;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.Serializable;

/**
 * How the second sequence of a pair is related to the first. The second sequence is either independent, with its own
 * length, or a copy of the first in which each letter is edited with the probability {@code rate}. An edit is a
 * substitution or a deletion of the letter, or an insertion before it, each equally likely.
 */
public record Divergence(boolean independent, double rate) implements Serializable {
    public Divergence {
        if (!(rate >= 0 && rate <= 1)) {
            throw invalid(Double.toString(rate));
        }
    }

    public static Divergence unrelated() {
        return new Divergence(true, 1);
    }

    public static Divergence ofRate(double rate) {
        return new Divergence(false, rate);
    }

    /** Parses {@code independent}, or a rate from 0 to 1. */
    public static Divergence parse(String text) {
        if (text.equalsIgnoreCase("independent")) {
            return unrelated();
        }
        try {
            return ofRate(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            throw invalid(text);
        }
    }

    private static BellmanException invalid(String text) {
        return new BellmanException(
                ErrorCode.BELLMAN_USAGE,
                "the divergence is '" + text + "'; it must be a number from 0 to 1, or independent");
    }
}
