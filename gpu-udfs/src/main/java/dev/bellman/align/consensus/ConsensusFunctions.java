package dev.bellman.align.consensus;

import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.FunctionOptions;
import dev.bellman.align.Text;
import dev.bellman.align.consensus.Consensus.Strategy;
import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.TaskMemory;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** Defines the function for the consensus of strings. */
public final class ConsensusFunctions {
    private static final Problem<Strategy> CONSENSUS = new Problem<>("consensus", Strategy.class, Strategy.SERIAL);

    /** spoa's scoring, without the second piece of its gap costs. */
    static final String SCORING = "match 5 mismatch -4 open 8 extend 6";

    private static final List<Parameter> PARAMETERS = List.of(
            new Parameter("sequences", DataTypes.createArrayType(StringType)).collectingRows(),
            Parameter.setting("scoring", StringType, (function, value) -> Scoring.of(function, value.toString()))
                    .orElse(UTF8String.fromString(SCORING), "'%s'".formatted(SCORING)));

    private ConsensusFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(Entry.of("consensus", CONSENSUS)
                .signature(PARAMETERS, StringType, ConsensusFunctions::consensus)
                .kernels(Strategy.AUTO)
                .description("Returns the consensus of several strings, such as reads of the same molecule, by "
                        + "partial order alignment, as spoa does. Each string is aligned globally with the graph of "
                        + "the strings before it. The result is the path through the graph with the most support, "
                        + "which is called the heaviest bundle. `scoring` has the same form as in `alignment_score`; "
                        + "the new string takes the role of `a`, and the graph that of `b`. Empty strings are "
                        + "ignored. If all strings are empty, the result is the empty string. If `sequences` is a "
                        + "string instead of an array, `consensus` is an aggregate function over the rows, in "
                        + "ascending order of the strings; it ignores NULL, and returns NULL if there are no strings. "
                        + "It supports DISTINCT, FILTER and OVER.")
                .rejects("`sequences` with a NULL entry; an invalid `scoring`; a letter that is missing from the "
                        + "matrix, unless `scoring` contains `other`")
                .example("consensus(array('ACGTTGCA', 'ACGTGCA', 'ACTTTGCA'))", "ACGTTGCA")
                .function());
    }

    private static Object consensus(Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        Scoring scoring = Scoring.of(function, arguments.string(1).toString());
        ArrayData array = arguments.array(0);
        TaskMemory.takeArgument(function, "sequences", array.numElements());
        List<Text> strings = new ArrayList<>();
        for (int i = 0; i < array.numElements(); i++) {
            if (array.isNullAt(i)) {
                throw ArrayArguments.invalid(function, "sequences", i, "NULL", "a string");
            }
            strings.add(Text.of(array.getUTF8String(i)));
        }
        Text consensus = Consensus.of(function, strings, scoring, strategy, options.cells());
        return UTF8String.fromBytes(consensus.bytes());
    }
}
