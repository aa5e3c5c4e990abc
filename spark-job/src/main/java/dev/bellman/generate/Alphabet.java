package dev.bellman.generate;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Suggestion;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The letters from which sequences are generated: 1 to 256 code points, all equally likely. */
public final class Alphabet implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int MAXIMUM_SIZE = 256;

    private final byte[][] letters;
    private final boolean singleBytes;

    private Alphabet(int[] codePoints) {
        this.letters = Arrays.stream(codePoints)
                .mapToObj(codePoint -> Character.toString(codePoint).getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        this.singleBytes = Arrays.stream(letters).allMatch(letter -> letter.length == 1);
    }

    /**
     * Returns an alphabet by name: {@code dna} (ACGT), {@code rna} (ACGU), {@code protein} (the 20 amino acids), {@code
     * lowercase} (a to z), {@code ascii} (the 95 printable characters), or {@code unicode} (64 characters each from
     * ASCII, accented Latin, CJK, and beyond the Basic Multilingual Plane). Any other string is taken as a list of
     * letters, unless it has at least five letters and resembles a name.
     */
    public static Alphabet of(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "dna" -> ofLetters("ACGT");
            case "rna" -> ofLetters("ACGU");
            case "protein" -> ofLetters("ACDEFGHIKLMNPQRSTVWY");
            case "lowercase" -> new Alphabet(IntStream.rangeClosed('a', 'z').toArray());
            case "ascii" -> new Alphabet(IntStream.rangeClosed(' ', '~').toArray());
            case "unicode" ->
                new Alphabet(IntStream.of('@', 0xc0, 0x4e00, 0x1f600)
                        .flatMap(first -> IntStream.range(first, first + 64))
                        .map(codePoint -> codePoint == 0x7f ? '0' : codePoint)
                        .toArray());
            default -> {
                // shorter names would be hard to distinguish from lists of letters
                String meant = Suggestion.hint(name, List.of("protein", "lowercase", "ascii", "unicode"));
                if (name.length() >= 5 && !meant.isEmpty()) {
                    throw new BellmanException(
                            ErrorCode.BELLMAN_USAGE,
                            "unknown alphabet '%s'%s; to use these letters, list them in a different order"
                                    .formatted(name, meant));
                }
                yield ofLetters(name);
            }
        };
    }

    private static Alphabet ofLetters(String letters) {
        int[] codePoints = letters.codePoints().distinct().toArray();
        boolean valid = codePoints.length >= 1
                && codePoints.length <= MAXIMUM_SIZE
                && Arrays.stream(codePoints)
                        .noneMatch(codePoint ->
                                codePoint <= Character.MAX_VALUE && Character.isSurrogate((char) codePoint));
        if (!valid) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_USAGE,
                    "'" + letters + "' is not an alphabet; use dna, rna, protein, lowercase, ascii, unicode or 1 to "
                            + MAXIMUM_SIZE + " different letters");
        }
        return new Alphabet(codePoints);
    }

    int size() {
        return letters.length;
    }

    /** Returns the average number of bytes that a letter takes in UTF-8. */
    double meanBytes() {
        return Arrays.stream(letters)
                .mapToInt(letter -> letter.length)
                .average()
                .orElseThrow();
    }

    /** Draws {@code length} random letters, and writes their numbers in the alphabet to {@code target}. */
    void draw(RowRandom random, byte[] target, int length) {
        int size = letters.length;
        if (Integer.bitCount(size) == 1) {
            int bits = Integer.numberOfTrailingZeros(size);
            int perLong = bits == 0 ? length : Long.SIZE / bits;
            for (int from = 0; from < length; from += perLong) {
                long draws = random.nextLong();
                int to = Math.min(length, from + perLong);
                for (int at = from; at < to; at++) {
                    target[at] = (byte) (draws & (size - 1));
                    draws >>>= bits;
                }
            }
            return;
        }
        for (int at = 0; at < length; at += 2) {
            long draws = random.nextLong();
            target[at] = (byte) (((draws >>> 32) * size) >>> 32);
            if (at + 1 < length) {
                target[at + 1] = (byte) (((draws & 0xffff_ffffL) * size) >>> 32);
            }
        }
    }

    /** Encodes a sequence, given as letter numbers, as UTF-8. */
    byte[] encode(byte[] numbers, int length) {
        if (singleBytes) {
            byte[] text = new byte[length];
            for (int i = 0; i < length; i++) {
                text[i] = letters[numbers[i] & 0xff][0];
            }
            return text;
        }
        int bytes = 0;
        for (int i = 0; i < length; i++) {
            bytes += letters[numbers[i] & 0xff].length;
        }
        byte[] text = new byte[bytes];
        int at = 0;
        for (int i = 0; i < length; i++) {
            byte[] letter = letters[numbers[i] & 0xff];
            System.arraycopy(letter, 0, text, at, letter.length);
            at += letter.length;
        }
        return text;
    }
}
