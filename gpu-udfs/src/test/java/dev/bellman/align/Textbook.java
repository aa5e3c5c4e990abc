package dev.bellman.align;

import dev.bellman.align.distance.DistanceTextbook;
import dev.bellman.align.subsequence.SubsequenceTextbook;

/** The oracles for strings, whose symbols are code points or unpaired surrogates. */
public final class Textbook {
    private Textbook() {}

    public static int editDistance(String a, String b) {
        return DistanceTextbook.editDistance(symbols(a), symbols(b));
    }

    public static int lcsLength(String a, String b) {
        return SubsequenceTextbook.lcsLength(symbols(a), symbols(b));
    }

    public static String cigar(String a, String b) {
        return DistanceTextbook.cigar(symbols(a), symbols(b));
    }

    public static String lcs(String a, String b) {
        return text(SubsequenceTextbook.lcs(symbols(a), symbols(b)));
    }

    public static String scs(String a, String b) {
        return text(SubsequenceTextbook.scs(symbols(a), symbols(b)));
    }

    public static boolean isSubsequence(String subsequence, String text) {
        return SubsequenceTextbook.isSubsequence(symbols(subsequence), symbols(text));
    }

    private static int[] symbols(String text) {
        return text.codePoints().toArray();
    }

    private static String text(int... symbols) {
        return new String(symbols, 0, symbols.length);
    }
}
