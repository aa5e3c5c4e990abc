package dev.bellman.fold.rna;

import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.LoopEnergies;
import dev.bellman.proof.Values;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Defines {@link RnaDuplex}: tries each last pair and each pair before it, in the order of preference, and returns the
 * first alternative that has the minimum energy.
 */
final class DuplexTextbook {
    /** A helix up to its last pair: its first pair, and the brackets of both strands between these two pairs. */
    private record Helix(int energy, int firstI, int firstJ, String ofA, String ofB) {}

    private final byte[] a;
    private final byte[] b;
    private final byte[] ab;
    private final byte[] ba;
    private final LoopEnergies energies;
    private final Map<Long, Helix> known = new HashMap<>();

    private DuplexTextbook(byte[] a, byte[] b, LoopEnergies energies) {
        this.a = a;
        this.b = b;
        this.energies = energies;
        ab = joined(a, b);
        ba = joined(b, a);
    }

    private static byte[] joined(byte[] one, byte... other) {
        byte[] joined = new byte[one.length + other.length];
        System.arraycopy(one, 0, joined, 0, one.length);
        System.arraycopy(other, 0, joined, one.length, other.length);
        return joined;
    }

    static Object solve(InternalRow arguments) {
        String options = arguments.getUTF8String(2).toString();
        return new DuplexTextbook(
                        RnaTextbook.bases(arguments.getUTF8String(0)),
                        RnaTextbook.bases(arguments.getUTF8String(1)),
                        FoldOptions.ofStrands("rna_duplex", options).energies())
                .best();
    }

    private Object best() {
        Helix best = null;
        int least = 0;
        int lastI = 0;
        int lastJ = 0;
        for (int i = 0; i < a.length; i++) {
            for (int j = b.length - 1; j >= 0; j--) {
                Helix helix = upTo(i, j);
                if (helix != null) {
                    int energy = helix.energy + energies.exterior(ba, j, b.length + i);
                    if (best == null || energy < least) {
                        best = helix;
                        least = energy;
                        lastI = i;
                        lastJ = j;
                    }
                }
            }
        }
        if (best == null) {
            return Values.row(null, UTF8String.fromString("&"), 0, 0, 0, 0);
        }
        String ofA = (best.firstI > 0 ? "." : "") + best.ofA + (lastI + 1 < a.length ? "." : "");
        String ofB = (lastJ > 0 ? "." : "") + best.ofB + (best.firstJ + 1 < b.length ? "." : "");
        int beginA = Math.max(0, best.firstI - 1);
        int beginB = Math.max(0, lastJ - 1);
        return Values.row(
                least / 100.0,
                UTF8String.fromString(ofA + "&" + ofB),
                beginA,
                beginA + ofA.length(),
                beginB,
                beginB + ofB.length());
    }

    private Helix upTo(int i, int j) {
        if (Bases.pair(a[i], b[j]) == 0) {
            return null;
        }
        long key = (long) i * b.length + j;
        if (!known.containsKey(key)) {
            known.put(key, solve(i, j));
        }
        return known.get(key);
    }

    private Helix solve(int i, int j) {
        Helix best = null;
        for (int k = i - 1; k >= 0; k--) {
            for (int l = j + 1; l < b.length && i - k - 1 + l - j - 1 <= 30; l++) {
                Helix before = upTo(k, l);
                if (before != null) {
                    int energy = before.energy + energies.internal(ab, k, a.length + l, i, a.length + j);
                    if (best == null || energy < best.energy) {
                        best = new Helix(
                                energy,
                                before.firstI,
                                before.firstJ,
                                before.ofA + ".".repeat(i - k - 1) + "(",
                                ")" + ".".repeat(l - j - 1) + before.ofB);
                    }
                }
            }
        }
        int alone = energies.strand + energies.exterior(ab, i, a.length + j);
        return best == null || alone < best.energy ? new Helix(alone, i, j, "(", ")") : best;
    }
}
