package dev.bellman.join;

import dev.bellman.join.measure.Limits;
import dev.bellman.join.measure.Measure;

/** The GPU component that compares every string with every other string of similar length. */
public interface PlainGpu {
    /** Whether the GPU can compute the measure for the given strings: they must be ASCII and not too long. */
    boolean serves(StringTotals strings, Measure measure);

    /** Whether the given strings fit in GPU memory together with all pairs of one string. */
    boolean fits(Strings strings);

    /** Returns a search of part number {@code part} of {@code parts} equal parts. */
    PairSearch search(Strings strings, Limits limits, int part, int parts, Runnable checkpoint);
}
