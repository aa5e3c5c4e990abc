package dev.bellman.fold;

import dev.bellman.entry.Values;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * RNAs that are hard to fold right: helices with mismatches and bulges, multiloops, long loops, repeats with many equal structures, one letter
 * only, unknown bases.
 */
public final class RnaInstances {
    private static final String LETTERS = "ACGU";

    private RnaInstances() {}

    static InternalRow sequence(SplittableRandom random, int size) {
        return Values.row(Values.sometimesNull(random, sequenceOrWrong(random, size)));
    }

    static InternalRow sequenceAndMinLoop(SplittableRandom random, int size) {
        return Values.row(
                Values.sometimesNull(random, sequenceOrWrong(random, size)),
                Values.sometimesNull(
                        random, Values.oneOf(random, 0, 1, 3, 3, 4, random.nextInt(60) - 2, Integer.MAX_VALUE)));
    }

    /** A sequence; rarely one with a letter that is no base. */
    public static UTF8String sequenceOrWrong(SplittableRandom random, int size) {
        StringBuilder sequence = new StringBuilder(bases(random, size));
        if (!sequence.isEmpty() && random.nextInt(50) == 0) {
            sequence.setCharAt(random.nextInt(sequence.length()), Values.oneOf(random, '-', 'R', ' ', '\0', 'é'));
        }
        return UTF8String.fromString(sequence.toString());
    }

    /** The bases of an RNA. */
    public static String bases(SplittableRandom random, int most) {
        int n = Values.size(random, most);
        StringBuilder sequence =
                switch (random.nextInt(8)) {
                    case 0 -> letters(random, n, "G");
                    case 1 -> letters(random, n, Values.oneOf(random, "GC", "GU", "AU", "GGGC", "A", "GCU"));
                    case 2 -> repeat(letters(random, 1 + random.nextInt(12), LETTERS), n);
                    case 3, 4 -> helices(random, n);
                    case 5 -> letters(random, n, "GCGCAU");
                    default -> letters(random, n, LETTERS);
                };
        spoil(random, sequence);
        return sequence.toString();
    }

    private static StringBuilder letters(SplittableRandom random, int n, String among) {
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < n; i++) {
            letters.append(among.charAt(random.nextInt(among.length())));
        }
        return letters;
    }

    private static StringBuilder repeat(StringBuilder period, int n) {
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < n; i++) {
            letters.append(period.charAt(i % period.length()));
        }
        return letters;
    }

    /** Helices beside and within each other, so that multiloops, bulges and long internal loops are among the best structures. */
    private static StringBuilder helices(SplittableRandom random, int n) {
        StringBuilder sequence = new StringBuilder();
        helices(random, n, sequence);
        return sequence;
    }

    private static void helices(SplittableRandom random, int n, StringBuilder sequence) {
        int left = n;
        while (left > 0) {
            int loop = random.nextInt(4) == 0 ? random.nextInt(16) : random.nextInt(4);
            int stem = 2 + random.nextInt(6);
            if (left < 2 * stem + 4 || random.nextInt(5) == 0) {
                int unpaired = Math.min(left, 1 + loop);
                sequence.append(letters(random, unpaired, LETTERS));
                left -= unpaired;
                continue;
            }
            int inside = 3 + random.nextInt(left - 2 * stem - 2);
            StringBuilder strand = letters(random, stem, LETTERS);
            sequence.append(strand);
            helices(random, inside, sequence);
            for (int i = stem - 1; i >= 0; i--) {
                sequence.append(partner(random, strand.charAt(i)));
            }
            left -= 2 * stem + inside;
        }
    }

    private static char partner(SplittableRandom random, char base) {
        boolean wobble = random.nextInt(6) == 0;
        return switch (base) {
            case 'A' -> 'U';
            case 'C' -> 'G';
            case 'G' -> wobble ? 'U' : 'C';
            default -> wobble ? 'G' : 'A';
        };
    }

    /** Sometimes writes T for U, small letters, or N. */
    private static void spoil(SplittableRandom random, StringBuilder sequence) {
        int kind = random.nextInt(12);
        for (int i = 0; i < sequence.length() && kind < 3; i++) {
            char base = sequence.charAt(i);
            if (kind == 0 && base == 'U') {
                sequence.setCharAt(i, 'T');
            } else if (kind == 1 && random.nextBoolean()) {
                sequence.setCharAt(i, Character.toLowerCase(base));
            } else if (kind == 2 && random.nextInt(10) == 0) {
                sequence.setCharAt(i, 'N');
            }
        }
    }
}
