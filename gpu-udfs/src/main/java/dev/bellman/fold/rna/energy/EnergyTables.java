package dev.bellman.fold.rna.energy;

import dev.bellman.fold.Bases;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The energies and enthalpies of loops at 37 degrees, in hundredths of kcal/mol. A table is an array indexed by the
 * pairs and the bases of a loop, in which the last index varies fastest; pairs and bases are numbered as in {@link
 * Bases}. The entry for the unknown base is the maximum of the four bases' entries, unless the data source specifies a
 * different value.
 */
public final class EnergyTables {
    /** The entry for a loop size that does not exist. */
    public static final int NONE = 1 << 29;

    /**
     * An entry that forbids a loop. It exceeds the energy of any folding, but sums of several such entries stay below
     * {@link #NONE}.
     */
    public static final int FORBIDDEN = NONE / 16;

    /** The number of distinct pair numbers, including 0 for bases that do not pair. */
    public static final int PAIRS = Bases.PAIRS.length;

    /** The largest loop size with an entry; energies of larger loops grow with the logarithm of the size. */
    static final int MAX_ENTRY = 30;

    /**
     * The tables, each with the number of pairs and the number of bases that index it; both numbers are 0 for tables
     * that are indexed differently.
     */
    public enum Table {
        /** Indexed by the closing pair and the next pair, both seen from inside the loop. */
        STACK(2, 0),
        /**
         * Indexed by the closing pair, the base after its 5' base and the base before its 3' base, as are the next
         * three tables.
         */
        MISMATCH_HAIRPIN(1, 2),
        MISMATCH_INTERNAL(1, 2),
        /** Mismatches of internal loops with one unpaired base on one side. */
        MISMATCH_INTERNAL_1N(1, 2),
        /** Mismatches of internal loops with two unpaired bases on one side and three on the other. */
        MISMATCH_INTERNAL_23(1, 2),
        /**
         * Indexed by a branch's pair, the base before its 5' base and the base after its 3' base, as is the next table.
         */
        MISMATCH_MULTI(1, 2),
        MISMATCH_EXTERIOR(1, 2),
        /** Used if only the base before a pair's 5' base dangles on the pair. Indexed by the pair and this base. */
        DANGLE5(1, 1),
        DANGLE3(1, 1),
        /**
         * Internal loops with one unpaired base on each side. Indexed by both pairs as seen from inside, the base on
         * the 5' side and the base on the 3' side.
         */
        INT11(2, 2),
        /**
         * Internal loops with one unpaired base on the 5' side and two on the 3' side. Indexed by both pairs, the base
         * on the 5' side, and the bases on the 3' side: first their 5' base, then their 3' base.
         */
        INT21(2, 3),
        /**
         * Internal loops with two unpaired bases on each side. Indexed by both pairs and the bases in the order of the
         * sequence.
         */
        INT22(2, 4),
        HAIRPIN(0, 0),
        BULGE(0, 0),
        INTERNAL(0, 0),
        /** The costs of a multiloop, of each of its branches and of each of its unpaired bases. */
        MULTILOOP(0, 0),
        /** The cost of an AU or GU pair at the end of a helix. */
        TERMINAL(0, 0),
        /** The cost of a second strand. */
        DUPLEX(0, 0),
        /** The cost of an internal loop's asymmetry, for each base by which one side is longer than the other. */
        ASYMMETRY(0, 0);

        public final int pairs;
        public final int bases;

        Table(int pairs, int bases) {
            this.pairs = pairs;
            this.bases = bases;
        }

        int size() {
            return switch (this) {
                case HAIRPIN, BULGE, INTERNAL -> MAX_ENTRY + 1;
                case MULTILOOP -> 3;
                case TERMINAL, DUPLEX, ASYMMETRY -> 1;
                default -> power(PAIRS, pairs) * power(Bases.COUNT, bases);
            };
        }
    }

    /** The energy and the enthalpy of a hairpin loop with a specific sequence. */
    public record Special(int energy, int enthalpy) {}

    private final Map<Table, int[]> energies = new EnumMap<>(Table.class);
    private final Map<Table, int[]> enthalpies = new EnumMap<>(Table.class);

    /** The special hairpins, indexed by sequence, including the closing pair. */
    public final Map<String, Special> specials = new TreeMap<>();

    /** The maximum cost of an internal loop's asymmetry. */
    public int mostAsymmetry;

    /**
     * For sizes beyond {@link #MAX_ENTRY}, energies grow by this factor times the logarithm of
     * {@code size / MAX_ENTRY}.
     */
    public double logarithm;

    EnergyTables() {
        for (Table table : Table.values()) {
            energies.put(table, new int[table.size()]);
            enthalpies.put(table, new int[table.size()]);
        }
    }

    public EnergyTables(EnergyTables other) {
        for (Table table : Table.values()) {
            energies.put(table, other.energies.get(table).clone());
            enthalpies.put(table, other.enthalpies.get(table).clone());
        }
        specials.putAll(other.specials);
        mostAsymmetry = other.mostAsymmetry;
        logarithm = other.logarithm;
    }

    public int[] of(Table table, boolean enthalpy) {
        return (enthalpy ? enthalpies : energies).get(table);
    }

    /**
     * Returns an energy at a different temperature. A loop that is forbidden at the table's temperature, or has no
     * enthalpy, is forbidden at every other temperature.
     *
     * @param scale the temperature divided by the table's temperature, both in kelvins
     */
    static double scaled(int energy, int enthalpy, double scale) {
        if (energy >= FORBIDDEN || scale == 1) {
            return energy;
        }
        return enthalpy >= FORBIDDEN ? enthalpy : enthalpy - (enthalpy - energy) * scale;
    }

    /** Sets the entries for unknown bases. */
    void deriveUnknown(Table table, boolean enthalpy) {
        int[] entries = of(table, enthalpy);
        int stride = 1;
        for (int base = table.bases - 1; base >= 0; base--) {
            for (int at = 0; at < entries.length; at++) {
                if (at / stride % Bases.COUNT == Bases.N) {
                    entries[at] = entries[at + stride];
                    for (int other = 2; other < Bases.COUNT; other++) {
                        entries[at] = Math.max(entries[at], entries[at + other * stride]);
                    }
                }
            }
            stride *= Bases.COUNT;
        }
    }

    private static int power(int base, int exponent) {
        int power = 1;
        for (int i = 0; i < exponent; i++) {
            power *= base;
        }
        return power;
    }
}
