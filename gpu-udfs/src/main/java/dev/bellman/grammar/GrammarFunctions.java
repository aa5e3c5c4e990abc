package dev.bellman.grammar;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.TaskMemory;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.grammar.Cyk.Strategy;
import java.lang.ref.SoftReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** Defines the grammar functions. */
public final class GrammarFunctions {
    /** The number of bytes of memory per byte of a grammar, for the string and the rules. */
    private static final int BYTES_OF_A_LETTER = 40;

    private static final int BYTES_OF_A_TOKEN = 160;

    private static final StructType TREE =
            new StructType().add("log_probability", DoubleType, false).add("tree", StringType, false);

    private static final DataType WORDS = DataTypes.createArrayType(StringType);

    private GrammarFunctions() {}

    /** The grammar of the thread's last call, cached because usually all rows have the same grammar. */
    private record Read(UTF8String text, Grammar grammar) {}

    private static final ThreadLocal<SoftReference<Read>> LAST = new ThreadLocal<>();

    public static List<BellmanFunction<?>> list() {
        return List.of(cyk(), wordBreak());
    }

    private static BellmanFunction<?> cyk() {
        return Entry.of("cyk", new Problem<>("cyk", Strategy.class, Strategy.SERIAL))
                .signature(
                        List.of(
                                new Parameter("tokens", DataTypes.createArrayType(StringType)),
                                Parameter.setting(
                                                "grammar",
                                                StringType,
                                                (function, value) -> grammar(function, (UTF8String) value))
                                        .ofContent(value -> value.contains("->"))
                                        .constantOrColumnOnGpu()),
                        TREE,
                        GrammarFunctions::parse)
                .description("Returns the most likely parse tree of a sentence under a probabilistic context-free "
                        + "grammar in Chomsky normal form, and the natural logarithm of its probability. The grammar "
                        + "is a string in NLTK's notation: rules such as `S -> A B [0.9]` and `S -> 'word' [0.1]`, "
                        + "separated by line breaks or semicolons, with alternatives separated by `|`. The first "
                        + "symbol is the start symbol. Weights need not sum to 1. Ties: at each node, starting with "
                        + "the whole sentence, the first possible split, then the first rule.")
                .rejects("a token that is NULL or occurs in no rule; an empty array of tokens; a sentence without a "
                        + "parse tree; an invalid grammar; a weight that is not a finite number above 0")
                .example(
                        "cyk(array('she', 'eats', 'fish'), \"S -> N P [1]; P -> V N [1]; N -> 'she' [0.5] | 'fish' "
                                + "[0.5]; V -> 'eats' [1]\")",
                        "{-1.3862943611198906, (S (N she) (P (V eats) (N fish)))}")
                .kernels(Strategy.AUTO)
                .function();
    }

    private static BellmanFunction<?> wordBreak() {
        Parameter text = new Parameter("text", StringType);
        Parameter words = new Parameter("words", WORDS).constantOnGpu();
        Parameter weights = new Parameter("weights", DataTypes.createArrayType(DoubleType)).constantOnGpu();
        return Entry.of("word_break", new Problem<>("word_break", WordBreak.Strategy.class, WordBreak.Strategy.SERIAL))
                .signature(List.of(text, words), WORDS, GrammarFunctions::wordBreak)
                .signature(List.of(text, words, weights), WORDS, GrammarFunctions::wordBreak)
                .description("Splits a string without spaces, such as a hashtag or a domain name, into words. Returns "
                        + "the sequence with the fewest words. If `weights` is given, it contains a weight for each "
                        + "word, usually the logarithm of its frequency, and the function returns the sequence with "
                        + "the maximum sum of weights. Returns an empty array for an empty string. Ties: the longest "
                        + "last word, then the longest word before it, and so on.")
                .rejects("a string that is not a sequence of words; a word that is NULL or empty; a weight that is "
                        + "NULL, NaN or beyond 1e100 in magnitude; arrays of different lengths")
                .example("word_break('nowherefast', array('now', 'here', 'nowhere', 'fast'))", "[nowhere, fast]")
                .kernels(WordBreak.Strategy.AUTO)
                .function();
    }

    private static Object wordBreak(WordBreak.Strategy strategy, FunctionOptions options, Arguments arguments) {
        options.cells().add(arguments.string(0).numBytes());
        ArrayData weights = arguments.count() > 2 ? arguments.array(2) : null;
        return WordBreak.words(arguments.function(), arguments.string(0), arguments.array(1), weights, strategy);
    }

    private static Object parse(Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        Grammar grammar = grammar(function, arguments.string(1));
        List<String> sentence = sentence(function, arguments.array(0));
        options.cells()
                .add((long) (Math.pow(sentence.size(), 3) / 6 * grammar.pairs().size()));
        Cyk.Tree tree = Cyk.parse(grammar, sentence, strategy);
        return RowFactory.create(tree.logWeight(), tree.text());
    }

    private static List<String> sentence(String function, ArrayData tokens) {
        int count = tokens.numElements();
        if (count == 0) {
            throw BellmanException.inRow(function, "tokens is empty; a sentence must have at least one token");
        }
        TaskMemory.take(
                function, (long) BYTES_OF_A_TOKEN * count, "", () -> "a sentence of %,d tokens".formatted(count));
        List<String> sentence = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            if (tokens.isNullAt(i)) {
                throw ArrayArguments.invalid(function, "tokens", i, "NULL", "a string");
            }
            sentence.add(new String(TaskMemory.bytesOf(tokens.getUTF8String(i)), StandardCharsets.UTF_8));
        }
        return sentence;
    }

    /**
     * Parses a grammar, or returns the cached grammar if the string is the same. In both cases, the call reserves the
     * grammar's memory.
     */
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
}
