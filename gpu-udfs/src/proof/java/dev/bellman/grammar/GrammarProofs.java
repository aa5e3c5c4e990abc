package dev.bellman.grammar;

import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** Provides the textbook implementations and the test instances for {@code cyk} and {@code word_break}. */
public final class GrammarProofs implements Proofs {
    private static final int REJECTED = 300;
    private static final String[] WORDS = {"a", "b", "é"};

    @Override
    public List<Proof> list() {
        return List.of(
                new Proof("cyk", new InstanceGenerator(GrammarProofs::instance, 6, 60, 3), GrammarTextbook::parse),
                new Proof("word_break", 0, words(false), row -> WordBreakTextbook.solve(row, false)),
                new Proof("word_break", 1, words(true), row -> WordBreakTextbook.solve(row, true)));
    }

    /** Draws sentences, and grammars that can usually derive them, which several rows share. */
    private static InternalRow instance(SplittableRandom random, int size, LongSupplier shared) {
        String grammar = String.join("\n", rules(new SplittableRandom(shared.getAsLong())));
        Object[] tokens = new Object[random.nextInt(REJECTED) == 0 ? 0 : Math.max(1, Values.size(random, size))];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = UTF8String.fromString(Values.oneOf(random, WORDS));
        }
        if (tokens.length > 0 && random.nextInt(REJECTED) == 0) {
            tokens[random.nextInt(tokens.length)] = random.nextBoolean() ? null : UTF8String.fromString("");
        }
        return Values.row(
                Values.sometimesNull(random, Values.arrayOf(tokens)),
                Values.sometimesNull(random, UTF8String.fromString(grammar)));
    }

    /** Draws grammars that have few symbols and many ties. */
    private static List<String> rules(SplittableRandom random) {
        String[] symbols = {"S", "A", "B", "C"};
        List<String> rules = new ArrayList<>();
        int count = 1 + random.nextInt(12);
        for (int r = 0; r < count; r++) {
            String left = random.nextInt(3) == 0 ? "S" : Values.oneOf(random, symbols);
            rules.add("%s -> %s %s [%s]"
                    .formatted(left, Values.oneOf(random, symbols), Values.oneOf(random, symbols), weight(random)));
        }
        for (String word : WORDS) {
            rules.add("%s -> '%s' [%s]".formatted(Values.oneOf(random, symbols), word, weight(random)));
            if (random.nextInt(4) > 0) {
                rules.add("S -> '%s' [%s]".formatted(word, weight(random)));
            }
        }
        rules.add(0, "S -> S S [%s]".formatted(weight(random)));
        switch (random.nextInt(REJECTED)) {
            case 0 -> rules.add("S -> A [1.0]");
            case 1 -> rules.add("S -> A B [0]");
            default -> {}
        }
        return rules;
    }

    private static InstanceGenerator words(boolean weighted) {
        return new InstanceGenerator((random, size) -> wordBreak(random, size, weighted), 10, 200, 2);
    }

    /** Draws short words over a few letters, and strings that usually consist of these words. */
    private static InternalRow wordBreak(SplittableRandom random, int size, boolean weighted) {
        Object[] words = new Object[1 + random.nextInt(9)];
        for (int i = 0; i < words.length; i++) {
            words[i] = UTF8String.fromString(letters(random, 1 + random.nextInt(4)));
        }
        StringBuilder text = new StringBuilder();
        int length = Values.size(random, size);
        while (text.length() < length) {
            text.append(random.nextInt(10 * REJECTED) == 0 ? "x" : words[random.nextInt(words.length)]);
        }
        switch (random.nextInt(REJECTED)) {
            case 0 -> words[0] = UTF8String.fromString("");
            case 1 -> words[0] = null;
            case 2 -> text.append("x");
            default -> {}
        }
        Object string = Values.sometimesNull(random, UTF8String.fromString(text.toString()));
        Object list = Values.sometimesNull(random, Values.arrayOf(words));
        if (!weighted) {
            return Values.row(string, list);
        }
        double[] weights = new double[random.nextInt(REJECTED) == 0 ? words.length + 1 : words.length];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = random.nextBoolean() ? -random.nextInt(4) : -weight(random);
        }
        if (random.nextInt(REJECTED) == 0) {
            weights[0] = Values.oneOf(random, Double.NaN, Double.NEGATIVE_INFINITY, 2e100);
        }
        return Values.row(string, list, Values.sometimesNull(random, Values.array(weights), DataTypes.DoubleType));
    }

    private static String letters(SplittableRandom random, int count) {
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < count; i++) {
            letters.append(Values.oneOf(random, "a", "b", "\u00e9"));
        }
        return letters.toString();
    }

    private static double weight(SplittableRandom random) {
        return Values.oneOf(random, 0.5, 0.5, 0.25, 1 - random.nextDouble());
    }
}
