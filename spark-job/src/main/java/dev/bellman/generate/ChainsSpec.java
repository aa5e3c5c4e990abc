package dev.bellman.generate;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.Serializable;

/**
 * Chains of matrices to generate.
 *
 * @param matrices how many matrices a chain has
 * @param dimensions what dimensions are drawn from, at least 1
 * @param partitions how many partitions, which has no influence on the rows; 0: as suits the cores and the size
 */
public record ChainsSpec(long count, Lengths matrices, Lengths dimensions, long seed, int partitions)
        implements Serializable {
    public ChainsSpec {
        Generator.check(count, partitions);
        if (matrices.first() < 1 || dimensions.first() < 1) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_USAGE, "a chain has at least 1 matrix, and a matrix dimensions of at least 1");
        }
    }
}
