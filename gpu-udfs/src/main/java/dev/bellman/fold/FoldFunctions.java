package dev.bellman.fold;

import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.TaskMemory;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import java.util.List;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** Defines the functions of the fold family. */
public final class FoldFunctions {
    private static final Problem<AccordionFold.Strategy> ACCORDION_FOLD =
            new Problem<>("accordion_fold", AccordionFold.Strategy.class, AccordionFold.Strategy.SERIAL);
    private static final Problem<BasePairs.Strategy> MAX_BASE_PAIRS =
            new Problem<>("max_base_pairs", BasePairs.Strategy.class, BasePairs.Strategy.SERIAL);

    private static final StructType FOLD = new StructType()
            .add("score", IntegerType, false)
            .add("ends", DataTypes.createArrayType(IntegerType, false), false);

    private static final List<Parameter> BASES = List.of(
            new Parameter("sequence", StringType),
            Parameter.setting("min_loop", IntegerType, (function, value) -> checkMinLoop(function, (Integer) value))
                    .orElse(BasePairs.MIN_LOOP));

    private FoldFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(accordionFold(), maxBasePairs(), maxBasePairsStructure());
    }

    private static BellmanFunction<?> accordionFold() {
        return Entry.of("accordion_fold", ACCORDION_FOLD)
                .signature(List.of(new Parameter("hp_sequence", StringType)), FOLD, FoldFunctions::accordion)
                .kernels(AccordionFold.Strategy.AUTO, AccordionFold.Strategy.QUADRATIC)
                .description("Returns the best folding of a protein into strands that lie side by side, like an "
                        + "accordion. `hp_sequence` contains a letter for each residue: `H` or `1` if it is "
                        + "hydrophobic, `P` or `0` if not. For amino acids, use `translate(protein, "
                        + "'ACDEFGHIKLMNPQRSTVWY', 'HHPPHPPHPHHPPPPPPHHH')`. Strands have at least two residues, "
                        + "unless the chain has only one. Two hydrophobic residues that face each other in "
                        + "neighbouring strands form a contact, except for the two residues at the fold, which are "
                        + "neighbours in the chain. `score` is the maximum number of contacts; `ends` lists the last "
                        + "residue of each strand, counted from 1. Ties: the shortest first strand, then the shortest "
                        + "second strand, and so on.")
                .rejects("a letter other than `H`, `P`, `1` or `0`")
                .example("accordion_fold('HHPPHHPPHH')", "{4, [3, 7, 10]}")
                .function();
    }

    private static Entry<BasePairs.Strategy> ofBases(String name) {
        return Entry.of(name, MAX_BASE_PAIRS)
                .kernels(BasePairs.Strategy.AUTO, BasePairs.Strategy.SPARSE)
                .rejects("a letter other than a base or `N`; a negative `min_loop`");
    }

    private static BellmanFunction<?> maxBasePairs() {
        return ofBases("max_base_pairs")
                .signature(BASES, IntegerType, FoldFunctions::count)
                .description("Returns the maximum number of non-crossing base pairs (C-G, A-U or G-U) in an RNA. At "
                        + "least `min_loop` bases separate the two bases of a pair. T counts as U, and lowercase as "
                        + "uppercase; N does not pair.")
                .example("max_base_pairs('GGGAAAUCC')", "3")
                .function();
    }

    private static BellmanFunction<?> maxBasePairsStructure() {
        return ofBases("max_base_pairs_structure")
                .signature(BASES, StringType, FoldFunctions::structure)
                .description("Returns an RNA structure with the maximum number of base pairs, as in `max_base_pairs`, "
                        + "in dot-bracket notation. Ties: the first base is unpaired if possible; otherwise, it pairs "
                        + "with the first possible base. The same rule then applies to each following base.")
                .example("max_base_pairs_structure('GGGAAAUCC')", "(((...)))")
                .function();
    }

    private static Object accordion(AccordionFold.Strategy strategy, FunctionOptions options, Arguments arguments) {
        byte[] residues = TaskMemory.bytesOf(arguments.string(0));
        AccordionFold.Solution solution = AccordionFold.solve(residues, strategy);
        options.cells().add((long) residues.length * residues.length / 2);
        return RowFactory.create(solution.score(), solution.ends());
    }

    private static Object count(BasePairs.Strategy strategy, FunctionOptions options, Arguments arguments) {
        return pairs(strategy, options, arguments).count();
    }

    private static Object structure(BasePairs.Strategy strategy, FunctionOptions options, Arguments arguments) {
        return UTF8String.fromBytes(pairs(strategy, options, arguments).structure());
    }

    private static BasePairs pairs(BasePairs.Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        int minLoop = arguments.integer(1);
        checkMinLoop(function, minLoop);
        byte[] bases = Bases.of(function, "sequence", TaskMemory.bytesOf(arguments.string(0)));
        BasePairs pairs = BasePairs.of(function, bases, minLoop, strategy);
        options.cells().add((long) bases.length * bases.length / 2);
        return pairs;
    }

    private static void checkMinLoop(String function, int minLoop) {
        if (minLoop < 0) {
            throw BellmanException.inSetting(
                    function,
                    "min_loop is %d; it must be at least 0. Use 3, the minimum in real RNA, or 0 for no minimum"
                            .formatted(minLoop));
        }
    }
}
