package dev.bellman.align.score;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The score of each letter aligned with each other one. A lower-case letter equals its upper-case form, unless the matrix has both.
 *
 * <p>The named matrices are NCBI's files, {@code https://ftp.ncbi.nih.gov/blast/matrices}: those of S. Henikoff and J. G. Henikoff (1992), of M.
 * O. Dayhoff and others (1978), and NUC.4.4 for nucleotides with the IUPAC ambiguity codes.
 */
public final class SubstitutionMatrix {
    /** Those that a scoring may name. */
    static final List<String> NAMES =
            List.of("blosum45", "blosum50", "blosum62", "blosum80", "blosum90", "pam30", "pam70", "pam250", "nuc44");

    /** Characters that a matrix can have. */
    private static final int ASCII = 128;

    private static final Map<String, SubstitutionMatrix> NAMED = new ConcurrentHashMap<>();

    private final String name;
    private final String letters;
    private final int[][] scores;
    private final byte[] codes = new byte[ASCII];

    /** @param scores by the positions of letters in {@code letters} */
    SubstitutionMatrix(String name, String letters, int[][] scores) {
        this.name = name;
        this.letters = letters;
        this.scores = scores;
        Arrays.fill(codes, (byte) -1);
        for (int code = 0; code < letters.length(); code++) {
            codes[letters.charAt(code)] = (byte) code;
        }
        for (char letter = 'A'; letter <= 'Z'; letter++) {
            char lower = Character.toLowerCase(letter);
            if (codes[lower] < 0) {
                codes[lower] = codes[letter];
            } else if (codes[letter] < 0) {
                codes[letter] = codes[lower];
            }
        }
    }

    static SubstitutionMatrix named(String name) {
        return NAMED.computeIfAbsent(name, SubstitutionMatrix::read);
    }

    /** In NCBI's format: comments, a line of letters, and a line for each letter. */
    private static SubstitutionMatrix read(String name) {
        try (InputStream file = SubstitutionMatrix.class.getResourceAsStream(name + ".txt");
                BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.US_ASCII))) {
            List<String[]> rows = lines.lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .map(line -> line.strip().split("\\s+"))
                    .toList();
            String letters = String.join("", rows.get(0));
            int[][] scores = new int[letters.length()][letters.length()];
            for (int x = 0; x < scores.length; x++) {
                for (int y = 0; y < scores.length; y++) {
                    scores[x][y] = Integer.parseInt(rows.get(x + 1)[y + 1]);
                }
            }
            return new SubstitutionMatrix(name.toUpperCase(Locale.ROOT), letters, scores);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String name() {
        return name;
    }

    String letters() {
        return letters;
    }

    /** The number of letters. */
    int size() {
        return letters.length();
    }

    /** The index of a character among the letters; -1 if it is not one. */
    int code(int character) {
        return character >= 0 && character < ASCII ? codes[character] : -1;
    }

    /** The score of the letter of {@code a} with index {@code x} and the letter of {@code b} with index {@code y}. */
    int score(int x, int y) {
        return scores[x][y];
    }
}
