package dev.bellman.grammar;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Cancellation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A weighted grammar in Chomsky's normal form, as a text: {@code S -> NP VP [0.9] | 'go' [0.1]}, rules on lines or
 * apart by semicolons. The first rule's symbol is the start.
 *
 * @param symbols the names of symbols by their numbers; 0 is the start
 * @param pairs the rules with two symbols, in the order of the text
 * @param words the rules of each word, in the order of the text
 * @param pairsOf the {@code pairs} by their left symbol
 */
record Grammar(List<String> symbols, List<Pair> pairs, Map<String, List<Word>> words, List<List<Pair>> pairsOf) {
    /** A rule with two symbols. */
    record Pair(int number, int symbol, int left, int right, double logWeight) {}

    /** A rule with a word. */
    record Word(int symbol, double logWeight) {}

    /** The most characters of a text in a message. */
    private static final int MAX_SHOWN = 80;

    private static final int STEPS_OF_A_PART = 256;

    /** A name, an arrow, a bar, a word in quotes, a weight in brackets, the end of a rule. */
    private static final Pattern PART = Pattern.compile("(?:(->)|(\\|)|'([^']*)'|\"([^\"]*)\"|"
            + "\\[ *([^\\]\\n]*?) *\\]|(\\n|;)|([^\\s;|\\['\"]+?)(?=->|[\\s;|\\['\"]|\\z))");

    /** Reads a text part by part. */
    private static final class Reader {
        private final String function;
        private final Matcher matcher;
        private final String text;
        private final Cancellation cancellation = new Cancellation();
        private int at;
        private final Map<String, Integer> numbers = new HashMap<>();
        private final List<String> symbols = new ArrayList<>();
        private final List<Pair> pairs = new ArrayList<>();
        private final Map<String, List<Word>> words = new HashMap<>();

        Reader(String function, String text) {
            this.function = function;
            this.text = text;
            matcher = PART.matcher(text);
        }

        Grammar read() {
            while (next()) {
                if (matcher.group(6) == null) {
                    rules(symbol());
                }
            }
            if (symbols.isEmpty()) {
                throw invalid("there is no rule");
            }
            List<List<Pair>> pairsOf = new ArrayList<>();
            symbols.forEach(symbol -> pairsOf.add(new ArrayList<>()));
            pairs.forEach(pair -> pairsOf.get(pair.left()).add(pair));
            return new Grammar(symbols, pairs, words, pairsOf);
        }

        /** Goes to the next part; false at the end. */
        private boolean next() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at)) && text.charAt(at) != '\n') {
                at++;
            }
            if (at == text.length()) {
                return false;
            }
            matcher.region(at, text.length());
            if (!matcher.lookingAt()) {
                throw invalid("a quote or a bracket has no other");
            }
            at = matcher.end();
            cancellation.count(STEPS_OF_A_PART);
            return true;
        }

        private void expect(int group, String expected) {
            if (!next() || matcher.group(group) == null) {
                throw invalid("expected " + expected);
            }
        }

        private int symbol() {
            String name = matcher.group(7);
            if (name == null) {
                throw invalid("expected the name of a symbol");
            }
            return numbers.computeIfAbsent(name, any -> {
                symbols.add(any);
                return symbols.size() - 1;
            });
        }

        private void rules(int symbol) {
            expect(1, "->");
            boolean more = true;
            while (more) {
                expectAny();
                String word = matcher.group(3) != null ? matcher.group(3) : matcher.group(4);
                if (word != null) {
                    double weight = weight();
                    words.computeIfAbsent(word, any -> new ArrayList<>()).add(new Word(symbol, weight));
                } else {
                    int left = symbol();
                    expect(7, "a second symbol");
                    int right = symbol();
                    pairs.add(new Pair(pairs.size(), symbol, left, right, weight()));
                }
                boolean ends = !next() || matcher.group(6) != null;
                if (!ends && matcher.group(2) == null) {
                    throw invalid("expected | or the end of the rule");
                }
                more = !ends;
            }
        }

        private void expectAny() {
            if (!next()) {
                throw invalid("expected two symbols, or a word in quotes");
            }
        }

        /** The logarithm. */
        private double weight() {
            expect(5, "a weight in brackets");
            double weight;
            try {
                weight = Double.parseDouble(matcher.group(5));
            } catch (NumberFormatException e) {
                throw invalid("expected a number in brackets");
            }
            if (!(weight > 0 && weight <= Double.MAX_VALUE)) {
                throw invalid("a weight must be a finite number above 0");
            }
            return StrictMath.log(weight);
        }

        private BellmanException invalid(String problem) {
            int begin = text.lastIndexOf('\n', at - 1) + 1;
            int end = text.indexOf('\n', at) < 0 ? text.length() : text.indexOf('\n', at);
            long line = text.substring(0, at).chars().filter(c -> c == '\n').count() + 1;
            return new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    ("%s: grammar: %s after '%s' in line %,d, '%s'; a rule is S -> A B [0.9] or S -> 'word' [0.1], "
                                    + "with alternatives apart by |")
                            .formatted(
                                    function,
                                    problem,
                                    text.substring(Math.max(begin, at - MAX_SHOWN), at),
                                    line,
                                    text.substring(begin, Math.min(end, begin + MAX_SHOWN))));
        }
    }

    /** @throws BellmanException if the text is no grammar */
    static Grammar of(String function, String text) {
        return new Reader(function, text).read();
    }
}
