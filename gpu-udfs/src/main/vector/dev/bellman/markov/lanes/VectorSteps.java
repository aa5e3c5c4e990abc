package dev.bellman.markov.lanes;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/** Computes steps with one vector for each entry, and without fused operations, which would round differently. */
final class VectorSteps implements LaneSteps {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    @Override
    public int lanes() {
        return LANES;
    }

    @Override
    public void multiply(double[] rows, int from, double[] matrix, double[] product) {
        int end = from + product.length;
        int states = product.length / LANES;
        int j = 0;
        for (; j + 4 <= states; j += 4) {
            DoubleVector a = DoubleVector.zero(SPECIES);
            DoubleVector b = a;
            DoubleVector c = a;
            DoubleVector d = a;
            for (int i = from, at = j; i < end; i += LANES, at += states) {
                DoubleVector x = at(rows, i);
                a = a.add(x.mul(matrix[at]));
                b = b.add(x.mul(matrix[at + 1]));
                c = c.add(x.mul(matrix[at + 2]));
                d = d.add(x.mul(matrix[at + 3]));
            }
            int to = j * LANES;
            a.intoArray(product, to);
            b.intoArray(product, to + LANES);
            c.intoArray(product, to + 2 * LANES);
            d.intoArray(product, to + 3 * LANES);
        }
        for (; j < states; j++) {
            DoubleVector a = DoubleVector.zero(SPECIES);
            for (int i = from, at = j; i < end; i += LANES, at += states) {
                a = a.add(at(rows, i).mul(matrix[at]));
            }
            a.intoArray(product, j * LANES);
        }
    }

    @Override
    public void scale(double[] row, double[] factors, double[] sum) {
        DoubleVector all = DoubleVector.zero(SPECIES);
        for (int i = 0; i < row.length; i += LANES) {
            DoubleVector product = at(row, i).mul(at(factors, i));
            product.intoArray(row, i);
            all = all.add(product);
        }
        all.intoArray(sum, 0);
    }

    @Override
    public void divide(double[] row, double[] sum, double[] to, int from) {
        DoubleVector divisor = at(sum, 0);
        for (int i = 0; i < row.length; i += LANES) {
            at(row, i).div(divisor).intoArray(to, from + i);
        }
    }

    @Override
    public void sum(double[] f, int from, double[] r, double[] both, double[] all) {
        DoubleVector ofBoth = DoubleVector.zero(SPECIES);
        DoubleVector ofAll = ofBoth;
        for (int i = 0; i < r.length; i += LANES) {
            DoubleVector x = at(r, i);
            ofBoth = ofBoth.add(at(f, from + i).mul(x));
            ofAll = ofAll.add(x);
        }
        ofBoth.intoArray(both, 0);
        ofAll.intoArray(all, 0);
    }

    @Override
    public void weigh(double[] f, int from, double[] both, double[] r, double[] w, double[] p) {
        DoubleVector divisor = at(both, 0);
        for (int i = 0; i < r.length; i += LANES) {
            DoubleVector weight = at(f, from + i).div(divisor);
            weight.intoArray(w, i);
            weight.mul(at(r, i)).intoArray(p, i);
        }
    }

    @Override
    public void addProducts(double[] w, double[] c, double[] counts) {
        int count = 0;
        for (int i = 0; i < w.length; i += LANES) {
            DoubleVector weight = at(w, i);
            for (int j = 0; j < c.length; j += LANES, count += LANES) {
                at(counts, count).add(weight.mul(at(c, j))).intoArray(counts, count);
            }
        }
    }

    @Override
    public void rescale(double[] factors, double[] r, double[] all, double[] c) {
        DoubleVector divisor = at(all, 0);
        for (int i = 0; i < r.length; i += LANES) {
            at(factors, i).mul(at(r, i).div(divisor)).intoArray(c, i);
        }
    }

    private static DoubleVector at(double[] values, int i) {
        return DoubleVector.fromArray(SPECIES, values, i);
    }
}
