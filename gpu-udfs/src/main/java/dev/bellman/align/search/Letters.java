package dev.bellman.align.search;

import dev.bellman.columns.TaskMemory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Defines which letters of a text match a letter of a pattern: the equal letter or, for nucleotides, all letters whose
 * bases are all among the bases of the pattern's letter. Each letter of a text has a code, which indexes bit vectors.
 */
final class Letters {
    /** The bases that each IUPAC nucleotide letter represents, as bits. */
    private static final byte[] BASES = new byte[128];

    private static final String CODES = "ACGTRYSWKMBDHVNU";
    private static final int[] BASES_OF_CODES = {1, 2, 4, 8, 5, 10, 6, 9, 12, 3, 14, 13, 11, 7, 15, 8};

    /** The first character number whose code is stored in a map instead of an array. */
    private static final int DIRECT = 2048;

    /** The number of bytes per letter in the map. */
    private static final int BYTES_OF_A_LETTER = 64;

    static {
        for (int i = 0; i < CODES.length(); i++) {
            BASES[CODES.charAt(i)] = (byte) BASES_OF_CODES[i];
            BASES[Character.toLowerCase(CODES.charAt(i))] = (byte) BASES_OF_CODES[i];
        }
    }

    private final boolean nucleotides;
    /** The codes of characters, starting at 1; code 0 matches nothing. */
    private final int[] direct;

    private final Map<Integer, Integer> others;
    private int count;

    private Letters(boolean nucleotides, int[] direct, Map<Integer, Integer> others) {
        this.nucleotides = nucleotides;
        this.direct = direct;
        this.others = others;
    }

    /** Whether a character is a nucleotide letter, which represents one or several bases, in uppercase or lowercase. */
    static boolean isNucleotide(int character) {
        return bases(character) != 0;
    }

    /** Returns the bases of a letter as bits; 0 for other characters. */
    private static int bases(int character) {
        return character >= 0 && character < BASES.length ? BASES[character] : 0;
    }

    /** Whether a letter of a pattern matches a letter of a text. */
    static boolean match(boolean nucleotides, int ofPattern, int ofText) {
        if (!nucleotides) {
            return ofPattern == ofText;
        }
        int bases = bases(ofText);
        return bases != 0 && (bases & ~bases(ofPattern)) == 0;
    }

    /** Assigns codes to the letters that the patterns can match. */
    static Letters of(boolean nucleotides, List<int[]> patterns) {
        if (nucleotides) {
            Letters letters = new Letters(true, new int[BASES.length], Map.of());
            for (int i = 0; i < BASES.length; i++) {
                letters.direct[i] = BASES[i];
            }
            letters.count = 15;
            return letters;
        }
        int largest = 0;
        for (int[] pattern : patterns) {
            for (int character : pattern) {
                largest = character >= 0 && character < DIRECT ? Math.max(largest, character) : largest;
            }
        }
        Letters letters = new Letters(false, new int[largest + 1], new HashMap<>());
        for (int[] pattern : patterns) {
            TaskMemory.take((long) BYTES_OF_A_LETTER * pattern.length, () -> "a table of up to %,d letters"
                    .formatted(pattern.length));
            for (int character : pattern) {
                letters.number(character);
            }
        }
        return letters;
    }

    private void number(int character) {
        if (character >= 0 && character < direct.length) {
            direct[character] = direct[character] == 0 ? ++count : direct[character];
        } else {
            others.computeIfAbsent(character, any -> ++count);
        }
    }

    private int code(int character) {
        return character >= 0 && character < direct.length
                ? direct[character]
                : others.isEmpty() ? 0 : others.getOrDefault(character, 0);
    }

    int[] codes(int[] text) {
        return Arrays.stream(text).map(this::code).toArray();
    }

    /** Returns the number of codes, including 0. */
    int count() {
        return count + 1;
    }

    /**
     * Returns the rows of a pattern that match each letter, with one bit per row. The bits of a letter are in
     * {@code words} words, which start at index {@code words} times the letter's code.
     */
    long[] rows(int[] pattern, int words) {
        long[] rows = new long[count() * words];
        for (int i = 0; i < pattern.length; i++) {
            int word = i >>> 6;
            if (nucleotides) {
                for (int code = 1; code <= count; code++) {
                    rows[code * words + word] |= (code & ~bases(pattern[i])) == 0 ? 1L << i : 0;
                }
            } else {
                rows[code(pattern[i]) * words + word] |= 1L << i;
            }
        }
        return rows;
    }
}
