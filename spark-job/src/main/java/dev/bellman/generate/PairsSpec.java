package dev.bellman.generate;

import java.io.Serializable;

/**
 * Pairs of sequences to generate.
 *
 * @param length the lengths of {@code a}, and of {@code b} where it is independent
 * @param partitions how many partitions, which has no influence on the rows; 0: as suits the cores and the size
 */
public record PairsSpec(long count, Lengths length, Alphabet alphabet, Divergence divergence, long seed, int partitions)
        implements Serializable {
    public PairsSpec {
        Generator.check(count, partitions);
    }
}
