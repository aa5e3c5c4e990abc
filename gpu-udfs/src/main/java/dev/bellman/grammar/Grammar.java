package dev.bellman.grammar;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Cancellation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A weighted grammar in Chomsky normal form, parsed from a string such as {@code S -> NP VP [0.9] | 'go' [0.1]}. Rules
 * are separated by line breaks or semicolons. The first rule's symbol is the start symbol.
 *
 * @param symbols the names of the symbols, indexed by number; 0 is the start
 * @param pairs the rules with two symbols, in the order of the string
 * @param words the rules of each word, in the order of the string
 * @param pairsOf the {@code pairs}, indexed by their left symbol
 */
record Grammar(List<String> symbols, List<Pair> pairs, Map<String, List<Word>> words, List<List<Pair>> pairsOf) {
    record Pair(int number, int symbol, int left, int right, double logWeight) {}

    record Word(int symbol, double logWeight) {}

    /** The maximum number of characters of a grammar to show in a message. */
    private static final int MAX_SHOWN = 80;

    private static final int STEPS_OF_A_PART = 256;

    private static final String ARROW = "->";

    private static final String NAME_ENDS = " \t\n\u000b\f\r;|['\"";

    private enum Part {
        ARROW,
        BAR,
        WORD,
        WEIGHT,
        END,
        NAME
    }

    private static final class Reader {
        private final String function;
        private final String text;
        private final Cancellation cancellation = new Cancellation();
        private int at;
        /** The kind of the token that ends before {@link #at}. */
        private Part part;
        /** The text of the token, if it is a word, a weight or a name. */
        private String value;

        private final Map<String, Integer> numbers = new HashMap<>();
        private final List<String> symbols = new ArrayList<>();
        private final List<Pair> pairs = new ArrayList<>();
        private final Map<String, List<Word>> words = new HashMap<>();

        Reader(String function, String text) {
            this.function = function;
            this.text = text;
        }

        Grammar read() {
            while (next()) {
                if (part != Part.END) {
                    rules(symbol());
                }
            }
            if (symbols.isEmpty()) {
                throw invalid("the grammar has no rules");
            }
            List<List<Pair>> pairsOf = new ArrayList<>();
            symbols.forEach(symbol -> pairsOf.add(new ArrayList<>()));
            pairs.forEach(pair -> pairsOf.get(pair.left()).add(pair));
            return new Grammar(symbols, pairs, words, pairsOf);
        }

        /** Advances to the next token. Returns false at the end of the string. */
        private boolean next() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at)) && text.charAt(at) != '\n') {
                at++;
            }
            if (at == text.length()) {
                return false;
            }
            cancellation.count(STEPS_OF_A_PART);
            char first = text.charAt(at);
            if (text.startsWith(ARROW, at)) {
                found(Part.ARROW, at, at + ARROW.length(), 0);
            } else if (first == '|') {
                found(Part.BAR, at, at + 1, 0);
            } else if (first == '\n' || first == ';') {
                found(Part.END, at, at + 1, 0);
            } else if (first == '\'' || first == '"') {
                found(Part.WORD, at + 1, closing(first), 1);
            } else if (first == '[') {
                found(Part.WEIGHT, at + 1, closing(']'), 1);
            } else {
                found(Part.NAME, at, endOfName(), 0);
            }
            return true;
        }

        private void found(Part found, int begin, int end, int behind) {
            part = found;
            value = text.substring(begin, end);
            at = end + behind;
        }

        /** Returns the position of the closing quote or bracket. A bracket must be closed on the same line. */
        private int closing(char other) {
            int closing = at + 1;
            while (closing < text.length()
                    && text.charAt(closing) != other
                    && (other != ']' || text.charAt(closing) != '\n')) {
                closing++;
            }
            if (closing == text.length() || text.charAt(closing) != other) {
                throw invalid("an unclosed quote or bracket");
            }
            return closing;
        }

        private int endOfName() {
            int end = at + 1;
            while (end < text.length() && NAME_ENDS.indexOf(text.charAt(end)) < 0 && !text.startsWith(ARROW, end)) {
                end++;
            }
            return end;
        }

        private void expect(Part expected, String inWords) {
            if (!next() || part != expected) {
                throw invalid("expected " + inWords);
            }
        }

        private int symbol() {
            if (part != Part.NAME) {
                throw invalid("expected the name of a symbol");
            }
            return numbers.computeIfAbsent(value, any -> {
                symbols.add(any);
                return symbols.size() - 1;
            });
        }

        private void rules(int symbol) {
            expect(Part.ARROW, ARROW);
            boolean more = true;
            while (more) {
                expectAny();
                if (part == Part.WORD) {
                    String word = value;
                    double weight = weight();
                    words.computeIfAbsent(word, any -> new ArrayList<>()).add(new Word(symbol, weight));
                } else {
                    int left = symbol();
                    expect(Part.NAME, "a second symbol");
                    int right = symbol();
                    pairs.add(new Pair(pairs.size(), symbol, left, right, weight()));
                }
                boolean ends = !next() || part == Part.END;
                if (!ends && part != Part.BAR) {
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

        private double weight() {
            expect(Part.WEIGHT, "a weight in brackets");
            double weight;
            try {
                weight = Double.parseDouble(value);
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
                    ("%s: grammar: %s after '%s' in line %,d, '%s'; write rules like S -> A B [0.9] or S -> "
                                    + "'word' [0.1], with alternatives separated by |")
                            .formatted(
                                    function,
                                    problem,
                                    text.substring(Math.max(begin, at - MAX_SHOWN), at),
                                    line,
                                    text.substring(begin, Math.min(end, begin + MAX_SHOWN))));
        }
    }

    /** @throws BellmanException if the string is not a grammar */
    static Grammar of(String function, String text) {
        return new Reader(function, text).read();
    }
}
