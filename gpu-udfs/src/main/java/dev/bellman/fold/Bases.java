package dev.bellman.fold;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.Arrays;

/**
 * The bases of an RNA as small numbers: {@link #N}, A, C, G and U in this order. T is read as U, and lowercase letters
 * are read as uppercase letters. N is an unknown base, which does not pair.
 */
public final class Bases {
    /** An unknown base. */
    public static final int N = 0;

    /** The number of distinct base numbers. */
    public static final int COUNT = 5;

    /** The letters, indexed by base number. */
    public static final String LETTERS = "NACGU";

    /** The pairs, indexed by pair number; numbers start at 1, and 0 means no pair. */
    public static final String[] PAIRS = {"", "CG", "GC", "GU", "UG", "AU", "UA"};

    private static final byte[] NUMBERS = new byte[128];
    private static final byte[] PAIR = new byte[COUNT * COUNT];

    static {
        Arrays.fill(NUMBERS, (byte) -1);
        for (int base = 0; base < COUNT; base++) {
            NUMBERS[LETTERS.charAt(base)] = (byte) base;
            NUMBERS[Character.toLowerCase(LETTERS.charAt(base))] = (byte) base;
        }
        NUMBERS['T'] = NUMBERS['U'];
        NUMBERS['t'] = NUMBERS['U'];
        for (int pair = 1; pair < PAIRS.length; pair++) {
            PAIR[LETTERS.indexOf(PAIRS[pair].charAt(0)) * COUNT + LETTERS.indexOf(PAIRS[pair].charAt(1))] = (byte) pair;
        }
    }

    private Bases() {}

    /** Returns the number of the pair that two bases form, given the 5' base first; 0 if they cannot pair. */
    public static int pair(int x, int y) {
        return PAIR[x * COUNT + y];
    }

    private static boolean isBase(int letter) {
        return letter >= 0 && letter < NUMBERS.length && NUMBERS[letter] >= 0;
    }

    /**
     * Converts a sequence to base numbers.
     *
     * @param argument the argument's name
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} for a letter that represents no base
     */
    public static byte[] of(String function, String argument, byte[] letters) {
        byte[] bases = new byte[letters.length];
        for (int i = 0; i < letters.length; i++) {
            if (!isBase(letters[i])) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INPUT_VALUE,
                        ("%s: byte %d of %s (counted from 1) is '%s'; each byte must be A, C, G, U, T or N. Write N "
                                        + "for an unknown base, correct the row, or use try_%s, which returns NULL")
                                .formatted(
                                        function,
                                        i + 1,
                                        argument,
                                        letters[i] > ' ' ? (char) letters[i] : "\\x%02x".formatted(letters[i]),
                                        function.replaceFirst("^try_", "")));
            }
            bases[i] = NUMBERS[letters[i]];
        }
        return bases;
    }
}
