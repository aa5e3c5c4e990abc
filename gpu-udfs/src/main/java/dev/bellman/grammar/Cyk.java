package dev.bellman.grammar;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the most likely parse tree of a sentence with the Cocke-Younger-Kasami algorithm (Younger, 1967).
 *
 * <pre>{@code
 * best(i, i + 1, A) = max over the rules A -> 'token i' of log weight
 * best(i, j, A)     = max over the splits k and the rules A -> B C of (best(i, k, B) + best(k, j, C)) + log weight
 * }</pre>
 *
 * <p>Here, {@code best(i, j, A)} is the largest log weight of a tree with root {@code A} over the tokens from {@code i}
 * (inclusive) to {@code j} (exclusive). Ties: the smallest split wins, and then the first rule of the grammar.
 */
public final class Cyk {
    /** Both strategies return the same tree. */
    public enum Strategy {
        /** For each split, tries only the rules whose left symbol derives the left part. */
        AUTO,
        /** Tries all rules. */
        SERIAL
    }

    /** The number of bytes per character of a result, including the copies in Spark. */
    private static final int BYTES_OF_A_LETTER = 12;

    private static final int BYTES_OF_A_CELL = Double.BYTES + 2 * Integer.BYTES;

    private final Grammar grammar;
    private final int tokens;
    private final int symbols;
    /** The largest log weight, indexed by span and symbol. */
    private final double[] best;

    /** The split and the rule that yield each best weight. */
    private final int[] splits;

    private final int[] rules;
    private final Cancellation cancellation = new Cancellation();

    private Cyk(Grammar grammar, int tokens) {
        this.grammar = grammar;
        this.tokens = tokens;
        symbols = grammar.symbols().size();
        double cells = (double) tokens * (tokens + 1) / 2 * symbols;
        TaskMemory.take(
                "cyk",
                (long) Math.min(cells * BYTES_OF_A_CELL, Long.MAX_VALUE),
                "",
                () -> "the table for %,d tokens and %,d symbols".formatted(tokens, symbols));
        if (cells > Integer.MAX_VALUE - 8) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "cyk: the table for %,d tokens and %,d symbols exceeds 2^31 - 9 cells".formatted(tokens, symbols));
        }
        best = new double[(int) cells];
        splits = new int[best.length];
        rules = new int[best.length];
        Arrays.fill(best, Double.NEGATIVE_INFINITY);
    }

    record Tree(double logWeight, String text) {}

    static Tree parse(Grammar grammar, List<String> sentence, Strategy strategy) {
        Cyk table = new Cyk(grammar, sentence.size());
        for (int i = 0; i < sentence.size(); i++) {
            List<Grammar.Word> words = grammar.words().get(sentence.get(i));
            if (words == null) {
                throw BellmanException.inRow("cyk", "no rule contains token %,d (counted from 1)".formatted(i + 1));
            }
            for (Grammar.Word word : words) {
                int cell = table.span(i, i + 1) + word.symbol();
                table.best[cell] = Math.max(table.best[cell], word.logWeight());
            }
        }
        for (int length = 2; length <= sentence.size(); length++) {
            for (int i = 0; i + length <= sentence.size(); i++) {
                for (int k = i + 1; k < i + length; k++) {
                    table.join(i, k, i + length, strategy);
                }
            }
        }
        int whole = table.span(0, sentence.size());
        if (table.best[whole] == Double.NEGATIVE_INFINITY) {
            throw BellmanException.inRow(
                    "cyk", "the grammar has no parse tree for these %,d tokens".formatted(sentence.size()));
        }
        StringBuilder text = new StringBuilder();
        table.write(0, sentence.size(), sentence, text);
        return new Tree(table.best[whole], text.toString());
    }

    /** Returns the index of the entry for the first symbol and the tokens from i (inclusive) to j (exclusive). */
    private int span(int i, int j) {
        return (spansBefore(j) + i) * symbols;
    }

    /**
     * Returns the number of spans whose exclusive end is less than {@code end}, which is {@code end (end - 1) / 2};
     * supports up to 65,535 tokens.
     */
    static int spansBefore(int end) {
        // the product is an unsigned 32-bit number
        return end * (end - 1) >>> 1;
    }

    private void join(int i, int k, int j, Strategy strategy) {
        int left = span(i, k);
        int right = span(k, j);
        int whole = span(i, j);
        if (strategy == Strategy.SERIAL) {
            join(grammar.pairs(), left, right, whole, k);
            return;
        }
        cancellation.count(symbols);
        for (int symbol = 0; symbol < symbols; symbol++) {
            if (best[left + symbol] > Double.NEGATIVE_INFINITY) {
                join(grammar.pairsOf().get(symbol), left, right, whole, k);
            }
        }
    }

    private void join(List<Grammar.Pair> pairs, int left, int right, int whole, int k) {
        cancellation.count(pairs.size());
        for (int p = 0; p < pairs.size(); p++) {
            Grammar.Pair pair = pairs.get(p);
            double sum = best[left + pair.left()] + best[right + pair.right()] + pair.logWeight();
            int cell = whole + pair.symbol();
            boolean isBetter = sum > best[cell];
            if (isBetter
                    || sum == best[cell]
                            && sum > Double.NEGATIVE_INFINITY
                            && splits[cell] == k
                            && pair.number() < rules[cell]) {
                best[cell] = sum;
                splits[cell] = k;
                rules[cell] = pair.number();
            }
        }
    }

    /** Writes a tree. Uses an explicit stack, because a tree may be as deep as the sentence is long. */
    private void write(int from, int end, List<String> sentence, StringBuilder text) {
        int longest = grammar.symbols().stream().mapToInt(String::length).max().orElseThrow();
        long letters = 2L * tokens * (longest + 4)
                + sentence.stream().mapToLong(String::length).sum();
        TaskMemory.take(
                "cyk", BYTES_OF_A_LETTER * letters, "", () -> "a tree of up to %,d characters".formatted(letters));
        int[][] stack = new int[2 * tokens + 1][];
        int parts = 0;
        stack[parts++] = new int[] {from, end, 0, 0};
        while (parts > 0) {
            int[] part = stack[--parts];
            text.append(text.isEmpty() ? "" : " ")
                    .append('(')
                    .append(grammar.symbols().get(part[2]));
            if (part[1] - part[0] == 1) {
                text.append(' ').append(sentence.get(part[0])).append(")".repeat(part[3] + 1));
                continue;
            }
            int cell = span(part[0], part[1]) + part[2];
            Grammar.Pair pair = grammar.pairs().get(rules[cell]);
            stack[parts++] = new int[] {splits[cell], part[1], pair.right(), part[3] + 1};
            stack[parts++] = new int[] {part[0], splits[cell], pair.left(), 0};
        }
    }
}
