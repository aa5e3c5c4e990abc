package dev.bellman.align.bits;

import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.XOR;

import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Computes the recurrence of {@link EditDistanceBits} in four lanes: the first and the second word of the left half,
 * and those of the right half. In each step, the first words are one column ahead of the second words, and have
 * computed the horizontal differences between the words in the step before.
 */
final class VectorEnds implements BothEnds {
    private static final VectorSpecies<Long> SPECIES = LongVector.SPECIES_256;
    private static final VectorShuffle<Long> FIRST_TO_SECOND = VectorShuffle.fromValues(SPECIES, 0, 0, 2, 2);

    @Override
    public boolean isFast() {
        return LongVector.SPECIES_PREFERRED.length() >= SPECIES.length();
    }

    private static LongVector vector(long... lanes) {
        return LongVector.fromArray(SPECIES, lanes, 0);
    }

    /** If {@code m} is odd, the left half begins one step later: in step 0, its words remain as they are. */
    @Override
    public void advance(long[] matches, int none, byte[] columns, int begin, int m, long[] vertical) {
        LongVector isLeft = vector(-1, -1, 0, 0);
        LongVector isFirst = vector(-1, 0, -1, 0);
        LongVector isSecond = isFirst.not();
        LongVector carries = vector(0, 1, 0, 1);
        int wait = m & 1;
        LongVector p = vector(-1, -1, -1, -1);
        LongVector n = LongVector.zero(SPECIES);
        // a second word that has not begun does not change if nothing increases above it
        LongVector stillUp = vector(wait, 1, 0, 1);
        LongVector nUp = n;
        LongVector before = n;
        LongVector pBefore = p;
        LongVector nBefore = n;
        int left = wait == 1 ? none : STRIDE * columns[begin];
        int next = begin + 1 - wait;
        int last = begin + m - 1;
        for (int j = 0; j <= m + wait >> 1; j++) {
            LongVector now = LongVector.fromArray(SPECIES, matches, left)
                    .and(isLeft)
                    .or(LongVector.fromArray(SPECIES, matches, STRIDE * columns[last - j])
                            .and(isLeft.not()));
            left = STRIDE * columns[next + j];
            LongVector x = now.and(isFirst).or(before.and(isSecond)).or(nUp);
            before = now;
            pBefore = p;
            nBefore = n;
            LongVector d = x.and(p).add(p).lanewise(XOR, p).or(x.or(n));
            LongVector still = d.or(p).and(n.not());
            LongVector hn = d.and(p);
            LongVector stillShifted = still.lanewise(LSHL, 1).or(stillUp);
            LongVector hnShifted = hn.lanewise(LSHL, 1).or(nUp);
            stillUp = still.rearrange(FIRST_TO_SECOND).lanewise(LSHR, 63).and(carries);
            nUp = hn.rearrange(FIRST_TO_SECOND).lanewise(LSHR, 63).and(carries);
            p = hnShifted.or(stillShifted.and(d.not()));
            n = d.and(stillShifted.not());
        }
        // the first words are one column too far
        pBefore.and(isFirst).or(p.and(isSecond)).intoArray(vertical, 0);
        nBefore.and(isFirst).or(n.and(isSecond)).intoArray(vertical, SPECIES.length());
    }
}
