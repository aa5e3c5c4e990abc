package dev.bellman.align.scoring;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The scores of all pairs of letters. The uppercase and the lowercase form of a letter have the same scores, unless the
 * matrix has both.
 *
 * <p>The named matrices are NCBI's files, {@code https://ftp.ncbi.nih.gov/blast/matrices}: BLOSUM by Henikoff and
 * Henikoff (1992), PAM by Dayhoff et al. (1978), and NUC.4.4 for nucleotides with the IUPAC ambiguity codes.
 */
public final class SubstitutionMatrix {
    /** The names of the matrices that a scoring can use. */
    public static final List<String> NAMES =
            List.of("blosum45", "blosum50", "blosum62", "blosum80", "blosum90", "pam30", "pam70", "pam250", "nuc44");

    /** The number of ASCII characters, which index {@link #codes}. */
    private static final int ASCII = 128;

    private static final Map<String, SubstitutionMatrix> NAMED = new ConcurrentHashMap<>();

    private final String name;
    private final String letters;
    private final int[][] scores;
    private final byte[] codes = new byte[ASCII];

    /** @param scores the scores, indexed by the positions of letters in {@code letters} */
    public SubstitutionMatrix(String name, String letters, int[][] scores) {
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

    public static SubstitutionMatrix named(String name) {
        return NAMED.computeIfAbsent(name, SubstitutionMatrix::read);
    }

    private static SubstitutionMatrix read(String name) {
        try (InputStream file = SubstitutionMatrix.class.getResourceAsStream(name + ".txt")) {
            return parse(name.toUpperCase(Locale.ROOT), new String(file.readAllBytes(), StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads a matrix in NCBI's format: comments that begin with {@code #}, a line of letters, and one line per letter,
     * with the letter and its scores. Rows correspond to letters of {@code a}.
     *
     * @param name the name of the file, for messages
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if the text is not a matrix; the message contains
     *     the line number
     */
    public static SubstitutionMatrix parse(String name, String text) {
        String letters = null;
        int[][] scores = null;
        String[] lines = text.split("\\R");
        for (int number = 1; number <= lines.length; number++) {
            String line = lines[number - 1].strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String[] words = line.split("\\s+");
            if (letters == null) {
                letters = letters(name, number, words);
                scores = new int[letters.length()][];
                continue;
            }
            int row = words[0].length() == 1 ? letters.indexOf(words[0]) : -1;
            if (row < 0 || scores[row] != null) {
                throw wrong(
                        name,
                        number,
                        ("begins with '%s'; each line must begin with a different letter from the first line (%s)")
                                .formatted(words[0], letters));
            }
            if (words.length != letters.length() + 1) {
                throw wrong(
                        name,
                        number,
                        "has %d scores; it must have %d, one for each letter in the first line"
                                .formatted(words.length - 1, letters.length()));
            }
            scores[row] = new int[letters.length()];
            for (int column = 0; column < letters.length(); column++) {
                scores[row][column] = score(name, number, words[column + 1]);
            }
        }
        if (letters == null) {
            throw wrong(name, lines.length, "is the last line, but no line lists the letters of the matrix");
        }
        int missing = Arrays.asList(scores).indexOf(null);
        if (missing >= 0) {
            throw wrong(
                    name,
                    lines.length,
                    "is the last line, but no line contains the scores for '%s'".formatted(letters.charAt(missing)));
        }
        return new SubstitutionMatrix(name, letters, scores);
    }

    private static String letters(String name, int line, String... words) {
        String letters = String.join("", words);
        if (letters.length() != words.length || !areLetters(letters)) {
            throw wrong(
                    name,
                    line,
                    "is '%s'; it must list each letter of the matrix once, in printable ASCII, separated by spaces"
                            .formatted(String.join(" ", words)));
        }
        return letters;
    }

    /** Whether all letters are printable ASCII characters other than the space, and no letter occurs twice. */
    public static boolean areLetters(String letters) {
        return letters.chars().allMatch(letter -> letter > ' ' && letter < ASCII - 1)
                && letters.chars().distinct().count() == letters.length();
    }

    private static int score(String name, int line, String word) {
        try {
            int score = Integer.parseInt(word);
            if (Math.abs((long) score) <= Scoring.MAX_COST) {
                return score;
            }
        } catch (NumberFormatException e) {
            // report the same error as for a number out of range
        }
        throw wrong(
                name,
                line,
                "has the score '%s'; it must be a whole number from %d to %d"
                        .formatted(word, -Scoring.MAX_COST, Scoring.MAX_COST));
    }

    private static BellmanException wrong(String name, int line, String what) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE, "the matrix %s: line %d %s".formatted(name, line, what));
    }

    /** Returns the matrix in the form used in scoring strings. */
    public String toText() {
        StringBuilder text = new StringBuilder("matrix ").append(letters);
        for (int[] row : scores) {
            for (int score : row) {
                text.append(' ').append(score);
            }
        }
        return text.toString();
    }

    public String name() {
        return name;
    }

    public String letters() {
        return letters;
    }

    /** Returns the number of letters. */
    public int size() {
        return letters.length();
    }

    /** Returns the index of a character among the letters; -1 if the matrix has no such letter. */
    public int code(int character) {
        return character >= 0 && character < ASCII ? codes[character] : -1;
    }

    /** Returns the score of letter {@code x} of {@code a} and letter {@code y} of {@code b}, given by their indices. */
    public int score(int x, int y) {
        return scores[x][y];
    }
}
