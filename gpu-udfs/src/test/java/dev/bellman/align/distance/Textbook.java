package dev.bellman.align.distance;

/** The oracle on strings, whose symbols are code points, unpaired surrogates among them. */
final class Textbook {
    private Textbook() {}

    static int editDistance(String a, String b) {
        return PairTextbook.editDistance(symbols(a), symbols(b));
    }

    static int lcsLength(String a, String b) {
        return PairTextbook.lcsLength(symbols(a), symbols(b));
    }

    static String cigar(String a, String b) {
        return PairTextbook.cigar(symbols(a), symbols(b));
    }

    static String lcs(String a, String b) {
        return text(PairTextbook.lcs(symbols(a), symbols(b)));
    }

    static String scs(String a, String b) {
        return text(PairTextbook.scs(symbols(a), symbols(b)));
    }

    static boolean isSubsequence(String subsequence, String text) {
        return PairTextbook.isSubsequence(symbols(subsequence), symbols(text));
    }

    private static int[] symbols(String text) {
        return text.codePoints().toArray();
    }

    private static String text(int... symbols) {
        return new String(symbols, 0, symbols.length);
    }
}
