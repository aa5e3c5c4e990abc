package dev.bellman.align.scoring;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the text of a {@link Scoring}, word by word. */
final class ScoringParser {
    private static final Pattern WORD = Pattern.compile("\\S+");
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d{1,9}");

    private record Word(String text, int place) {}

    private final String function;
    private final String scoring;
    private final List<Word> words = new ArrayList<>();
    private int next;

    ScoringParser(String function, String scoring) {
        this.function = function;
        this.scoring = scoring;
        Matcher matcher = WORD.matcher(scoring);
        while (matcher.find()) {
            words.add(new Word(matcher.group(), matcher.start() + 1));
        }
    }

    Scoring parse() {
        Scoring parsed;
        if (accept("match")) {
            int match = number("the score of equal characters");
            expect("mismatch");
            int mismatch = number("the score of different characters");
            GapCosts[] gaps = gaps();
            parsed = new Scoring(match, mismatch, gaps[0], gaps[1]);
        } else {
            SubstitutionMatrix matrix = matrix();
            Optional<Integer> other =
                    accept("other") ? Optional.of(number("the score of other letters")) : Optional.empty();
            GapCosts[] gaps = gaps();
            parsed = new Scoring(matrix, other, gaps[0], gaps[1]);
        }
        if (next < words.size()) {
            throw wrong("the end of the scoring");
        }
        return parsed;
    }

    private SubstitutionMatrix matrix() {
        if (accept("matrix")) {
            return ownMatrix();
        }
        String name = next < words.size() ? words.get(next).text().toLowerCase(Locale.ROOT) : "";
        if (!SubstitutionMatrix.NAMES.contains(name)) {
            throw wrong("match, matrix, or one of " + String.join(", ", SubstitutionMatrix.NAMES));
        }
        next++;
        return SubstitutionMatrix.named(name);
    }

    private SubstitutionMatrix ownMatrix() {
        Word word = next < words.size() ? words.get(next) : null;
        if (word == null || !SubstitutionMatrix.areLetters(word.text())) {
            throw wrong("the letters of the matrix, each once and in printable ASCII, such as ACGT");
        }
        next++;
        int size = word.text().length();
        int[][] scores = new int[size][size];
        for (int x = 0; x < size; x++) {
            for (int y = 0; y < size; y++) {
                scores[x][y] = number("the score of %c and %c, one of %d * %d"
                        .formatted(word.text().charAt(x), word.text().charAt(y), size, size));
            }
        }
        return new SubstitutionMatrix("the matrix of the scoring", word.text(), scores);
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
        int open = cost("the cost of the first letter in a gap", Scoring.MAX_COST);
        expect("extend");
        return new GapCosts(open, cost("the cost of a further letter in a gap, at most the cost of the first", open));
    }

    private boolean accept(String word) {
        boolean found = next < words.size() && words.get(next).text().equalsIgnoreCase(word);
        next += found ? 1 : 0;
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
        String expected = "%s, a whole number from %d to %d".formatted(what, least, most);
        if (next == words.size() || !NUMBER.matcher(words.get(next).text()).matches()) {
            throw wrong(expected);
        }
        int number = Integer.parseInt(words.get(next).text());
        if (number < least || number > most) {
            throw wrong(expected);
        }
        next++;
        return number;
    }

    private BellmanException wrong(String expected) {
        String found = next < words.size()
                ? "'%s' at character %d"
                        .formatted(words.get(next).text(), words.get(next).place())
                : "its end";
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE,
                ("%s: the scoring '%s' has %s where it must have %s. A scoring is such as 'blosum62 open 11 extend "
                                + "1' or 'match 2 mismatch -3 open 5 extend 2'")
                        .formatted(function, scoring, found, expected));
    }
}
