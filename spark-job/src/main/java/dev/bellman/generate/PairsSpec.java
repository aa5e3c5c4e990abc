package dev.bellman.generate;

import java.io.Serializable;

/**
 * Pairs of sequences to generate.
 *
 * @param length the distribution of the lengths of {@code a}, and also of {@code b} if {@code b} is independent
 * @param partitions the number of partitions, which does not affect the rows; if 0, it depends on the number of cores
 *     and the size of the data
 */
public record PairsSpec(long count, Lengths length, Alphabet alphabet, Divergence divergence, long seed, int partitions)
        implements Serializable {
    public PairsSpec {
        Generator.check(count, partitions);
    }
}
