package dev.bellman.generate;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.Serializable;

/**
 * Matrix chains to generate.
 *
 * @param matrices the distribution of the number of matrices in a chain
 * @param dimensions the distribution of the dimensions, which are at least 1
 * @param partitions the number of partitions, which does not affect the rows; if 0, it depends on the number of cores
 *     and the size of the data
 */
public record ChainsSpec(long count, Lengths matrices, Lengths dimensions, long seed, int partitions)
        implements Serializable {
    public ChainsSpec {
        Generator.check(count, partitions);
        if (matrices.first() < 1 || dimensions.first() < 1) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_USAGE, "a chain must have at least 1 matrix, and dimensions must be at least 1");
        }
    }
}
