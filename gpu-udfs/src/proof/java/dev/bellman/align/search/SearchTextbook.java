package dev.bellman.align.search;

import dev.bellman.align.search.EditSearch.Part;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Defines the searches by comparing every substring of the text with the pattern. */
final class SearchTextbook {
    private SearchTextbook() {}

    static Part infix(int[] pattern, int[] text) {
        return search(pattern, text, text.length);
    }

    static Part prefix(int[] pattern, int[] text) {
        return search(pattern, text, 0);
    }

    /** Searches the substrings that begin at or before {@code lastBegin}. */
    private static Part search(int[] pattern, int[] text, int lastBegin) {
        Part best = new Part(Integer.MAX_VALUE, 0, 0);
        for (int end = 0; end <= text.length; end++) {
            for (int begin = 0; begin <= Math.min(end, lastBegin); begin++) {
                int distance = distance(pattern, Arrays.copyOfRange(text, begin, end));
                if (distance < best.distance()) {
                    best = new Part(distance, begin, end);
                }
            }
        }
        return best;
    }

    /**
     * Returns, for each end, the longest substring with the smallest distance, if this distance is within the limit.
     */
    static List<Part> infixAll(int[] pattern, int[] text, int max, boolean iupac) {
        Part[] best = new Part[text.length + 1];
        for (int begin = 0; begin <= text.length; begin++) {
            int[][] table = table(pattern, Arrays.copyOfRange(text, begin, text.length), iupac);
            for (int end = begin; end <= text.length; end++) {
                int distance = table[pattern.length][end - begin];
                if (best[end] == null || distance < best[end].distance()) {
                    best[end] = new Part(distance, begin, end);
                }
            }
        }
        return Stream.of(best).filter(part -> part.distance() <= max).toList();
    }

    /** Returns the bases that a letter stands for in the IUPAC-IUB nomenclature (1984); empty for other characters. */
    static String bases(int letter) {
        return switch (letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter) {
            case 'A' -> "A";
            case 'C' -> "C";
            case 'G' -> "G";
            case 'T', 'U' -> "T";
            case 'R' -> "AG";
            case 'Y' -> "CT";
            case 'S' -> "CG";
            case 'W' -> "AT";
            case 'K' -> "GT";
            case 'M' -> "AC";
            case 'B' -> "CGT";
            case 'D' -> "AGT";
            case 'H' -> "ACT";
            case 'V' -> "ACG";
            case 'N' -> "ACGT";
            default -> "";
        };
    }

    private static boolean match(int ofPattern, int ofText, boolean iupac) {
        if (!iupac) {
            return ofPattern == ofText;
        }
        String bases = bases(ofText);
        return !bases.isEmpty()
                && bases.chars().allMatch(base -> bases(ofPattern).indexOf(base) >= 0);
    }

    /** Computes the recurrence of Wagner and Fischer (1974). */
    private static int distance(int[] a, int[] b) {
        return table(a, b, false)[a.length][b.length];
    }

    private static int[][] table(int[] a, int[] b, boolean iupac) {
        int[][] table = new int[a.length + 1][b.length + 1];
        for (int i = 0; i <= a.length; i++) {
            for (int j = 0; j <= b.length; j++) {
                table[i][j] = i == 0 || j == 0
                        ? i + j
                        : Math.min(
                                table[i - 1][j - 1] + (match(a[i - 1], b[j - 1], iupac) ? 0 : 1),
                                Math.min(table[i - 1][j], table[i][j - 1]) + 1);
            }
        }
        return table;
    }
}
