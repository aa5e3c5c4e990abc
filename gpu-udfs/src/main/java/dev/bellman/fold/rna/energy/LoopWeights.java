package dev.bellman.fold.rna.energy;

import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.EnergyTables.Table;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The Boltzmann weights of loops, {@code exp(-G / kT)}. The model is that of {@link LoopEnergies}, with two differences
 * that make ensembles change smoothly with the temperature. Energies are not truncated to integers, and mismatches and
 * dangling bases are smooth near 0 instead of cut off at 0.
 */
public final class LoopWeights {
    /** The gas constant, in cal/(mol K). */
    static final double GAS = 1.98717;

    private static final double KELVIN = 273.15;
    private static final double MEASURED_AT = 37;
    /** The unit of energies, 0.01 kcal/mol, expressed in cal/mol. */
    private static final int CALORIES = 10;

    /**
     * The maximum factor in the sums of an ensemble. Its product with two normal weights ({@link WideRow}) is at most
     * 2^1012, so sums of such products remain finite.
     */
    private static final double LARGEST = 0x1p500;

    public final double[] mismatchInternal;
    public final double[] mismatchInternal1n;
    public final double[] mismatchInternal23;
    /** The weight of an unpaired base in a multiloop. */
    public final double unpaired;
    /** The weight of a multiloop, without its pairs and its unpaired bases. */
    public final double closing;
    /** The energy that a second strand adds, in hundredths of kcal/mol. */
    public final double strand;

    private final double kT;
    private final double scale;
    private final int dangles;
    private final double terminal;
    private final double branch;
    private final double[] asymmetries = new double[LoopEnergies.MAX_INTERNAL + 1];
    private final double[] stack;
    private final double[] mismatchHairpin;
    private final double[] mismatchMulti;
    private final double[] mismatchExterior;
    private final double[] dangle5;
    private final double[] dangle3;
    private final double[] int11;
    private final double[] int21;
    private final double[] int22;
    private final double[] hairpin;
    private final double[] bulge;
    private final double[] internal;
    /** For sizes beyond 30, the weight of a loop divided by the weight of a loop of size 30, indexed by size. */
    private final double[] longer = new double[LoopEnergies.MAX_LENGTH + 1];

    private final Map<Integer, Double> specials = new HashMap<>();
    private final boolean areInRange;

    /**
     * Computes the weights for the given energies.
     *
     * @param energies the energies at the temperature
     */
    public LoopWeights(EnergyTables tables, LoopEnergies energies) {
        dangles = energies.dangles;
        kT = energies.kelvin * GAS;
        scale = energies.kelvin / (MEASURED_AT + KELVIN);
        stack = weights(tables, Table.STACK);
        mismatchHairpin = weights(tables, Table.MISMATCH_HAIRPIN);
        mismatchInternal = weights(tables, Table.MISMATCH_INTERNAL);
        mismatchInternal1n = weights(tables, Table.MISMATCH_INTERNAL_1N);
        mismatchInternal23 = weights(tables, Table.MISMATCH_INTERNAL_23);
        mismatchMulti = smooth(tables, Table.MISMATCH_MULTI);
        mismatchExterior = smooth(tables, Table.MISMATCH_EXTERIOR);
        dangle5 = smooth(tables, Table.DANGLE5);
        dangle3 = smooth(tables, Table.DANGLE3);
        int11 = weights(tables, Table.INT11);
        int21 = weights(tables, Table.INT21);
        int22 = weights(tables, Table.INT22);
        hairpin = weights(tables, Table.HAIRPIN);
        bulge = weights(tables, Table.BULGE);
        internal = weights(tables, Table.INTERNAL);
        double[] multiloop = weights(tables, Table.MULTILOOP);
        closing = multiloop[0];
        branch = multiloop[1];
        unpaired = multiloop[2];
        terminal = weights(tables, Table.TERMINAL)[0];
        strand = energies(tables, Table.DUPLEX)[0];
        for (int size = EnergyTables.MAX_ENTRY + 1; size < longer.length; size++) {
            longer[size] = weight(tables.logarithm * scale * StrictMath.log(size / (double) EnergyTables.MAX_ENTRY));
        }
        double asymmetry = energies(tables, Table.ASYMMETRY)[0];
        for (int difference = 0; difference < asymmetries.length; difference++) {
            asymmetries[difference] = weight(Math.min(tables.mostAsymmetry, difference * asymmetry));
        }
        tables.specials.forEach((loop, special) -> {
            specials.put(LoopIndex.special(loop), weight(scaled(special.energy(), special.enthalpy())));
        });
        areInRange = haveNoLargeFactor();
    }

    /** Whether no factor in the sums of an ensemble exceeds {@value #LARGEST}, so that all sums are finite. */
    public boolean areInRange() {
        return areInRange;
    }

    private boolean haveNoLargeFactor() {
        double multi = Math.max(1, largest(mismatchMulti)) * Math.max(1, terminal) * Math.max(1, branch);
        double exterior = Math.max(1, terminal)
                * Math.max(1, Math.max(largest(mismatchExterior), Math.max(largest(dangle5), largest(dangle3))));
        double sized = Math.max(1, largest(asymmetries)) * Math.max(largest(internal), largest(bulge));
        return Stream.of(stack, int11, int21, int22, mismatchInternal, mismatchInternal1n, mismatchInternal23)
                        .allMatch(table -> largest(table) * Math.max(1, bulge[1]) <= LARGEST)
                && multi * Math.max(1, closing) <= LARGEST
                && largest(hairpin) * Math.max(largest(mismatchHairpin), Math.max(1, terminal)) <= LARGEST
                && Math.max(exterior, Math.max(sized, Math.max(largest(asymmetries), unpaired))) <= LARGEST;
    }

    private static double largest(double... weights) {
        return Arrays.stream(weights).max().orElseThrow();
    }

    public double weight(double energy) {
        return StrictMath.exp(logarithm(energy));
    }

    /** Returns the natural logarithm of the weight for an energy. */
    public double logarithm(double energy) {
        return -energy * CALORIES / kT;
    }

    /** Returns the energy, in hundredths of kcal/mol, of the weight with the given natural logarithm. */
    public double energy(double logarithm) {
        return -logarithm * kT / CALORIES;
    }

    private double scaled(int energy, int enthalpy) {
        return EnergyTables.scaled(energy, enthalpy, scale);
    }

    private double[] energies(EnergyTables tables, Table table) {
        int[] energies = tables.of(table, false);
        int[] enthalpies = tables.of(table, true);
        double[] scaled = new double[energies.length];
        Arrays.setAll(scaled, at -> scaled(energies[at], enthalpies[at]));
        return scaled;
    }

    private double[] weights(EnergyTables tables, Table table) {
        double[] weights = energies(tables, table);
        Arrays.setAll(weights, at -> weight(weights[at]));
        return weights;
    }

    private double[] smooth(EnergyTables tables, Table table) {
        double[] weights = energies(tables, table);
        Arrays.setAll(weights, at -> weight(smooth(weights[at])));
        return weights;
    }

    /**
     * Returns a smooth version of the smaller of an energy and 0, as ViennaRNA does. The result is 0 above 12.28 and
     * the energy itself below -8.66. In between, it lies on a curve with a continuous slope.
     */
    private static double smooth(double energy) {
        double x = -energy / CALORIES;
        if (x < -1.2283697) {
            return 0;
        }
        if (x > 0.8660254) {
            return energy;
        }
        double wave = StrictMath.sin(x - 0.34242663) + 1;
        return -CALORIES * 0.38490018 * wave * wave;
    }

    private static double mismatch(double[] table, int pair, int x, int y) {
        return table[LoopIndex.mismatch(pair, x, y)];
    }

    public double terminal(int pair) {
        return pair > 2 ? terminal : 1;
    }

    private double sized(double[] table, int size) {
        return size <= EnergyTables.MAX_ENTRY ? table[size] : table[EnergyTables.MAX_ENTRY] * longer[size];
    }

    /**
     * Returns the factor of an internal loop's or bulge's weight that depends only on the numbers of unpaired bases.
     */
    public double sized(int l, int r) {
        return l == 0 || r == 0 ? bulge[l + r] : internal[l + r] * asymmetries[Math.abs(l - r)];
    }

    /** Returns the factor of an internal loop's weight that depends on its number of unpaired bases. */
    public double internal(int size) {
        return internal[size];
    }

    /** Returns the factor of an internal loop's weight that depends on the difference between its two sides. */
    public double asymmetry(int difference) {
        return asymmetries[difference];
    }

    public double hairpin(byte[] bases, int i, int j) {
        int size = j - i - 1;
        int pair = Bases.pair(bases[i], bases[j]);
        if (LoopIndex.mayBeSpecial(size)) {
            Double special = specials.get(LoopIndex.special(bases, i, j));
            if (special != null) {
                return special;
            }
        }
        double end = size == 3 ? terminal(pair) : mismatch(mismatchHairpin, pair, bases[i + 1], bases[j - 1]);
        return sized(hairpin, size) * end;
    }

    /** Returns the weight of a stack, a bulge of one base, or an internal loop with at most two bases on each side. */
    public double small(byte[] bases, int i, int j, int p, int q) {
        int left = p - i - 1;
        int right = j - q - 1;
        int outer = Bases.pair(bases[i], bases[j]);
        int inner = Bases.pair(bases[q], bases[p]);
        int pairs = LoopIndex.pairs(outer, inner);
        if (left == 0 || right == 0) {
            return left + right == 0 ? stack[pairs] : bulge[1] * stack[pairs];
        }
        if (left == 1) {
            return right == 1
                    ? int11[LoopIndex.int11(pairs, bases, i, j)]
                    : int21[LoopIndex.int21(pairs, bases, i, j, q)];
        }
        return right == 1
                ? int21[LoopIndex.int12(LoopIndex.pairs(inner, outer), bases, i, p, q)]
                : int22[LoopIndex.int22(pairs, bases, i, j, p, q)];
    }

    public double branch(byte[] bases, int p, int q) {
        int pair = Bases.pair(bases[p], bases[q]);
        double mismatch = dangles == 0 ? 1 : mismatch(mismatchMulti, pair, bases[p - 1], bases[q + 1]);
        return branch * terminal(pair) * mismatch;
    }

    public double closing(byte[] bases, int i, int j) {
        int pair = Bases.pair(bases[j], bases[i]);
        double mismatch = dangles == 0 ? 1 : mismatch(mismatchMulti, pair, bases[j - 1], bases[i + 1]);
        return closing * branch * terminal(pair) * mismatch;
    }

    public double exterior(byte[] bases, int p, int q) {
        int pair = Bases.pair(bases[p], bases[q]);
        double dangling = 1;
        if (dangles != 0) {
            boolean before = p > 0;
            boolean behind = q + 1 < bases.length;
            if (before && behind) {
                dangling = mismatch(mismatchExterior, pair, bases[p - 1], bases[q + 1]);
            } else if (before) {
                dangling = dangle5[LoopIndex.dangle(pair, bases[p - 1])];
            } else if (behind) {
                dangling = dangle3[LoopIndex.dangle(pair, bases[q + 1])];
            }
        }
        return terminal(pair) * dangling;
    }

    /**
     * Returns the tables in a single array, in the order of {@link LoopEnergies#flat} without its last three numbers.
     */
    public double[] flat() {
        boolean dangle = dangles != 0;
        return Stream.of(
                        stack,
                        mismatchHairpin,
                        mismatchInternal,
                        mismatchInternal1n,
                        mismatchInternal23,
                        dangle ? mismatchMulti : ones(mismatchMulti.length),
                        dangle ? mismatchExterior : ones(mismatchExterior.length),
                        dangle ? dangle5 : ones(dangle5.length),
                        dangle ? dangle3 : ones(dangle3.length),
                        int11,
                        int21,
                        int22,
                        bulge,
                        internal,
                        asymmetries,
                        new double[] {closing, branch, unpaired, terminal})
                .flatMapToDouble(Arrays::stream)
                .toArray();
    }

    private static double[] ones(int length) {
        double[] ones = new double[length];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** Returns the weights of hairpins, indexed by size, for sizes below {@code behind}. */
    public double[] hairpins(int behind) {
        return IntStream.range(0, behind)
                .mapToDouble(size -> sized(hairpin, size))
                .toArray();
    }

    /** Returns the keys of the hairpins with special weights, as in {@link LoopEnergies#specials}. */
    public int[] specialKeys() {
        return specials.keySet().stream().mapToInt(key -> key).sorted().toArray();
    }

    /** Returns the weights of the special hairpins, in the order of their keys. */
    public double[] specialWeights() {
        return Arrays.stream(specialKeys()).mapToDouble(specials::get).toArray();
    }

    /** Returns the thermal energy, in cal/mol. */
    public double kT() {
        return kT;
    }
}
