package dev.bellman.grammar;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.AnyUdf;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.TaskMemory;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import dev.bellman.entry.Values;
import dev.bellman.grammar.Cyk.Strategy;
import java.lang.ref.SoftReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** The function of this family. */
public final class GrammarFunctions {
    /** For each reason, one row in about this many is rejected. */
    private static final int REJECTED = 300;

    /** Of a text, and of the rules in it. */
    private static final int BYTES_OF_A_LETTER = 40;

    private static final int BYTES_OF_A_TOKEN = 160;

    private static final StructType RESULT = new StructType()
            .add("log_probability", DataTypes.DoubleType, false)
            .add("tree", DataTypes.StringType, false);

    private GrammarFunctions() {}

    /** The grammar of the last call of a thread: it is mostly the same for all rows. */
    private record Read(UTF8String text, Grammar grammar) {}

    private static final ThreadLocal<SoftReference<Read>> LAST = new ThreadLocal<>();

    public static List<BellmanFunction<?>> list() {
        return List.of(new BellmanFunction<>(
                "cyk",
                new Problem<>("cyk", Strategy.class, Strategy.SERIAL),
                List.of(new Signature<>(
                        List.of(
                                new Parameter("tokens", DataTypes.createArrayType(DataTypes.StringType)),
                                Parameter.setting(
                                        "grammar",
                                        DataTypes.StringType,
                                        (function, value) -> grammar(function, (UTF8String) value))),
                        RESULT,
                        GrammarFunctions::udf,
                        new InstanceGenerator(GrammarFunctions::instance, 6, 60, 3),
                        GrammarTextbook::parse)),
                "The likeliest tree of a sentence by a probabilistic context-free grammar in Chomsky's normal form, "
                        + "and the natural logarithm of its probability. The grammar is a text as in nltk: rules "
                        + "`S -> A B [0.9]` and `S -> 'word' [0.1]` on lines or apart by semicolons, alternatives "
                        + "apart by `|`; the first symbol is the start. Weights need not sum up to 1. Of several "
                        + "trees, the one with the first split, and then the first rule, from the whole sentence down.",
                Optional.of(
                        "a token that is NULL or in no rule; no tokens; a sentence without a tree; a text that is no "
                                + "grammar; a weight that is not a finite number above 0"),
                new Example(
                        "cyk(array('she', 'eats', 'fish'), \"S -> N P [1]; P -> V N [1]; N -> 'she' [0.5] | 'fish' "
                                + "[0.5]; V -> 'eats' [1]\")",
                        "{-1.3862943611198906, (S (N she) (P (V eats) (N fish)))}")));
    }

    private static AnyUdf udf(Strategy strategy, FunctionOptions options) {
        return AnyUdf.ofRows(options, arguments -> {
            ArrayData tokens = (ArrayData) arguments[0];
            int count = tokens.numElements();
            Grammar grammar = grammar("cyk", (UTF8String) arguments[1]);
            if (count == 0) {
                throw BellmanException.inRow("cyk", "tokens is empty; a sentence has at least one");
            }
            TaskMemory.take(
                    "cyk", (long) BYTES_OF_A_TOKEN * count, "", () -> "a sentence of %,d tokens".formatted(count));
            List<String> sentence = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                if (tokens.isNullAt(i)) {
                    throw ArrayArguments.invalid("cyk", "tokens", i, "NULL", "a text");
                }
                sentence.add(new String(TaskMemory.bytesOf(tokens.getUTF8String(i)), StandardCharsets.UTF_8));
            }
            options.cells().add((long) (Math.pow(count, 3) / 6 * grammar.pairs().size()));
            Cyk.Tree tree = Cyk.parse(grammar, sentence, strategy);
            return RowFactory.create(tree.logWeight(), tree.text());
        });
    }

    /** Reads a grammar, or finds it. A call holds it in both cases. */
    private static Grammar grammar(String function, UTF8String text) {
        TaskMemory.take(function, (long) BYTES_OF_A_LETTER * text.numBytes(), "", () -> "a grammar of %,d bytes"
                .formatted(text.numBytes()));
        SoftReference<Read> last = LAST.get();
        Read read = last == null ? null : last.get();
        if (read == null || !read.text().equals(text)) {
            read = new Read(text.clone(), Grammar.of(function, text.toString()));
            LAST.set(new SoftReference<>(read));
        }
        return read.grammar();
    }

    /** Grammars of few symbols, with ties, whose sentences are mostly theirs. */
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
