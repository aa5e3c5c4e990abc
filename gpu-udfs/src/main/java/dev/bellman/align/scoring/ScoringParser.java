package dev.bellman.align.scoring;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.Locale;
import java.util.Optional;

/** Parses the string that describes a {@link Scoring}, word by word. */
final class ScoringParser {
    private static final String SPACES = " \t\n\u000b\f\r";

    private static final int MAX_DIGITS = 9;

    private static final String FIRST = "the cost of the first letter in a gap";
    private static final String FURTHER =
            "the cost of each further letter in a gap, at most the cost of the first letter";

    private final String function;
    private final String scoring;
    /** The next word; empty at the end of the string. */
    private String word;

    private int begin;
    private int end;

    ScoringParser(String function, String scoring) {
        this.function = function;
        this.scoring = scoring;
        next();
    }

    private void next() {
        begin = end;
        while (begin < scoring.length() && isSpace(begin)) {
            begin++;
        }
        end = begin;
        while (end < scoring.length() && !isSpace(end)) {
            end++;
        }
        word = scoring.substring(begin, end);
    }

    private boolean isSpace(int at) {
        return SPACES.indexOf(scoring.charAt(at)) >= 0;
    }

    Scoring parse() {
        Scoring parsed;
        if (accept("match")) {
            int match = number("the score of two equal characters");
            expect("mismatch");
            int mismatch = number("the score of two different characters");
            GapCosts[] gaps = gaps();
            parsed = new Scoring(match, mismatch, gaps[0], gaps[1]);
        } else {
            SubstitutionMatrix matrix = matrix();
            Optional<Integer> other = accept("other")
                    ? Optional.of(number("the score of letters that are missing from the matrix"))
                    : Optional.empty();
            GapCosts[] gaps = gaps();
            parsed = new Scoring(matrix, other, gaps[0], gaps[1]);
        }
        if (!word.isEmpty()) {
            throw wrong("the end of the scoring");
        }
        return parsed;
    }

    private SubstitutionMatrix matrix() {
        if (accept("matrix")) {
            return ownMatrix();
        }
        String name = word.toLowerCase(Locale.ROOT);
        if (!SubstitutionMatrix.NAMES.contains(name)) {
            throw wrong("match, matrix, or one of " + String.join(", ", SubstitutionMatrix.NAMES));
        }
        next();
        return SubstitutionMatrix.named(name);
    }

    private SubstitutionMatrix ownMatrix() {
        String letters = word;
        if (letters.isEmpty() || !SubstitutionMatrix.areLetters(letters)) {
            throw wrong("the letters of the matrix, each once and in printable ASCII, such as ACGT");
        }
        next();
        int size = letters.length();
        int[][] scores = new int[size][size];
        for (int x = 0; x < size; x++) {
            for (int y = 0; y < size; y++) {
                scores[x][y] = number("the score of the pair %c and %c, one of %d * %d scores"
                        .formatted(letters.charAt(x), letters.charAt(y), size, size));
            }
        }
        return new SubstitutionMatrix("the matrix in the scoring", letters, scores);
    }

    private GapCosts[] gaps() {
        if (accept("insert")) {
            GapCosts insert = gap("open or gap");
            expect("delete");
            return new GapCosts[] {insert, gap("open or gap")};
        }
        GapCosts both = gap("open, gap or insert");
        return new GapCosts[] {both, both};
    }

    private GapCosts gap(String expected) {
        if (accept("gap")) {
            int each = cost("the cost of a letter in a gap", Scoring.MAX_COST);
            return new GapCosts(each, each);
        }
        if (!accept("open")) {
            throw wrong(expected);
        }
        int open = cost(FIRST, Scoring.MAX_COST);
        expect("extend");
        int extend = cost(FURTHER, open);
        if (!accept("open2")) {
            return new GapCosts(open, extend);
        }
        int open2 = cost(FIRST, Scoring.MAX_COST);
        expect("extend2");
        return GapCosts.ofPieces(open, extend, open2, cost(FURTHER, open2));
    }

    private boolean accept(String expected) {
        boolean found = word.equalsIgnoreCase(expected);
        if (found) {
            next();
        }
        return found;
    }

    private void expect(String word) {
        if (!accept(word)) {
            throw wrong(word);
        }
    }

    private int cost(String what, int most) {
        return number(what, 0, most);
    }

    private int number(String what) {
        return number(what, -Scoring.MAX_COST, Scoring.MAX_COST);
    }

    private int number(String what, int least, int most) {
        int number = isNumber() ? Integer.parseInt(word) : Integer.MIN_VALUE;
        if (number < least || number > most) {
            throw wrong("%s, a whole number from %d to %d".formatted(what, least, most));
        }
        next();
        return number;
    }

    private boolean isNumber() {
        int digits = word.startsWith("+") || word.startsWith("-") ? word.length() - 1 : word.length();
        return digits >= 1
                && digits <= MAX_DIGITS
                && word.chars().skip(word.length() - digits).allMatch(letter -> letter >= '0' && letter <= '9');
    }

    private BellmanException wrong(String expected) {
        String found = word.isEmpty() ? "the end of the scoring" : "'%s' at character %d".formatted(word, begin + 1);
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE,
                ("%s: invalid scoring '%s': found %s, expected %s. Examples: 'blosum62 open 11 extend "
                                + "1' or 'match 2 mismatch -3 open 5 extend 2'")
                        .formatted(function, scoring, found, expected));
    }
}
