package dev.bellman.entry;

import java.io.Serializable;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Generates instances that are hard to get right: ties, sizes around those of words, tiles and classes, equal, similar and unrelated
 * sequences, values near the limits of a type, values that the function rejects, NULLs.
 */
@FunctionalInterface
public interface InstanceGenerator extends Serializable {
    /**
     * One instance, a value for each parameter. It depends on the state of {@code random} alone.
     *
     * @param size about the most elements of a sequence; most instances have fewer
     */
    InternalRow generate(SplittableRandom random, int size);
}
