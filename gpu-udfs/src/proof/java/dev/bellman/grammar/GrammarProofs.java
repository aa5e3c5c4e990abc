package dev.bellman.grammar;

import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/** The textbook and the instances of {@code cyk}. */
public final class GrammarProofs implements Proofs {
    /** For each reason, about one row in this many is rejected. */
    private static final int REJECTED = 300;

    @Override
    public List<Proof> list() {
        return List.of(
                new Proof("cyk", new InstanceGenerator(GrammarProofs::instance, 6, 60, 3), GrammarTextbook::parse));
    }

    /** Grammars of few symbols, with ties, and sentences that they mostly derive. */
    private static InternalRow instance(SplittableRandom random, int size) {
        String[] symbols = {"S", "A", "B", "C"};
        String[] words = {"a", "b", "é"};
        List<String> rules = new ArrayList<>();
        int count = 1 + random.nextInt(12);
        for (int r = 0; r < count; r++) {
            String left = random.nextInt(3) == 0 ? "S" : Values.oneOf(random, symbols);
            rules.add("%s -> %s %s [%s]"
                    .formatted(left, Values.oneOf(random, symbols), Values.oneOf(random, symbols), weight(random)));
        }
        for (String word : words) {
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
        Object[] tokens = new Object[random.nextInt(REJECTED) == 0 ? 0 : Math.max(1, Values.size(random, size))];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = UTF8String.fromString(Values.oneOf(random, words));
        }
        if (tokens.length > 0 && random.nextInt(REJECTED) == 0) {
            tokens[random.nextInt(tokens.length)] = random.nextBoolean() ? null : UTF8String.fromString("");
        }
        return Values.row(
                Values.sometimesNull(random, Values.arrayOf(tokens)),
                Values.sometimesNull(random, UTF8String.fromString(String.join("\n", rules))));
    }

    private static double weight(SplittableRandom random) {
        return Values.oneOf(random, 0.5, 0.5, 0.25, 1 - random.nextDouble());
    }
}
