package dev.bellman.fold.rna.energy;

import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.EnergyTables.Table;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The loop energies at a temperature, in hundredths of kcal/mol, computed from the tables as in ViennaRNA 2.8. An
 * energy is {@code H - (H - G) T / T37}, where {@code H} is the enthalpy and {@code G} is the energy at 37 degrees; it
 * is computed in DOUBLE and truncated to an integer.
 *
 * <p>A loop is closed by a pair {@code (i, j)}; the pairs inside it are its branches. A pair is seen from inside the
 * loop: a branch {@code (p, q)} counts as the pair {@code (q, p)}.
 *
 * <pre>{@code
 * hairpin    the size; a mismatch of the two bases inside the pair. Some sequences have a special energy;
 *            a loop of three bases has no mismatch, but a penalty for AU and GU
 * stack      a table over both pairs
 * bulge      the size; for one base, also the stack of both pairs; for more bases, a penalty for AU and GU
 * internal   tables for 1 x 1, 1 x 2 and 2 x 2 bases; otherwise the size, the asymmetry and a mismatch at each pair
 * multiloop  a constant, a cost for each branch and the closing pair, and a cost for each unpaired base
 * }</pre>
 *
 * <p>With dangles 2, branches of multiloops and of the exterior loop have a mismatch with their neighbours, whether or
 * not these are paired; positive mismatches count as 0. With dangles 0, branches have no mismatches.
 *
 * <p>With dangles 1, each unpaired base of a multiloop or of the exterior loop dangles on at most one of the branches
 * next to it. A branch has a mismatch if both of its neighbours dangle on it, the energy of a dangling base if one of
 * them does, and neither otherwise. The loop has the minimum energy of all ways in which its bases may dangle. A pair
 * that closes a multiloop is a branch of this loop. Dangles 3 also allows {@link CoaxialStacks}.
 */
public final class LoopEnergies {
    public static final int NONE = EnergyTables.NONE;

    /** Bit of a set of dangling bases: the base before the branch, which is on its 5' side. */
    public static final int BEFORE = 1;

    /** Bit of a set of dangling bases: the base after the branch, which is on its 3' side. */
    public static final int AFTER = 2;

    /** The number of sets of bases that may dangle on a branch. */
    public static final int DANGLING_SETS = 4;

    /** The minimum number of bases in a hairpin. */
    public static final int MIN_HAIRPIN = 3;

    /** The maximum number of unpaired bases in a bulge or an internal loop of a folding. */
    public static final int MAX_INTERNAL = 30;

    /** The maximum length of a sequence. */
    public static final int MAX_LENGTH = 32_767;

    /** The part of a circle's energy that does not depend on its length, in kT. */
    private static final double CIRCLE = 4.385;

    private static final double KELVIN = 273.15;
    private static final double MEASURED_AT = 37;

    public final int dangles;
    final double kelvin;
    final int[] stack;
    final int[] mismatchHairpin;
    public final int[] mismatchInternal;
    public final int[] mismatchInternal1n;
    public final int[] mismatchInternal23;
    final int[] int11;
    final int[] int21;
    final int[] int22;
    private final int[] bulge;
    private final int[] internal;
    public final int closing;
    final int branch;
    public final int unpaired;
    /** The energy that a second strand adds. */
    public final int strand;

    private final int terminal;
    private final int asymmetry;
    private final int mostAsymmetry;
    private final int[] mismatchMulti;
    private final int[] mismatchExterior;
    private final int[] dangle5;
    private final int[] dangle3;
    private final int[] hairpin;
    /** For sizes beyond 30, the energy to add to the energy for size 30, indexed by the loop's size. */
    private final int[] longer = new int[MAX_LENGTH + 1];
    /** Energies of special hairpins; the key encodes each base in three bits. */
    private final Map<Integer, Integer> specials = new HashMap<>();

    private final double scale;
    private final long magnitude;

    /**
     * Scales the tables.
     *
     * @param celsius the temperature
     * @param dangles 0, 1, 2 or 3
     */
    public LoopEnergies(EnergyTables tables, double celsius, int dangles) {
        this.dangles = dangles;
        kelvin = celsius + KELVIN;
        scale = kelvin / (MEASURED_AT + KELVIN);
        stack = scaled(tables, Table.STACK);
        mismatchHairpin = scaled(tables, Table.MISMATCH_HAIRPIN);
        mismatchInternal = scaled(tables, Table.MISMATCH_INTERNAL);
        mismatchInternal1n = scaled(tables, Table.MISMATCH_INTERNAL_1N);
        mismatchInternal23 = scaled(tables, Table.MISMATCH_INTERNAL_23);
        mismatchMulti = atMostZero(scaled(tables, Table.MISMATCH_MULTI));
        mismatchExterior = atMostZero(scaled(tables, Table.MISMATCH_EXTERIOR));
        dangle5 = atMostZero(scaled(tables, Table.DANGLE5));
        dangle3 = atMostZero(scaled(tables, Table.DANGLE3));
        int11 = scaled(tables, Table.INT11);
        int21 = scaled(tables, Table.INT21);
        int22 = scaled(tables, Table.INT22);
        hairpin = scaled(tables, Table.HAIRPIN);
        bulge = scaled(tables, Table.BULGE);
        internal = scaled(tables, Table.INTERNAL);
        int[] multiloop = scaled(tables, Table.MULTILOOP);
        closing = multiloop[0];
        branch = multiloop[1];
        unpaired = multiloop[2];
        terminal = scaled(tables, Table.TERMINAL)[0];
        strand = scaled(tables, Table.DUPLEX)[0];
        asymmetry = scaled(tables, Table.ASYMMETRY)[0];
        mostAsymmetry = tables.mostAsymmetry;
        for (int size = EnergyTables.MAX_ENTRY + 1; size < longer.length; size++) {
            longer[size] = (int) (tables.logarithm * scale * StrictMath.log(size / (double) EnergyTables.MAX_ENTRY));
        }
        tables.specials.forEach((loop, special) -> {
            specials.put(LoopIndex.special(loop), scaled(special.energy(), special.enthalpy()));
        });
        magnitude = largest();
    }

    private int scaled(int energy, int enthalpy) {
        return (int) EnergyTables.scaled(energy, enthalpy, scale);
    }

    private int[] scaled(EnergyTables tables, Table table) {
        int[] energies = tables.of(table, false);
        int[] enthalpies = tables.of(table, true);
        int[] scaled = new int[energies.length];
        Arrays.setAll(scaled, at -> scaled(energies[at], enthalpies[at]));
        return scaled;
    }

    private static int[] atMostZero(int... energies) {
        Arrays.setAll(energies, at -> Math.min(energies[at], 0));
        return energies;
    }

    /** Returns an upper bound on the magnitudes of all numbers in the model, except for entries that forbid a loop. */
    public long magnitude() {
        return magnitude;
    }

    private long largest() {
        IntStream all = IntStream.concat(
                Stream.of(
                                stack,
                                mismatchHairpin,
                                mismatchInternal,
                                mismatchInternal1n,
                                mismatchInternal23,
                                mismatchMulti,
                                mismatchExterior,
                                dangle5,
                                dangle3,
                                int11,
                                int21,
                                int22,
                                hairpin,
                                bulge,
                                internal)
                        .flatMapToInt(Arrays::stream),
                specials.values().stream().mapToInt(energy -> energy));
        long sums = Math.abs((long) closing) + Math.abs(branch) + Math.abs(unpaired) + longer[MAX_LENGTH];
        return IntStream.concat(all, IntStream.of(terminal, strand, mostAsymmetry, asymmetry(MAX_INTERNAL)))
                .filter(energy -> energy < EnergyTables.FORBIDDEN)
                .mapToLong(Math::abs)
                .reduce(sums, Math::max);
    }

    private static int mismatch(int[] table, int pair, int x, int y) {
        return table[LoopIndex.mismatch(pair, x, y)];
    }

    /** Returns the cost of a pair at the end of a helix. */
    public int terminal(int pair) {
        return pair > 2 ? terminal : 0;
    }

    private int asymmetry(int difference) {
        return Math.min(mostAsymmetry, difference * asymmetry);
    }

    /** Returns the part of an internal loop's or bulge's energy that depends only on the numbers of unpaired bases. */
    public int sized(int l, int r) {
        return l == 0 || r == 0 ? bulge[l + r] : internal[l + r] + asymmetry(Math.abs(l - r));
    }

    private int sized(int[] table, int size) {
        return size <= EnergyTables.MAX_ENTRY ? table[size] : table[EnergyTables.MAX_ENTRY] + longer[size];
    }

    /** Returns the energy of the hairpin that a pair closes. */
    public int hairpin(byte[] bases, int i, int j) {
        int size = j - i - 1;
        int pair = Bases.pair(bases[i], bases[j]);
        if (LoopIndex.mayBeSpecial(size)) {
            Integer special = specials.get(LoopIndex.special(bases, i, j));
            if (special != null) {
                return special;
            }
        }
        return sized(hairpin, size)
                + (size == 3 ? terminal(pair) : mismatch(mismatchHairpin, pair, bases[i + 1], bases[j - 1]));
    }

    /** Returns the energy of the stack, bulge or internal loop between two pairs. */
    public int internal(byte[] bases, int i, int j, int p, int q) {
        int left = p - i - 1;
        int right = j - q - 1;
        int outer = Bases.pair(bases[i], bases[j]);
        int inner = Bases.pair(bases[q], bases[p]);
        int pairs = LoopIndex.pairs(outer, inner);
        int less = Math.min(left, right);
        int more = Math.max(left, right);
        if (more == 0) {
            return stack[pairs];
        }
        if (less == 0) {
            return sized(bulge, more) + (more == 1 ? stack[pairs] : terminal(outer) + terminal(inner));
        }
        if (more <= 2) {
            return small(bases, i, j, p, q, outer, inner);
        }
        int[] mismatches =
                less == 1 ? mismatchInternal1n : less == 2 && more == 3 ? mismatchInternal23 : mismatchInternal;
        return sized(internal, left + right)
                + asymmetry(more - less)
                + mismatch(mismatches, outer, bases[i + 1], bases[j - 1])
                + mismatch(mismatches, inner, bases[q + 1], bases[p - 1]);
    }

    /** Returns the energy of an internal loop of 1 x 1, 1 x 2, 2 x 1 or 2 x 2 bases, which is in a table. */
    private int small(byte[] bases, int i, int j, int p, int q, int outer, int inner) {
        int pairs = LoopIndex.pairs(outer, inner);
        if (p - i == 2) {
            return j - q == 2
                    ? int11[LoopIndex.int11(pairs, bases, i, j)]
                    : int21[LoopIndex.int21(pairs, bases, i, j, q)];
        }
        return j - q == 2
                ? int21[LoopIndex.int12(LoopIndex.pairs(inner, outer), bases, i, p, q)]
                : int22[LoopIndex.int22(pairs, bases, i, j, p, q)];
    }

    /**
     * Returns the energy of a circle of unpaired bases, as ViennaRNA 2.8 defines it: the entropy that is lost if the
     * ends of a chain are joined (Jacobson and Stockmayer, 1950).
     */
    public int circle(int n) {
        double kT = kelvin * LoopWeights.GAS / 1000;
        return n == 0 ? 0 : (int) (100 * kT * (CIRCLE + 1.5 * StrictMath.log(n)) + 0.5);
    }

    /** Whether each base dangles on at most one branch. */
    public boolean areDanglesExclusive() {
        return dangles == 1 || dangles == 3;
    }

    /** Whether helices of multiloops may stack coaxially. */
    public boolean doHelicesStack() {
        return dangles == 3;
    }

    /** Returns the bases that dangle on each branch unless dangles are exclusive. */
    private int always() {
        return dangles == 0 ? 0 : BEFORE | AFTER;
    }

    /** Returns the energy of a branch of a multiloop. */
    public int branch(byte[] bases, int p, int q) {
        return branch(bases, p, q, always());
    }

    /**
     * Returns the energy of a branch of a multiloop.
     *
     * @param dangling the bases that dangle on the branch, as a set of {@link #BEFORE} and {@link #AFTER}
     */
    public int branch(byte[] bases, int p, int q, int dangling) {
        return branch + end(mismatchMulti, bases, p, q, dangling);
    }

    /** Returns the energy of closing a multiloop: the constant per multiloop plus the terms of its closing pair. */
    public int closing(byte[] bases, int i, int j) {
        return closing(bases, i, j, always());
    }

    /**
     * Returns the energy of closing a multiloop.
     *
     * @param dangling the bases that dangle on the closing pair: {@link #BEFORE} for j - 1, {@link #AFTER} for i + 1
     */
    public int closing(byte[] bases, int i, int j, int dangling) {
        return closing + branch + end(mismatchMulti, bases, j, i, dangling);
    }

    /** Returns the energy of a branch of the exterior loop. */
    public int exterior(byte[] bases, int p, int q) {
        return exterior(bases, 0, bases.length, p, q);
    }

    /**
     * Returns the energy of a branch of the exterior loop.
     *
     * @param dangling the bases that dangle on the branch, as a set of {@link #BEFORE} and {@link #AFTER}
     */
    public int exterior(byte[] bases, int p, int q, int dangling) {
        return end(mismatchExterior, bases, p, q, dangling);
    }

    /** Returns the energy of the end of a helix, with the bases that dangle on it. */
    private int end(int[] mismatches, byte[] bases, int p, int q, int dangling) {
        int pair = Bases.pair(bases[p], bases[q]);
        return terminal(pair)
                + switch (dangling) {
                    case 0 -> 0;
                    case BEFORE -> dangle5[LoopIndex.dangle(pair, bases[p - 1])];
                    case AFTER -> dangle3[LoopIndex.dangle(pair, bases[q + 1])];
                    default -> mismatch(mismatches, pair, bases[p - 1], bases[q + 1]);
                };
    }

    /**
     * Returns the energy of a branch of the exterior loop of the bases from {@code begin} (inclusive) to {@code end}
     * (exclusive).
     */
    public int exterior(byte[] bases, int begin, int end, int p, int q) {
        int neighbours = (p > begin ? BEFORE : 0) | (q + 1 < end ? AFTER : 0);
        return exterior(bases, p, q, always() & neighbours);
    }

    /**
     * Returns the tables, except those of hairpins by size and by sequence, in a single array, in the layout that the
     * kernels use ({@code fold/rna/loop_energies.cuh}).
     */
    public int[] flat() {
        boolean dangle = dangles != 0;
        int[] asymmetries =
                IntStream.rangeClosed(0, MAX_INTERNAL).map(this::asymmetry).toArray();
        return Stream.of(
                        stack,
                        mismatchHairpin,
                        mismatchInternal,
                        mismatchInternal1n,
                        mismatchInternal23,
                        dangle ? mismatchMulti : new int[mismatchMulti.length],
                        dangle ? mismatchExterior : new int[mismatchExterior.length],
                        dangle ? dangle5 : new int[dangle5.length],
                        dangle ? dangle3 : new int[dangle3.length],
                        int11,
                        int21,
                        int22,
                        bulge,
                        internal,
                        asymmetries,
                        new int[] {closing, branch, unpaired, terminal, strand, asymmetry, mostAsymmetry})
                .flatMapToInt(Arrays::stream)
                .toArray();
    }

    /** Returns the energies of hairpins, indexed by size, for sizes below {@code behind}. */
    public int[] hairpins(int behind) {
        return IntStream.range(0, behind).map(size -> sized(hairpin, size)).toArray();
    }

    /**
     * Returns the keys of the hairpins with special energies, in ascending order, with the 5' base in the highest bits,
     * followed by their energies.
     */
    public int[] specials() {
        int[] keys = specials.keySet().stream().mapToInt(key -> key).sorted().toArray();
        return IntStream.concat(Arrays.stream(keys), Arrays.stream(keys).map(specials::get))
                .toArray();
    }
}
