package dev.bellman.proof;

import java.io.Serializable;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Generates instances that are hard to get right: ties, sizes near the sizes of words, tiles and classes, equal,
 * similar and unrelated sequences, values near the limits of a type, values that the function rejects, NULLs.
 *
 * @param small a size up to which the oracle takes no more than about a millisecond
 * @param large a size that reaches every code path of the function
 * @param growth the cells of the textbook's table grow with this power of the size
 */
public record InstanceGenerator(Draw draw, int small, int large, int growth) implements Serializable {
    /** Draws one instance. */
    @FunctionalInterface
    public interface Draw extends Serializable {
        /**
         * A value for each parameter, determined only by the state of {@code random}.
         *
         * @param size about the most elements of a sequence; most instances have fewer
         */
        InternalRow generate(SplittableRandom random, int size);
    }

    public InternalRow generate(SplittableRandom random, int size) {
        return draw.generate(random, size);
    }
}
