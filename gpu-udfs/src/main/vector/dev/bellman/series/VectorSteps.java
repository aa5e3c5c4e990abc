package dev.bellman.series;

import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LT;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/** Computes several cells at once. The last vector of a diagonal may have lanes beyond its end. */
final class VectorSteps implements DiagonalSteps {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    @Override
    public int padding() {
        return LANES;
    }

    @Override
    public int steps() {
        // each cell counts as several steps, because vector code is slow until it is compiled
        return 16;
    }

    @Override
    public void step(Wave wave, int first, int last, int shift) {
        switch (wave.rule) {
            case SQUARED -> squared(wave, first, last, shift);
            case ABSOLUTE -> absolute(wave, first, last, shift);
            case FRECHET -> frechet(wave, first, last, shift);
            case ERP -> erp(wave, first, last, shift);
            case EDR -> edr(wave, first, last, shift);
            case LCSS -> lcss(wave, first, last, shift);
            case SQUARED_FLOAT, ABSOLUTE_FLOAT ->
                throw new IllegalArgumentException("FLOAT cells require VectorFloatDiagonals, not this class");
        }
    }

    private static void squared(Wave wave, int first, int last, int shift) {
        double[] now = wave.now;
        double[] before = wave.before;
        double[] beforeThat = wave.beforeThat;
        for (int i = first; i <= last; i += LANES) {
            DoubleVector d = difference(wave.a, wave.b, i, i + shift);
            d.fma(d, min(at(beforeThat, i - 1), min(at(before, i - 1), at(before, i))))
                    .intoArray(now, i);
        }
        for (int k = 1; k < wave.dimensions; k++) {
            for (int i = first; i <= last; i += LANES) {
                DoubleVector d = difference(wave, k, i, shift);
                d.fma(d, at(now, i)).intoArray(now, i);
            }
        }
    }

    private static void absolute(Wave wave, int first, int last, int shift) {
        double[] now = wave.now;
        double[] before = wave.before;
        double[] beforeThat = wave.beforeThat;
        for (int i = first; i <= last; i += LANES) {
            min(at(beforeThat, i - 1), min(at(before, i - 1), at(before, i)))
                    .add(difference(wave.a, wave.b, i, i + shift).abs())
                    .intoArray(now, i);
        }
        for (int k = 1; k < wave.dimensions; k++) {
            for (int i = first; i <= last; i += LANES) {
                at(now, i).add(difference(wave, k, i, shift).abs()).intoArray(now, i);
            }
        }
    }

    private static void frechet(Wave wave, int first, int last, int shift) {
        double[] before = wave.before;
        double[] beforeThat = wave.beforeThat;
        for (int i = first; i <= last; i += LANES) {
            DoubleVector sum = DoubleVector.zero(SPECIES);
            for (int k = 0; k < wave.dimensions; k++) {
                DoubleVector d = difference(wave, k, i, shift);
                sum = d.fma(d, sum);
            }
            DoubleVector least = min(at(beforeThat, i - 1), min(at(before, i - 1), at(before, i)));
            least.blend(sum, sum.compare(GT, least)).intoArray(wave.now, i);
        }
    }

    private static void erp(Wave wave, int first, int last, int shift) {
        double[] before = wave.before;
        double[] beforeThat = wave.beforeThat;
        for (int i = first; i <= last; i += LANES) {
            DoubleVector sum = DoubleVector.zero(SPECIES);
            for (int k = 0; k < wave.dimensions; k++) {
                sum = sum.add(difference(wave, k, i, shift).abs());
            }
            DoubleVector above = at(before, i - 1).add(at(wave.aGaps, i));
            DoubleVector left = at(before, i).add(at(wave.bGaps, i + shift));
            min(min(at(beforeThat, i - 1).add(sum), above), left).intoArray(wave.now, i);
        }
    }

    private static void edr(Wave wave, int first, int last, int shift) {
        double[] before = wave.before;
        double[] beforeThat = wave.beforeThat;
        for (int i = first; i <= last; i += LANES) {
            DoubleVector both = at(beforeThat, i - 1);
            DoubleVector paired = both.blend(both.add(1), differs(wave, i, shift));
            min(paired, min(at(before, i - 1), at(before, i)).add(1)).intoArray(wave.now, i);
        }
    }

    private static void lcss(Wave wave, int first, int last, int shift) {
        double[] before = wave.before;
        double[] beforeThat = wave.beforeThat;
        for (int i = first; i <= last; i += LANES) {
            DoubleVector both = at(beforeThat, i - 1);
            DoubleVector paired = both.sub(1).blend(both, differs(wave, i, shift));
            min(paired, min(at(before, i - 1), at(before, i))).intoArray(wave.now, i);
        }
    }

    private static VectorMask<Double> differs(Wave wave, int i, int shift) {
        VectorMask<Double> differs =
                difference(wave.a, wave.b, i, i + shift).abs().compare(GT, wave.parameter);
        for (int k = 1; k < wave.dimensions; k++) {
            differs = differs.or(difference(wave, k, i, shift).abs().compare(GT, wave.parameter));
        }
        return differs;
    }

    private static DoubleVector difference(Wave wave, int k, int i, int shift) {
        return difference(wave.a, wave.b, k * wave.aStride + i, k * wave.bStride + i + shift);
    }

    private static DoubleVector difference(double[] a, double[] b, int ofA, int ofB) {
        return at(a, ofA).sub(at(b, ofB));
    }

    private static DoubleVector at(double[] values, int i) {
        return DoubleVector.fromArray(SPECIES, values, i);
    }

    /**
     * Returns the lane-wise minimum. {@code DoubleVector.min} would take longer, because it also handles NaN and zeros
     * of different signs.
     */
    private static DoubleVector min(DoubleVector x, DoubleVector y) {
        return y.blend(x, x.compare(LT, y));
    }
}
