package dev.bellman.proof;

import java.io.Serializable;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Generates instances that are hard to solve correctly: ties; sizes close to word, tile and class boundaries; equal,
 * similar and unrelated sequences; values close to the limits of a type; rejected values; NULLs.
 *
 * @param small the largest size for which the oracle takes about a millisecond
 * @param large a size that reaches every code path of the function
 * @param growth the exponent of growth: the cells of the textbook's table grow with this power of the size
 */
public record InstanceGenerator(Draw draw, int small, int large, int growth) implements Serializable {
    /** Draws one instance. */
    @FunctionalInterface
    public interface Draw extends Serializable {
        /**
         * Returns a value for each parameter, determined only by the state of {@code random}.
         *
         * @param size the approximate maximum length of a sequence; most sequences are shorter
         */
        InternalRow generate(SplittableRandom random, int size);
    }

    public InternalRow generate(SplittableRandom random, int size) {
        return draw.generate(random, size);
    }
}
