package dev.bellman.align.scoring;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.Text;
import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * The scores of aligned letters and the costs of gaps, described by a string:
 *
 * <pre>
 * blosum62 open 11 extend 1
 * blosum62 other -4 open 11 extend 1                     letters not in the matrix score -4
 * match 2 mismatch -3 open 5 extend 2                    any characters, compared for equality
 * match 1 mismatch -1 gap 2                              each letter of a gap costs the same
 * matrix ACGT 5 -4 -4 -4  -4 5 -4 -4  -4 -4 5 -4  -4 -4 -4 5 open 10 extend 1
 * match 2 mismatch -3 insert open 5 extend 2 delete open 8 extend 1
 * match 2 mismatch -4 open 6 extend 2 open2 25 extend2 1
 * </pre>
 *
 * <p>A gap of {@code k} letters costs {@code open + (k - 1) * extend}, or {@code open2 + (k - 1) * extend2} if these
 * costs are given and the result is smaller. {@code insert} gaps are opposite letters of {@code a} ({@code I} in a
 * CIGAR); {@code delete} gaps are opposite letters of {@code b}.
 */
public final class Scoring {
    /**
     * The maximum magnitude of a number in a scoring. This limit ensures that the score of any pair fits in 64 bits.
     */
    public static final int MAX_COST = 32_767;

    /** Caches parsed scorings by string, because parsing takes longer than scoring a short pair. */
    private static final Map<String, Scoring> PARSED = new ConcurrentHashMap<>();

    private static final int MAX_PARSED = 256;

    /** The maximum length of a cached string. No scoring needs a longer string. */
    private static final int MAX_KEPT = 1 << 16;

    private final SubstitutionMatrix matrix;
    private final Optional<Integer> other;
    private final int match;
    private final int mismatch;
    private final GapCosts insert;
    private final GapCosts delete;
    private final int[][] table;
    private final boolean uniform;
    private final int largest;
    private final int smallest;

    /** @param other the score of any letter aligned with a letter that is not in the matrix */
    public Scoring(SubstitutionMatrix matrix, Optional<Integer> other, GapCosts insert, GapCosts delete) {
        this.matrix = matrix;
        this.other = other;
        this.insert = insert;
        this.delete = delete;
        int size = matrix.size();
        table = new int[size + 1][size + 1];
        for (int x = 0; x <= size; x++) {
            for (int y = 0; y <= size; y++) {
                table[x][y] = x < size && y < size ? matrix.score(x, y) : other.orElse(0);
            }
        }
        // the last column is used only if letters outside the matrix have a score
        int columns = other.isPresent() ? size + 1 : size;
        IntSummaryStatistics scores = IntStream.range(0, columns)
                .flatMap(x -> Arrays.stream(table[x], 0, columns))
                .summaryStatistics();
        largest = scores.getMax();
        smallest = scores.getMin();
        match = table[0][0];
        mismatch = table[0][size - 1];
        uniform = other.isEmpty()
                && IntStream.range(0, size * size)
                        .allMatch(at -> table[at / size][at % size] == (at / size == at % size ? match : mismatch));
    }

    public Scoring(int match, int mismatch, GapCosts insert, GapCosts delete) {
        matrix = null;
        other = Optional.empty();
        this.match = match;
        this.mismatch = mismatch;
        this.insert = insert;
        this.delete = delete;
        table = null;
        uniform = true;
        largest = Math.max(match, mismatch);
        smallest = Math.min(match, mismatch);
    }

    /**
     * Parses a scoring.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if the string is not a valid scoring; the message
     *     contains the position of the error
     */
    public static Scoring of(String function, String text) {
        Scoring known = PARSED.get(text);
        if (known != null) {
            return known;
        }
        Scoring parsed = new ScoringParser(function, text).parse();
        if (text.length() > MAX_KEPT) {
            return parsed;
        }
        if (PARSED.size() >= MAX_PARSED) {
            PARSED.clear();
        }
        PARSED.put(text, parsed);
        return parsed;
    }

    /** Returns the costs of gaps opposite letters of {@code a}. */
    public GapCosts insert() {
        return insert;
    }

    /** Returns the costs of gaps opposite letters of {@code b}. */
    public GapCosts delete() {
        return delete;
    }

    /** Whether characters are compared rather than looked up in a matrix. */
    public boolean compares() {
        return matrix == null;
    }

    /** Whether all equal letters score {@link #match}, and all different letters {@link #mismatch}. */
    public boolean isUniform() {
        return uniform;
    }

    /** Returns the name of the matrix; empty if characters are compared. */
    public Optional<String> matrixName() {
        return Optional.ofNullable(matrix).map(SubstitutionMatrix::name);
    }

    /** Returns the score of equal letters, if it is the same for all letters. */
    public int match() {
        return match;
    }

    /** Returns the score of different letters, if it is the same for all letters. */
    public int mismatch() {
        return mismatch;
    }

    /** Returns the score table, indexed by {@linkplain #column columns}, or null if characters are compared. */
    public int[][] table() {
        return table;
    }

    /** Returns the index of a symbol in the {@link #table}. */
    public int column(int symbol) {
        return Math.min(symbol, matrix.size());
    }

    /** Returns the score of two symbols. */
    public int score(int x, int y) {
        return matrix == null ? x == y ? match : mismatch : table[column(x)][column(y)];
    }

    /** Returns the highest score between any two symbols. */
    public int largest() {
        return largest;
    }

    /** Returns the lowest score between any two symbols. */
    public int smallest() {
        return smallest;
    }

    /** Returns the largest magnitude of any score or of the cost of any letter in a gap. */
    public long magnitude() {
        return Math.max(Math.max(largest, -smallest), Math.max(insert.open2(), delete.open2()));
    }

    /** Whether the costs of gaps in either sequence have two pieces. */
    public boolean hasTwoPieces() {
        return insert.hasTwoPieces() || delete.hasTwoPieces();
    }

    /** Returns the column of an ASCII character; -1 if the character has no score. */
    public int columnOfCharacter(int character) {
        int code = matrix.code(character);
        return code >= 0 ? code : other.isPresent() ? matrix.size() : -1;
    }

    /** Whether each of the letters A, C, G and T has a score. */
    public boolean hasNucleotides() {
        return matrix == null || "ACGT".chars().allMatch(letter -> columnOfCharacter(letter) >= 0);
    }

    /** Returns the score of two ASCII characters, both of which must have a column. */
    public int scoreOfCharacters(int x, int y) {
        return matrix == null ? score(x, y) : table[columnOfCharacter(x)][columnOfCharacter(y)];
    }

    /**
     * Returns the characters of a text as symbols; equal symbols represent equal letters.
     *
     * @param argument the argument's name, for messages
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} for a letter that is not in the matrix, unless
     *     such letters have a score
     */
    public int[] symbols(String function, String argument, Text text) {
        int[] symbols = text.characters();
        if (matrix == null) {
            return symbols;
        }
        for (int i = 0; i < symbols.length; i++) {
            int code = matrix.code(symbols[i]);
            if (code < 0 && other.isEmpty()) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INPUT_VALUE,
                        ("%s: character %d of %s is %s, which is not in %s; expected one of %s. To score such "
                                        + "characters, add 'other' and a score after the matrix: 'blosum62 other -4 "
                                        + "open 11 extend 1' (in a job with scoring.matrix, set scoring.unknown)")
                                .formatted(
                                        function, i + 1, argument, shown(symbols[i]), matrix.name(), matrix.letters()));
            }
            // characters that are not letters of the matrix get symbols starting at matrix.size(); the mask removes the
            // sign of malformed characters
            symbols[i] = code >= 0 ? code : matrix.size() + (symbols[i] & Integer.MAX_VALUE >> 1);
        }
        return symbols;
    }

    private static String shown(int character) {
        return Character.isValidCodePoint(character) && !Character.isISOControl(character)
                ? "'" + Character.toString(character) + "'"
                : "the character number " + character;
    }
}
