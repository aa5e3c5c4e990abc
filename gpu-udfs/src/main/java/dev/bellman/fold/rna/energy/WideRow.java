package dev.bellman.fold.rna.energy;

import java.util.Arrays;

/**
 * A row of weights whose range is unlimited. Each weight is a DOUBLE times a power of {@code 2^512}; the exponent of
 * this power is the weight's level. Powers of two are exact, so levels cause no rounding. A row whose weights all have
 * level 0 stores no levels, and loops over two such rows compile to vector instructions.
 *
 * <p>A normal value is 0 or lies between {@code 2^-256} and {@code 2^256}, so a product of two normal values, and even
 * a sum of such products, is well within the range of DOUBLE. Values are normalized before they are multiplied.
 */
public final class WideRow {
    /** The number of bits of one level. */
    public static final int BITS = 512;

    private static final double UP = 0x1p512;
    private static final double DOWN = 0x1p-512;
    private static final double LARGEST = 0x1p256;
    private static final double SMALLEST = 0x1p-256;

    /**
     * The minimum difference between the levels of two weights, even if they are not normal, at which the weight on the
     * lower level does not change their sum.
     */
    private static final int APART = 3;

    /** The number of terms that a single pass over the row adds to each weight. */
    public static final int FOUR = 4;

    /** The number of partial sums of products: the k-th product is added to the partial sum {@code k % LANES}. */
    private static final int LANES = 8;

    /** A single weight. */
    public static final class Wide {
        public double value;
        public int level;

        public void set(double value, int level) {
            this.value = value;
            this.level = level;
            normalize();
        }

        /** Adds a weight, which need not be normal. */
        public void add(double term, int ofTerm) {
            if (ofTerm == level) {
                value += term;
            } else if (term != 0) {
                int above = ofTerm - level;
                if (value == 0 || above >= APART) {
                    value = term;
                    level = ofTerm;
                } else if (above > 0) {
                    value = lowered(value, above) + term;
                    level = ofTerm;
                } else {
                    value += lowered(term, -above);
                }
            }
        }

        /** Adds the product of two numbers, rounded only once if the levels are equal. */
        public void addProduct(double x, double y, int ofProduct) {
            if (ofProduct == level) {
                value = Math.fma(x, y, value);
            } else {
                add(x * y, ofProduct);
            }
        }

        public void normalize() {
            if (value >= LARGEST || value < SMALLEST) {
                if (value == 0) {
                    level = 0;
                }
                while (value >= LARGEST && value < Double.POSITIVE_INFINITY) {
                    value *= DOWN;
                    level++;
                }
                while (value < SMALLEST && value > 0) {
                    value *= UP;
                    level--;
                }
            }
        }
    }

    /** The weights if all of them have level 0; otherwise, the DOUBLE factor of each weight. */
    private final double[] values;
    /** The levels; null while all levels are 0. */
    private short[] levels;

    public WideRow(int length) {
        values = new double[length];
    }

    private static double lowered(double value, int levels) {
        return levels >= APART ? 0 : levels == 2 ? value * DOWN * DOWN : value * DOWN;
    }

    /** Returns the rows of an upper triangular matrix of zeros; row i starts at the diagonal. */
    public static WideRow[] triangle(int n) {
        WideRow[] rows = new WideRow[n];
        Arrays.setAll(rows, i -> new WideRow(n - i));
        return rows;
    }

    public int length() {
        return values.length;
    }

    public double value(int at) {
        return values[at];
    }

    public int level(int at) {
        return levels == null ? 0 : levels[at];
    }

    public void clear() {
        Arrays.fill(values, 0);
        levels = null;
    }

    public void set(int at, Wide weight) {
        values[at] = weight.value;
        setLevel(at, weight.level);
    }

    private void setLevel(int at, int level) {
        if (levels == null && level != 0) {
            levels = new short[values.length];
        }
        if (levels != null) {
            levels[at] = (short) level;
        }
    }

    /** Adds a weight, which need not be normal; the sum is then not necessarily normal. */
    public void add(int at, double term, int ofTerm) {
        int level = level(at);
        if (ofTerm == level) {
            values[at] += term;
        } else if (term != 0) {
            int above = ofTerm - level;
            if (values[at] == 0 || above > 0) {
                values[at] = lowered(values[at], Math.max(above, 0)) + term;
                setLevel(at, ofTerm);
            } else {
                values[at] += lowered(term, -above);
            }
        }
    }

    /** Adds the product of two numbers, rounded only once if the levels are equal. */
    public void addProduct(int at, double x, double y, int ofProduct) {
        if (ofProduct == level(at)) {
            values[at] = Math.fma(x, y, values[at]);
        } else {
            add(at, x * y, ofProduct);
        }
    }

    /**
     * Multiplies the weights from {@code from} (inclusive) to {@code to} (exclusive) by a factor and normalizes them.
     */
    public void scale(int from, int to, double factor) {
        for (int at = from; at < to; at++) {
            values[at] *= factor;
        }
        normalize(from, to);
    }

    public void normalize(int from, int to) {
        Wide weight = null;
        for (int at = from; at < to; at++) {
            double value = values[at];
            if (value >= LARGEST || value < SMALLEST && value != 0) {
                weight = weight == null ? new Wide() : weight;
                weight.set(value, level(at));
                set(at, weight);
            }
        }
    }

    /** Adds the normal weights of another row, each multiplied by a normal weight. */
    public void add(int to, WideRow terms, int from, int length, double weight, int ofWeight) {
        if (levels == null && terms.levels == null && ofWeight == 0) {
            add(values, to, terms.values, from, length, weight);
            return;
        }
        for (int k = 0; k < length; k++) {
            addProduct(to + k, terms.values[from + k], weight, terms.level(from + k) + ofWeight);
        }
    }

    /**
     * Adds the normal weights of another row four times, in this order: the weights times the first factor, the weights
     * one column before times the second factor, and so on. The result is the same as that of four calls to
     * {@code add}, but a single loop computes it.
     */
    public void addBefore(int to, WideRow terms, int from, int length, double[] factors, int at) {
        if (levels != null || terms.levels != null) {
            for (int k = 0; k < FOUR; k++) {
                add(to, terms, from - k, length, factors[at + k], 0);
            }
            return;
        }
        addBefore(
                values, to, terms.values, from, length, factors[at], factors[at + 1], factors[at + 2], factors[at + 3]);
    }

    private static void addBefore(
            double[] sums, int to, double[] terms, int from, int length, double a, double b, double c, double d) {
        for (int k = 0; k < length; k++) {
            double sum = Math.fma(terms[from + k], a, sums[to + k]);
            sum = Math.fma(terms[from + k - 1], b, sum);
            sum = Math.fma(terms[from + k - 2], c, sum);
            sums[to + k] = Math.fma(terms[from + k - 3], d, sum);
        }
    }

    /**
     * Adds the weights of two rows, multiplied by a factor. The resulting weights, multiplied by another factor, are
     * then added to a third row.
     */
    public void grow(
            int at,
            WideRow one,
            int from,
            WideRow other,
            int otherFrom,
            int length,
            double factor,
            WideRow sums,
            int to,
            double weight) {
        if (levels == null && one.levels == null && other.levels == null && sums.levels == null) {
            grow(values, at, one.values, from, other.values, otherFrom, length, factor, sums.values, to, weight);
            return;
        }
        Wide both = new Wide();
        for (int k = 0; k < length; k++) {
            both.set(one.values[from + k], one.level(from + k));
            both.add(other.values[otherFrom + k], other.level(otherFrom + k));
            addProduct(at + k, both.value, factor, both.level);
            sums.addProduct(to + k, values[at + k], weight, level(at + k));
        }
    }

    private static void grow(
            double[] row,
            int at,
            double[] one,
            int from,
            double[] other,
            int otherFrom,
            int length,
            double factor,
            double[] sums,
            int to,
            double weight) {
        for (int k = 0; k < length; k++) {
            double grown = Math.fma(one[from + k] + other[otherFrom + k], factor, row[at + k]);
            row[at + k] = grown;
            sums[to + k] = Math.fma(grown, weight, sums[to + k]);
        }
    }

    private static void add(double[] sums, int to, double[] terms, int from, int length, double weight) {
        for (int k = 0; k < length; k++) {
            sums[to + k] = Math.fma(terms[from + k], weight, sums[to + k]);
        }
    }

    /** Returns the normalized element-wise sum of a range of two rows. */
    public static WideRow sum(WideRow one, WideRow other, int from, int length) {
        WideRow row = new WideRow(length);
        if (one.levels == null && other.levels == null) {
            for (int k = 0; k < length; k++) {
                row.values[k] = one.values[from + k] + other.values[from + k];
            }
            row.normalize(0, length);
            return row;
        }
        Wide sum = new Wide();
        for (int k = 0; k < length; k++) {
            sum.set(one.values[from + k], one.level(from + k));
            sum.add(other.values[from + k], other.level(from + k));
            sum.normalize();
            row.set(k, sum);
        }
        return row;
    }

    /**
     * Adds the products of two rows' normal weights to a sum. There are eight partial sums, each of which sums every
     * eighth product, so that a processor or a GPU can compute them in parallel. Then, the second half of the partial
     * sums is repeatedly added to the first half until only one sum is left.
     */
    public static void addProducts(Wide sum, WideRow one, int from, WideRow other) {
        if (one.levels == null && other.levels == null) {
            sum.add(sumOfProducts(one.values, from, other.values), 0);
            return;
        }
        Wide[] lanes = new Wide[LANES];
        Arrays.setAll(lanes, lane -> new Wide());
        for (int k = 0; k < other.values.length; k++) {
            lanes[k % LANES].addProduct(one.values[from + k], other.values[k], one.level(from + k) + other.level(k));
        }
        for (int half = LANES / 2; half > 0; half /= 2) {
            for (int lane = 0; lane < half; lane++) {
                lanes[lane].add(lanes[lane + half].value, lanes[lane + half].level);
            }
        }
        sum.add(lanes[0].value, lanes[0].level);
    }

    private static double sumOfProducts(double[] one, int from, double[] other) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        double e = 0;
        double f = 0;
        double g = 0;
        double h = 0;
        int full = other.length / LANES * LANES;
        for (int k = 0; k < full; k += LANES) {
            a = Math.fma(one[from + k], other[k], a);
            b = Math.fma(one[from + k + 1], other[k + 1], b);
            c = Math.fma(one[from + k + 2], other[k + 2], c);
            d = Math.fma(one[from + k + 3], other[k + 3], d);
            e = Math.fma(one[from + k + 4], other[k + 4], e);
            f = Math.fma(one[from + k + 5], other[k + 5], f);
            g = Math.fma(one[from + k + 6], other[k + 6], g);
            h = Math.fma(one[from + k + 7], other[k + 7], h);
        }
        double[] lanes = {a, b, c, d, e, f, g, h};
        for (int k = full; k < other.length; k++) {
            lanes[k - full] = Math.fma(one[from + k], other[k], lanes[k - full]);
        }
        return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
    }

    /** Returns the weights as DOUBLE values in this row's array; the row must not be used afterwards. */
    public double[] plain() {
        for (int at = 0; at < values.length && levels != null; at++) {
            values[at] = Math.scalb(values[at], levels[at] * BITS);
        }
        return values;
    }
}
