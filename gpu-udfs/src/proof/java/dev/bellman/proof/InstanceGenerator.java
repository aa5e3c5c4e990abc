package dev.bellman.proof;

import java.io.Serializable;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Generates instances that are hard to solve correctly. They have ties, sizes close to word, tile and class boundaries,
 * equal, similar and unrelated sequences, values close to a type's limits, rejected values, and NULLs.
 *
 * @param small the largest size that the oracle solves in about a millisecond
 * @param large a size for which every code path of the function is used
 * @param growth the exponent of growth: the number of cells in the textbook's table is proportional to this power of
 *     the size
 */
public record InstanceGenerator(SharingDraw draw, int small, int large, int growth) implements Serializable {
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

    /** Draws one instance that has an argument in common with others, for example a model. */
    @FunctionalInterface
    public interface SharingDraw extends Serializable {
        /** @param shared returns a seed, which determines the argument that several instances have in common */
        InternalRow generate(SplittableRandom random, int size, LongSupplier shared);
    }

    public InstanceGenerator(Draw draw, int small, int large, int growth) {
        this((random, size, shared) -> draw.generate(random, size), small, large, growth);
    }

    /** Generates an instance that has no argument in common with others. */
    public InternalRow generate(SplittableRandom random, int size) {
        return generate(random, size, random::nextLong);
    }

    public InternalRow generate(SplittableRandom random, int size, LongSupplier shared) {
        return draw.generate(random, size, shared);
    }
}
