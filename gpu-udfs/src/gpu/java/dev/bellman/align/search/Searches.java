package dev.bellman.align.search;

import dev.bellman.align.PairClass;
import dev.bellman.align.PairGroups;
import dev.bellman.columns.Instances.Classified;
import java.util.List;

/**
 * Pairs of patterns and texts, by class. Each pair has a row, or an element if rows have several patterns.
 *
 * @param rows the number of rows or elements
 * @param count the number of pairs
 * @param pairs the address of the pairs
 * @param classified the classes of the rows or elements
 * @param limits the address of the maximum distance for each row or element
 * @param iupac the address of a byte for each row or element: whether its letters are IUPAC codes; 0 if none are
 * @param patternOf the address of the index of each element's pattern; 0 for rows with one pattern
 */
record Searches(
        int rows,
        int count,
        List<PairClass> classes,
        long pairs,
        Classified classified,
        long limits,
        long iupac,
        long patternOf) {
    /** Returns the address of the first pair of a class. */
    long pairs(PairClass group) {
        return pairs + (long) PairGroups.PAIR_BYTES * group.first();
    }
}
