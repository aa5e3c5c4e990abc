package dev.bellman.align.score;

import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Generates pairs that are hard to score. The strings are equal, edited, periodic, unrelated or empty, or one is the
 * beginning or end of the other. Some have only a few different letters, so that many alignments tie, and some have
 * letters that a matrix does not contain. Gaps cost nothing, cost as much as mismatches, cost more than fits in 16
 * bits, or cost less per letter if they are long.
 */
final class AlignmentInstances {
    private static final String[] MODES = {"global", "local", "overlap", "fit_a_in_b", "fit_b_in_a", "extension"};

    /** Scorings for nucleotides or for arbitrary characters. */
    private static final String[] COMPARING = {
        "match 2 mismatch -3 open 5 extend 2",
        "match 0 mismatch -1 open 1 extend 1",
        "match 1 mismatch -1 gap 1",
        "match 5 mismatch -4 open 8 extend 6",
        "match 1 mismatch -4 open 6 extend 1",
        "match 1 mismatch 0 gap 0",
        "match 2 mismatch 1 open 3 extend 0",
        "match -1 mismatch -1 open 2 extend 1",
        "match 3 mismatch -2 insert open 4 extend 2 delete open 7 extend 1",
        "match 3 mismatch -2 insert gap 1 delete open 2 extend 0",
        "match 127 mismatch -128 open 127 extend 100",
        "match 32767 mismatch -32767 open 32767 extend 32767",
        "matrix ACGT 5 -4 -1 -4 -4 5 -4 -1 -1 -4 5 -4 -4 -1 -4 5 open 10 extend 1",
        "matrix ACGT 5 -4 1 -4 -2 6 -4 -1 -1 -4 7 -4 -4 3 -4 8 other -3 open 6 extend 3",
        "nuc44 open 10 extend 1",
        "match 2 mismatch -4 open 6 extend 2 open2 9 extend2 1",
        "match 1 mismatch -1 open 2 extend 1 open2 4 extend2 0",
        "match 1 mismatch -2 open 4 extend 0 open2 2 extend2 2",
        "match 3 mismatch -2 insert open 4 extend 2 open2 6 extend2 1 delete open 7 extend 1",
        "match 3 mismatch -2 insert gap 2 delete open 3 extend 3 open2 8 extend2 1",
        "match 32767 mismatch -32767 open 100 extend 100 open2 32767 extend2 0"
    };

    /** Scorings for amino acids. */
    private static final String[] MATRICES = {
        "blosum62 open 11 extend 1",
        "BLOSUM62 open 10 extend 2",
        "blosum45 open 15 extend 2",
        "blosum50 open 13 extend 2",
        "blosum80 open 10 extend 1",
        "blosum90 open 10 extend 1",
        "pam30 open 9 extend 1",
        "pam70 gap 7",
        "pam250 other -8 open 14 extend 2",
        "blosum62 other -4 insert open 11 extend 1 delete open 6 extend 2",
        "blosum62 open 6 extend 3 open2 11 extend2 1"
    };

    private static final String NUCLEOTIDES = "ACGT";
    private static final String AMINO_ACIDS = "ARNDCQEGHILKMFPSTWYV";
    private static final String ALL_OF_A_MATRIX = "ARNDCQEGHILKMFPSTWYVBZX*arndcqeghilkmfpstwyvbzx";
    private static final String OUTSIDE = "JOU-7\u00e9\ud83d\ude00";

    /** Scores at the limits of a byte. */
    private static final int[] BYTES = {127, -127, -128, 126, 0, 1, -1};

    private static final int[] EXTREMES = {32_767, -32_767, 128, -129, 0, 1, -1};

    private static final String[] COMPARING_OR_OWN = with(
            COMPARING,
            own(1, NUCLEOTIDES, BYTES, "open 127 extend 15"),
            own(2, NUCLEOTIDES, BYTES, "insert open 127 extend 1 delete gap 3"),
            own(3, NUCLEOTIDES, EXTREMES, "open 32767 extend 1"),
            own(4, NUCLEOTIDES, EXTREMES, "other -128 gap 0"),
            own(7, NUCLEOTIDES, BYTES, "insert open 5 extend 5 open2 20 extend2 3 delete open 127 extend 1"));

    private static final String[] MATRICES_OR_OWN = with(
            MATRICES,
            own(5, AMINO_ACIDS, BYTES, "other 127 open 127 extend 2"),
            own(6, AMINO_ACIDS, EXTREMES, "open 128 extend 15"));

    private AlignmentInstances() {}

    private static String[] with(String[] scorings, String... own) {
        return Stream.concat(Arrays.stream(scorings), Arrays.stream(own)).toArray(String[]::new);
    }

    /** Returns a scoring with a random matrix, which is not symmetric. */
    private static String own(long seed, String letters, int[] scores, String rest) {
        SplittableRandom random = new SplittableRandom(seed);
        return random.ints((long) letters.length() * letters.length(), 0, scores.length)
                .mapToObj(score -> String.valueOf(scores[score]))
                .collect(Collectors.joining(" ", "matrix " + letters + " ", " " + rest));
    }

    /** Draws {@code (a, b, mode, scoring)}. */
    private static InternalRow pair(SplittableRandom random, int size) {
        boolean nucleotides = random.nextInt(5) > 1;
        String scoring = Values.oneOf(random, nucleotides ? COMPARING_OR_OWN : MATRICES_OR_OWN);
        int[] alphabet = alphabet(random, nucleotides);
        int[] a = text(random, alphabet, Values.size(random, size));
        int[] b = other(random, alphabet, a, size);
        boolean turned = random.nextBoolean();
        return Values.row(
                Values.sometimesNull(random, encoded(random, turned ? b : a)),
                Values.sometimesNull(random, encoded(random, turned ? a : b)),
                Values.sometimesNull(
                        random,
                        UTF8String.fromString(
                                random.nextInt(300) == 0
                                        ? Values.oneOf(random, "", "Global", "glocal")
                                        : Values.oneOf(random, MODES))),
                Values.sometimesNull(
                        random,
                        UTF8String.fromString(
                                random.nextInt(300) == 0
                                        ? Values.oneOf(
                                                random,
                                                "",
                                                "blosum61 open 11 extend 1",
                                                "match 1 mismatch -1 open 1 extend 2",
                                                "match 1 mismatch -1 open 2 extend 2 open2 1 extend2 2",
                                                "match 1 mismatch -40000 gap 1")
                                        : scoring)));
    }

    /**
     * Draws {@code (a, b, mode, scoring, min_score, band, z_drop)} with a minimum score that no pair reaches, that all
     * pairs reach, or that some pairs of this size reach. Most extensions have limits; other modes, which reject them,
     * rarely do.
     */
    static InternalRow limitedPair(SplittableRandom random, int size) {
        InternalRow pair = pair(random, size);
        long least = random.nextInt(4) == 0
                ? Values.oneOf(random, Long.MIN_VALUE, Long.MAX_VALUE, 0L, 1L)
                : random.nextInt(-size - 5, 3 * size + 5);
        boolean isExtension =
                !pair.isNullAt(2) && pair.getUTF8String(2).toString().equals("extension");
        Object[] values = new Object[7];
        for (int i = 0; i < 4; i++) {
            values[i] = pair.get(i, DataTypes.StringType);
        }
        values[4] = Values.sometimesNull(random, least);
        values[5] = Values.sometimesNull(random, limit(random, isExtension, 1 + size / 2));
        values[6] = Values.sometimesNull(random, limit(random, isExtension, 40));
        return Values.row(values);
    }

    private static int limit(SplittableRandom random, boolean isExtension, int most) {
        if (random.nextInt(300) == 0) {
            return Values.oneOf(random, -1, 0, 1, Integer.MIN_VALUE);
        }
        return isExtension && random.nextInt(4) > 0 ? random.nextInt(most + 1) : Integer.MAX_VALUE;
    }

    private static int[] alphabet(SplittableRandom random, boolean nucleotides) {
        String letters =
                switch (random.nextInt(16)) {
                    case 0, 1 -> nucleotides ? "A" : "W";
                    case 2, 3, 4 -> nucleotides ? "AC" : "LIV";
                    case 5 -> nucleotides ? "ACGTN" : ALL_OF_A_MATRIX;
                    case 6 -> nucleotides ? "ACGTacgt" : ALL_OF_A_MATRIX;
                    default -> nucleotides ? NUCLEOTIDES : AMINO_ACIDS;
                };
        return (random.nextInt(40) == 0 ? letters + OUTSIDE : letters)
                .codePoints()
                .toArray();
    }

    private static int[] text(SplittableRandom random, int[] alphabet, int length) {
        int[] text = new int[length];
        int period = random.nextInt(5) == 0 ? 1 + random.nextInt(8) : Math.max(1, length);
        for (int i = 0; i < length; i++) {
            text[i] = i < period ? alphabet[random.nextInt(alphabet.length)] : text[i - period];
        }
        return text;
    }

    private static int[] other(SplittableRandom random, int[] alphabet, int[] a, int size) {
        return switch (random.nextInt(10)) {
            case 0, 1 -> text(random, alphabet, Values.size(random, size));
            case 2 -> text(random, alphabet, a.length);
            case 3 -> a;
            case 4 -> Arrays.copyOfRange(a, random.nextInt(a.length + 1), a.length);
            case 5 -> Arrays.copyOfRange(a, 0, random.nextInt(a.length + 1));
            case 6, 7 -> edited(random, alphabet, a, 1 + random.nextInt(3));
            default -> edited(random, alphabet, a, random.nextInt(a.length / 4 + 2));
        };
    }

    /**
     * Returns a copy with the given number of edits, but at most 100. Each edit removes, inserts or replaces up to five
     * letters.
     */
    private static int[] edited(SplittableRandom random, int[] alphabet, int[] a, int edits) {
        int[] copy = a;
        // more edits would take too long, because each edit copies the string
        for (int edit = 0; edit < Math.min(edits, 100); edit++) {
            int at = random.nextInt(copy.length + 1);
            int removed = random.nextBoolean() ? Math.min(copy.length - at, random.nextInt(6)) : 0;
            int[] put = text(random, alphabet, random.nextBoolean() ? random.nextInt(6) : removed);
            int[] next = new int[copy.length - removed + put.length];
            System.arraycopy(copy, 0, next, 0, at);
            System.arraycopy(put, 0, next, at, put.length);
            System.arraycopy(copy, at + removed, next, at + put.length, copy.length - at - removed);
            copy = next;
        }
        return copy;
    }

    /** Encodes letters as UTF-8, and occasionally replaces a byte so that the result may be invalid. */
    private static UTF8String encoded(SplittableRandom random, int... text) {
        UTF8String encoded = UTF8String.fromString(new String(text, 0, text.length));
        if (text.length > 0 && random.nextInt(500) == 0) {
            byte[] bytes = encoded.getBytes().clone();
            bytes[random.nextInt(bytes.length)] = (byte) 0xe4;
            return UTF8String.fromBytes(bytes);
        }
        return encoded;
    }
}
