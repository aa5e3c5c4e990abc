package dev.bellman.fold.rna;

import static dev.bellman.fold.rna.FoldTable.INFEASIBLE;
import static dev.bellman.fold.rna.energy.LoopEnergies.MAX_INTERNAL;
import static dev.bellman.fold.rna.energy.LoopEnergies.MIN_HAIRPIN;
import static dev.bellman.fold.rna.energy.LoopEnergies.NONE;

import dev.bellman.columns.Cancellation;
import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.util.Arrays;

/**
 * Fills a {@link CofoldTable} row by row, from the last base of a to the first:
 *
 * <pre>{@code
 * pair(i, j)    = min(open(i, j),
 *                     min over p, q of internal(i, j, p, q) + pair(p, q),
 *                     closing(i, j) + several(i + 1, j - 1))
 * multi(i, j)   = min(multi(i + 1, j) + unpaired, multi(i, j - 1) + unpaired, pair(i, j) + branch(i, j),
 *                     several(i, j))
 * several(i, j) = min(min over k of multiOfA(i, k) + multi(k + 1, j),
 *                     min over k of multi(i, k) + multiOfB(k + 1, j))
 * }</pre>
 *
 * <p>{@link #entries} computes these recurrences directly, entry by entry. {@link #rows} uses loops over whole rows,
 * like {@link RowFill}: {@link InternalLoops} finds most internal loops, and {@code several} considers only splits in
 * which the part with a single branch has the minimum energy of all foldings of its bases.
 */
final class CofoldFill {
    private final CofoldTable table;
    private final LoopEnergies energies;
    private final int n;
    private final int m;
    private final Cancellation cancellation = new Cancellation();

    private CofoldFill(CofoldTable table) {
        this.table = table;
        energies = table.energies;
        n = table.n;
        m = table.m;
    }

    static void entries(CofoldTable table) {
        CofoldFill fill = new CofoldFill(table);
        for (int i = table.n - 1; i >= 0; i--) {
            table.pair[i] = new int[table.m];
            table.multi[i] = new int[table.m];
            for (int j = 0; j < table.m; j++) {
                fill.entry(i, j);
            }
        }
    }

    private void entry(int i, int j) {
        cancellation.count(n + m + (table.canPair(i, j) ? MAX_INTERNAL * MAX_INTERNAL / 2 : 0));
        int pair = NONE;
        if (table.canPair(i, j)) {
            pair = Math.min(table.open(i, j), loop(i, j, false));
            int parts = several(i + 1, j - 1);
            if (parts < INFEASIBLE) {
                pair = Math.min(pair, parts + table.closing(i, j));
            }
        }
        table.pair[i][j] = pair;
        int multi = Math.min(table.multi(i + 1, j), table.multi(i, j - 1)) + energies.unpaired;
        if (pair < INFEASIBLE && table.isInside(i, j)) {
            multi = Math.min(multi, table.branchOfMulti(i, j));
        }
        multi = Math.min(multi, several(i, j));
        table.multi[i][j] = multi >= INFEASIBLE ? NONE : multi;
    }

    private int several(int i, int j) {
        int best = NONE;
        for (int k = i; k < n && j >= 0; k++) {
            best = Math.min(best, table.inA.multi(i, k) + table.multi(k + 1, j));
        }
        for (int k = 0; k < j && i < n; k++) {
            best = Math.min(best, table.multi(i, k) + table.inB.multi(k + 1, j));
        }
        return best;
    }

    /**
     * Returns the minimum energy of an internal loop that a pair closes, and of everything inside it.
     *
     * @param looked whether to try only the loops whose energies are in tables
     */
    private int loop(int i, int j, boolean looked) {
        int best = NONE;
        int most = looked ? 2 : MAX_INTERNAL;
        for (int l = 0; l <= most && i + 1 + l < n; l++) {
            for (int r = 0; r <= Math.min(most, MAX_INTERNAL - l) && j - 1 - r >= 0; r++) {
                if (!looked || InternalLoops.kind(l, r) < 0) {
                    best = Math.min(best, table.through(i, j, i + 1 + l, j - 1 - r));
                }
            }
        }
        return best;
    }

    static void rows(CofoldTable table) {
        CofoldFill fill = new CofoldFill(table);
        InternalLoops loops = new InternalLoops(table.energies, table.m);
        int[] several = new int[table.m];
        Arrays.fill(several, NONE);
        for (int i = table.n - 1; i >= 0; i--) {
            table.pair[i] = new int[table.m];
            table.multi[i] = new int[table.m];
            fill.pairs(i, loops, several);
            fill.multi(i, several);
        }
    }

    /** @param several the energies of multiloop parts that begin at the next base and have at least two branches */
    private void pairs(int i, InternalLoops loops, int... several) {
        cancellation.count((long) m * MAX_INTERNAL);
        byte[] a = table.a;
        byte[] b = table.b;
        int[] row = table.pair[i];
        Arrays.fill(row, NONE);
        loops.start(i);
        if (a[i] == Bases.N) {
            return;
        }
        loops.reset(m);
        for (int l = 0; l <= MAX_INTERNAL && i + 1 + l < n; l++) {
            loops.find(l, i + 1 + l, 0, 0, m);
        }
        for (int j = 0; j < m; j++) {
            if (!table.canPair(i, j)) {
                continue;
            }
            int least = table.open(i, j);
            if (i + 1 < n && j > 0) {
                int pair = Bases.pair(a[i], b[j]);
                least = Math.min(least, Math.min(loops.least(j, pair, a[i + 1], b[j - 1]), loop(i, j, true)));
                least = Math.min(least, several[j - 1] + table.closing(i, j));
            }
            row[j] = least;
            if (table.isInside(i, j)) {
                loops.keep(i, j, least, Bases.pair(b[j], a[i]), b[j + 1], a[i - 1]);
            }
        }
    }

    /** @param several as in {@link #pairs}; contains the energies for this row's base on return */
    private void multi(int i, int... several) {
        for (int j = 0; j < m; j++) {
            several[j] = several[j] >= INFEASIBLE ? NONE : several[j] + energies.unpaired;
        }
        for (int k = i + MIN_HAIRPIN + 1; k < n - 1 && i > 0; k++) {
            int branch = table.inA.pair(i, k);
            if (branch < INFEASIBLE) {
                branch += energies.branch(table.a, i, k);
                if (branch == table.inA.multi(i, k)) {
                    cancellation.count(m);
                    InternalLoops.lower(several, 0, table.multi[k + 1], 0, m, branch);
                }
            }
        }
        int[] multi = table.multi[i];
        int before = NONE;
        // when this iteration reaches j, the branches that end before j have already lowered several[j]
        for (int j = 0; j < m; j++) {
            int others = Math.min(Math.min(table.multi(i + 1, j), before) + energies.unpaired, several[j]);
            if (table.pair[i][j] < INFEASIBLE && table.isInside(i, j)) {
                int branch = table.branchOfMulti(i, j);
                if (branch < others) {
                    others = branch;
                    int length = m - j - 1;
                    cancellation.count(length);
                    InternalLoops.lower(several, j + 1, table.inB.multi[j + 1], 0, length, branch);
                }
            }
            multi[j] = others >= INFEASIBLE ? NONE : others;
            before = multi[j];
        }
    }
}
