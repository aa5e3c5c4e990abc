package dev.bellman.fold;

import dev.bellman.proof.Values;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Generates RNAs that are hard to fold correctly: helices with bulges and internal loops, multiloops, repeats with many
 * equivalent structures, a single letter, or unknown bases.
 */
public final class RnaInstances {
    private static final String LETTERS = "ACGU";

    /** The minimum distance between the two bases of a pair. */
    private static final int MIN_PAIR = 4;

    private RnaInstances() {}

    static InternalRow sequenceAndMinLoop(SplittableRandom random, int size) {
        return Values.row(
                Values.sometimesNull(random, sequenceOrWrong(random, size)),
                Values.sometimesNull(
                        random, Values.oneOf(random, 0, 1, 3, 3, 4, random.nextInt(60) - 2, Integer.MAX_VALUE)));
    }

    /** Draws a sequence and folding options. */
    public static InternalRow sequenceAndOptions(SplittableRandom random, int size) {
        return Values.row(
                Values.sometimesNull(random, sequenceOrWrong(random, size)),
                Values.sometimesNull(random, options(random)));
    }

    /** Draws a sequence and folding options, sometimes with a constraint, which is rarely invalid. */
    public static InternalRow sequenceAndConstraint(SplittableRandom random, int size) {
        if (random.nextBoolean()) {
            return sequenceAndOptions(random, size);
        }
        String sequence = sequenceOrWrong(random, size).toString();
        StringBuilder constraint = new StringBuilder(".".repeat(sequence.length()));
        addPairs(random, sequence.toUpperCase(Locale.ROOT).replace('T', 'U'), constraint, 0, sequence.length());
        int share = 1 + random.nextInt(6);
        for (int i = 0; i < constraint.length(); i++) {
            if (constraint.charAt(i) == '.' && random.nextInt(30) < share) {
                constraint.setCharAt(i, Values.oneOf(random, 'x', '|', '<', '>'));
            }
        }
        if (!constraint.isEmpty() && random.nextInt(30) == 0) {
            constraint.setCharAt(random.nextInt(constraint.length()), Values.oneOf(random, '(', ')', '-', 'x'));
        }
        String options = Values.oneOf(
                random,
                "constraint %s",
                "enforce constraint %s",
                "dangles 0 constraint %s no_lp",
                "no_lp enforce constraint %s");
        return Values.row(
                Values.sometimesNull(random, UTF8String.fromString(sequence)),
                UTF8String.fromString(options.formatted(constraint)));
    }

    /** Does the same as {@link #sequenceAndConstraint}, but some sequences are circular. */
    public static InternalRow sequenceAndShape(SplittableRandom random, int size) {
        InternalRow drawn = sequenceAndConstraint(random, size);
        return drawn.isNullAt(1) || random.nextInt(3) > 0
                ? drawn
                : Values.row(drawn.getUTF8String(0), UTF8String.fromString("circular " + drawn.getUTF8String(1)));
    }

    /**
     * Does the same as {@link #sequenceAndShape}, but the options for some linear sequences include {@code dangles 1}
     * or {@code dangles 3}.
     */
    public static InternalRow sequenceAndModel(SplittableRandom random, int size) {
        InternalRow drawn = sequenceAndShape(random, size);
        boolean isLinear =
                !drawn.isNullAt(1) && !drawn.getUTF8String(1).toString().contains("circular");
        return isLinear && random.nextInt(3) == 0
                ? Values.row(drawn.getUTF8String(0), exclusive(random, drawn.getUTF8String(1)))
                : drawn;
    }

    /** Draws two strands, parts of which often pair with each other, and folding options. */
    public static InternalRow strands(SplittableRandom random, int size) {
        return strandsWith(random, size, optionsOfStrands(random).toString());
    }

    /** Draws two strands, each of at most half the size, and folding options. */
    public static InternalRow shortStrands(SplittableRandom random, int size) {
        return strands(random, size / 2);
    }

    public static InternalRow strandsWith(SplittableRandom random, int size, String options) {
        UTF8String a = sequenceOrWrong(random, size);
        UTF8String b = sequenceOrWrong(random, size);
        if (random.nextBoolean() && a.numChars() > 0) {
            StringBuilder turned = new StringBuilder(a.toString().toUpperCase(Locale.ROOT)).reverse();
            for (int i = 0; i < turned.length(); i++) {
                turned.setCharAt(i, partner(random, turned.charAt(i)));
            }
            int from = random.nextInt(turned.length());
            int to = from + random.nextInt(turned.length() - from);
            int gap = random.nextInt(Math.min(35, to - from + 1));
            turned.replace(from, to, bases(random, gap));
            b = UTF8String.fromString(turned.toString());
        }
        Object first = Values.sometimesNull(random, a);
        Object second = Values.sometimesNull(random, b);
        return Values.row(first, second, Values.sometimesNull(random, UTF8String.fromString(options)));
    }

    /** Draws a sequence, a window size and a step, which are rarely invalid, and folding options. */
    public static InternalRow windows(SplittableRandom random, int size) {
        Object sequence = Values.sometimesNull(random, sequenceOrWrong(random, size));
        Object window = Values.sometimesNull(
                random, random.nextInt(60) == 0 ? 0 : 1 + random.nextInt(random.nextBoolean() ? 12 : size + 2));
        Object step = Values.sometimesNull(
                random, random.nextInt(60) == 0 ? -1 : 1 + random.nextInt(random.nextBoolean() ? 3 : size + 2));
        return Values.row(sequence, window, step, Values.sometimesNull(random, moreOptions(random)));
    }

    /**
     * Draws a sequence and one of its structures or, occasionally, an invalid structure. The given options are
     * appended.
     */
    public static InternalRow structure(SplittableRandom random, int size, String options) {
        String sequence = sequenceOrWrong(random, size).toString();
        StringBuilder structure = new StringBuilder(".".repeat(sequence.length()));
        addPairs(random, sequence.toUpperCase(Locale.ROOT).replace('T', 'U'), structure, 0, sequence.length());
        if (!structure.isEmpty() && random.nextInt(30) == 0) {
            structure.setCharAt(random.nextInt(structure.length()), Values.oneOf(random, '(', ')', '[', 'x', '.'));
        } else if (random.nextInt(100) == 0) {
            structure.append('.');
        }
        return Values.row(
                Values.sometimesNull(random, UTF8String.fromString(sequence)),
                Values.sometimesNull(random, UTF8String.fromString(structure.toString())),
                Values.sometimesNull(random, UTF8String.fromString(options)));
    }

    /** Draws a sequence, a structure and options. */
    public static InternalRow structureAndOptions(SplittableRandom random, int size) {
        return structure(random, size, moreOptions(random).toString());
    }

    /** Draws options, sometimes with {@code dangles 1} or {@code dangles 3}. */
    private static UTF8String moreOptions(SplittableRandom random) {
        UTF8String options = options(random);
        return random.nextInt(4) > 0 ? options : exclusive(random, options);
    }

    private static UTF8String exclusive(SplittableRandom random, UTF8String options) {
        return UTF8String.fromString(Values.oneOf(random, "dangles 1 ", "dangles 3 ") + options);
    }

    /** Draws a sequence, a minimum probability, which is rarely invalid, and folding options. */
    public static InternalRow sequenceAndProbability(SplittableRandom random, int size) {
        return numbered(random, size, random.nextInt(60) == 0 ? 1.5 : Values.oneOf(random, 0.0, 0.01, 0.5, 1.0));
    }

    /** Draws a sequence, the weight of pairs, which is rarely invalid, and folding options. */
    public static InternalRow sequenceAndGamma(SplittableRandom random, int size) {
        return numbered(random, size, random.nextInt(60) == 0 ? -1.0 : Values.oneOf(random, 0.0, 0.3, 1.0, 40.0));
    }

    private static InternalRow numbered(SplittableRandom random, int size, double number) {
        InternalRow drawn = sequenceAndShape(random, size);
        return Values.row(drawn.getUTF8String(0), Values.sometimesNull(random, number), drawn.getUTF8String(1));
    }

    private static UTF8String optionsOfStrands(SplittableRandom random) {
        return random.nextInt(20) == 0
                ? options(random)
                : UTF8String.fromString(Values.oneOf(random, "", "dangles 0", "temperature 25", "temperature 61.5"));
    }

    private static UTF8String options(SplittableRandom random) {
        return UTF8String.fromString(Values.oneOf(
                random,
                "",
                "dangles 0",
                "no_lp",
                "temperature 25",
                "no_lp temperature 61.5 dangles 0",
                random.nextInt(10) == 0 ? "dangles 4" : "dangles 2"));
    }

    private static void addPairs(SplittableRandom random, String sequence, StringBuilder structure, int from, int to) {
        int i = from;
        while (i < to - MIN_PAIR) {
            int j = i + MIN_PAIR + random.nextInt(to - i - MIN_PAIR);
            String pair = "" + sequence.charAt(i) + sequence.charAt(j);
            if (random.nextInt(3) > 0 && pair.matches("CG|GC|AU|UA|GU|UG")) {
                structure.setCharAt(i, '(');
                structure.setCharAt(j, ')');
                addPairs(random, sequence, structure, i + 1, j);
                i = j;
            }
            i++;
        }
    }

    /** Draws a sequence, occasionally with a character that is not a base. */
    public static UTF8String sequenceOrWrong(SplittableRandom random, int size) {
        StringBuilder sequence = new StringBuilder(bases(random, size));
        if (!sequence.isEmpty() && random.nextInt(50) == 0) {
            sequence.setCharAt(random.nextInt(sequence.length()), Values.oneOf(random, '-', 'R', ' ', '\0', 'é'));
        }
        return UTF8String.fromString(sequence.toString());
    }

    /** Draws the bases of an RNA. */
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

    /**
     * Draws adjacent and nested helices, so that multiloops, bulges and long internal loops are among the best
     * structures.
     */
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

    /** Sometimes writes T for U, lowercase letters, or N. */
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
