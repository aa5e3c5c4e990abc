package dev.bellman.fold;

import dev.bellman.proof.Values;
import java.util.Locale;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Defines {@link BasePairs}: leaves the first base unpaired, or tries every partner of this base, combined with the
 * structures inside and after the pair.
 */
final class BasePairsTextbook {
    private record Folding(int pairs, String structure) {}

    private final String letters;
    private final int minLoop;
    private final Folding[][] foldings;

    private BasePairsTextbook(String letters, int minLoop) {
        this.letters = letters;
        this.minLoop = minLoop;
        foldings = new Folding[letters.length() + 1][letters.length() + 1];
    }

    static Object count(InternalRow arguments) {
        return best(arguments).pairs;
    }

    static Object structure(InternalRow arguments) {
        return UTF8String.fromString(best(arguments).structure);
    }

    private static Folding best(InternalRow arguments) {
        String letters = arguments.getUTF8String(0).toString().toUpperCase(Locale.ROOT);
        int minLoop = arguments.getInt(1);
        if (!letters.matches("[ACGUTN]*") || minLoop < 0) {
            throw Values.invalid();
        }
        return new BasePairsTextbook(letters.replace('T', 'U'), minLoop).best(0, letters.length());
    }

    private Folding best(int from, int to) {
        if (from >= to) {
            return new Folding(0, "");
        }
        if (foldings[from][to] == null) {
            Folding rest = best(from + 1, to);
            Folding best = new Folding(rest.pairs, "." + rest.structure);
            for (int partner = from + 1; partner < to; partner++) {
                String pair = "" + letters.charAt(from) + letters.charAt(partner);
                if (partner - from - 1 >= minLoop && pair.matches("CG|GC|AU|UA|GU|UG")) {
                    Folding inside = best(from + 1, partner);
                    Folding behind = best(partner + 1, to);
                    if (1 + inside.pairs + behind.pairs > best.pairs) {
                        best = new Folding(
                                1 + inside.pairs + behind.pairs, "(" + inside.structure + ")" + behind.structure);
                    }
                }
            }
            foldings[from][to] = best;
        }
        return foldings[from][to];
    }
}
