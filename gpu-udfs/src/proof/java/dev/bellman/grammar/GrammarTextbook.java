package dev.bellman.grammar;

import static dev.bellman.proof.Values.invalid;

import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Defines {@code cyk} by its recurrence, which is evaluated once for each span and symbol. Reads only grammars in the
 * form that the generator writes.
 */
final class GrammarTextbook {
    private static final Pattern RULE = Pattern.compile("(\\w+) -> (?:(\\w+) (\\w+)|'([^']*)') \\[([0-9.E-]+)\\]");

    private record Rule(String symbol, String left, String right, String word, double logWeight) {}

    private record Span(int from, int end, String symbol) {}

    private record Tree(double logWeight, String text) {}

    private final List<Rule> rules = new ArrayList<>();
    private final List<String> tokens = new ArrayList<>();
    private final Map<Span, Tree> trees = new HashMap<>();

    private GrammarTextbook() {}

    static Object parse(InternalRow row) {
        GrammarTextbook textbook = new GrammarTextbook();
        ArrayData tokens = row.getArray(0);
        if (tokens.numElements() == 0 || Values.hasNull(tokens)) {
            throw invalid();
        }
        for (int i = 0; i < tokens.numElements(); i++) {
            textbook.tokens.add(tokens.getUTF8String(i).toString());
        }
        for (String line : row.getUTF8String(1).toString().split("\n")) {
            Matcher matcher = RULE.matcher(line);
            if (!matcher.matches() || Double.parseDouble(matcher.group(5)) == 0) {
                throw invalid();
            }
            textbook.rules.add(new Rule(
                    matcher.group(1),
                    matcher.group(2),
                    matcher.group(3),
                    matcher.group(4),
                    StrictMath.log(Double.parseDouble(matcher.group(5)))));
        }
        Tree best = textbook.tree(new Span(0, textbook.tokens.size(), textbook.rules.get(0).symbol));
        if (best == null) {
            throw invalid();
        }
        return Values.row(best.logWeight, UTF8String.fromString(best.text));
    }

    /** Returns the best tree, or null if there is none. */
    private Tree tree(Span span) {
        if (trees.containsKey(span)) {
            return trees.get(span);
        }
        Tree best = null;
        if (span.end - span.from == 1) {
            for (Rule rule : rules) {
                if (rule.symbol.equals(span.symbol) && tokens.get(span.from).equals(rule.word)) {
                    best = better(best, rule.logWeight, "(%s %s)".formatted(span.symbol, rule.word));
                }
            }
        }
        for (int k = span.from + 1; k < span.end; k++) {
            for (Rule rule : rules) {
                if (rule.word == null && rule.symbol.equals(span.symbol)) {
                    Tree left = tree(new Span(span.from, k, rule.left));
                    Tree right = left == null ? null : tree(new Span(k, span.end, rule.right));
                    if (right != null) {
                        double sum = left.logWeight + right.logWeight + rule.logWeight;
                        best = better(best, sum, "(%s %s %s)".formatted(span.symbol, left.text, right.text));
                    }
                }
            }
        }
        trees.put(span, best);
        return best;
    }

    private static Tree better(Tree best, double logWeight, String text) {
        return best == null || logWeight > best.logWeight ? new Tree(logWeight, text) : best;
    }
}
