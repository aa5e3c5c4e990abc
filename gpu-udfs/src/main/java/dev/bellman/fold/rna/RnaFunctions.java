package dev.bellman.fold.rna;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** The functions of this family. */
public final class RnaFunctions {
    private static final Problem<RnaFold.Strategy> RNA_FOLDING =
            new Problem<>("rna_folding", RnaFold.Strategy.class, RnaFold.Strategy.ZUKER);

    private static final Parameter SEQ = new Parameter("seq", DataTypes.StringType);
    private static final Parameter STRUCTURE = new Parameter("structure", DataTypes.StringType);
    private static final Parameter A = new Parameter("a", DataTypes.StringType);
    private static final Parameter B = new Parameter("b", DataTypes.StringType);
    private static final Parameter OPTIONS = options(FoldOptions::of);
    private static final Parameter CONSTRAINED = options(FoldOptions::constrained);
    private static final Parameter OF_STRANDS = options(FoldOptions::ofStrands);
    private static final Parameter WINDOW = size("window");
    private static final Parameter STEP = size("step");

    private static final String NO_BASE = "a letter that is not a base or `N`";
    private static final String WRONG_STRUCTURE = "; a structure with another number of letters than `seq`, with a "
            + "letter that is not a dot or bracket, unbalanced brackets, a pair of other bases than C and G, A and U "
            + "or G and U, or fewer than 3 bases in a hairpin";

    private static final String REJECTS = NO_BASE + "; unknown options; a sequence of more than 32,767 bases";

    private static final String OF_CONSTRAINT = "; a constraint with another number of letters than `seq`, another "
            + "letter, unbalanced brackets, or brackets at bases that cannot pair; one that no structure meets";

    private static final Parameter MIN_PROBABILITY = Parameter.setting(
            "min_probability",
            DataTypes.DoubleType,
            (function, value) -> RnaSolvers.checkProbability(function, (Double) value));

    private static final Parameter GAMMA = Parameter.setting(
            "gamma", DataTypes.DoubleType, (function, value) -> RnaSolvers.checkGamma(function, (Double) value));

    private RnaFunctions() {}

    private static Parameter options(BiConsumer<String, String> check) {
        return Parameter.setting(
                        "options", DataTypes.StringType, (function, value) -> check.accept(function, value.toString()))
                .withFiles(FoldOptions::readFile)
                .orElse(UTF8String.EMPTY_UTF8, "none");
    }

    private static Parameter size(String name) {
        return Parameter.setting(
                name,
                DataTypes.IntegerType,
                (function, value) -> RnaWindows.checkSize(function, name, (Integer) value));
    }

    public static List<BellmanFunction<?>> list() {
        return Stream.of(foldings(), scans(), ensembles()).flatMap(List::stream).toList();
    }

    private static List<BellmanFunction<?>> foldings() {
        return List.of(
                Entry.of("rna_fold", RNA_FOLDING)
                        .signature(List.of(SEQ, CONSTRAINED), RnaSolvers.FOLDING, RnaSolvers.fold())
                        .kernels(RnaFold.Strategy.AUTO, RnaFold.Strategy.TILED)
                        .description("The structure of an RNA with the least free energy, in dots and brackets, "
                                + "and its energy in kcal/mol: what RNAfold of ViennaRNA returns, with the same "
                                + "structure of several with the same energy. `options` are any of `dangles 0` (2 "
                                + "by default), `no_lp`, for no lonely pairs, `temperature 25` (37 by default), "
                                + "`constraint TEXT`, what each base may do, in ViennaRNA's letters `. x | < > ( "
                                + ")`, `enforce`, by which bases with `|` or a bracket must pair, and, last, "
                                + "`parameters FILE`, energies in ViennaRNA's format 2. T counts as U, small "
                                + "letters as capitals; N pairs with nothing.")
                        .rejects(REJECTS + OF_CONSTRAINT)
                        .example("rna_fold('GGGGAAAACCCC')", "{-5.4, ((((....))))}")
                        .function(),
                Entry.of("rna_fold_energy", RNA_FOLDING)
                        .signature(List.of(SEQ, CONSTRAINED), DataTypes.DoubleType, RnaSolvers.energy())
                        .kernels(RnaFold.Strategy.AUTO, RnaFold.Strategy.TILED)
                        .description("The energy of `rna_fold`.")
                        .rejects(REJECTS + OF_CONSTRAINT)
                        .example("rna_fold_energy('GGGGAAAACCCC', 'temperature 25')", "-6.76")
                        .function(),
                Entry.of("rna_eval", RNA_FOLDING)
                        .signature(List.of(SEQ, STRUCTURE, OPTIONS), RnaSolvers.LOOPS, RnaSolvers::eval)
                        .description("The energy of a given structure of an RNA in kcal/mol, and its loops, the "
                                + "exterior one first, the others by their 5' base: their kind (`exterior`, "
                                + "`hairpin`, `stack`, `bulge`, `internal`, `multiloop`), the pair `i`, `j` that "
                                + "closes a loop, the inner pair `p`, `q` if there is one, counted from 1, and "
                                + "the energy. `options` are as in `rna_fold`, without a constraint.")
                        .rejects(NO_BASE + WRONG_STRUCTURE + "; unknown options; a sequence of more than 32,767 bases")
                        .example(
                                "rna_eval('GAAAC', '(...)')",
                                "{5.4, [{exterior, null, null, null, null, 0.0}, {hairpin, 1, 5, null, null, 5.4}]}")
                        .function());
    }

    private static List<BellmanFunction<?>> scans() {
        return List.of(
                Entry.of("rna_duplex", RNA_FOLDING)
                        .signature(List.of(A, B, OF_STRANDS), RnaSolvers.DUPLEX, RnaSolvers::duplex)
                        .description("How two RNAs bind with the least energy, by pairs between the two alone: "
                                + "what RNAduplex of ViennaRNA returns. The energy in kcal/mol, with the "
                                + "initiation of a second strand; the structure of the parts that bind, with "
                                + "their unpaired neighbours, `&` between both; where these parts begin and end, "
                                + "counted from 0, the end exclusive. The energy is NULL, and the parts are "
                                + "empty, if no bases of the two pair. `options` are `dangles`, `temperature` and "
                                + "`parameters` of `rna_fold`.")
                        .rejects(NO_BASE + "; unknown options")
                        .example("rna_duplex('AGGGGA', 'UUCCCCU')", "{-9.5, ((((((&.)))))), 0, 6, 0, 7}")
                        .function(),
                Entry.of("rna_fold_windows", RNA_FOLDING)
                        .signature(
                                List.of(SEQ, WINDOW, STEP, OPTIONS),
                                DataTypes.createArrayType(RnaSolvers.WINDOW, false),
                                RnaSolvers::windows)
                        .description("The foldings of windows of an RNA, each by itself, as `rna_fold` folds it: "
                                + "where it begins and ends in `seq`, counted from 0, the end exclusive, its "
                                + "energy and structure. Windows have `window` bases and begin at every `step`-th "
                                + "base; the last one is the first that reaches the end, and may be shorter. "
                                + "Overlapping windows share their tables, so small steps cost little.")
                        .rejects(NO_BASE
                                + "; a `window` or `step` below 1; unknown options; windows of more than 32,767 bases")
                        .example(
                                "rna_fold_windows('GGGGAAAACCCCA', 12, 6)",
                                "[{0, 12, -5.4, ((((....))))}, {6, 13, 0.0, .......}]")
                        .function());
    }

    private static List<BellmanFunction<?>> ensembles() {
        return List.of(
                Entry.of("rna_ensemble", RNA_FOLDING)
                        .signature(List.of(SEQ, OPTIONS), RnaSolvers.ENSEMBLE, RnaSolvers.ensemble())
                        .kernels(RnaFold.Strategy.AUTO, RnaFold.Strategy.TILED)
                        .description("All structures of an RNA together, each with its Boltzmann weight: their "
                                + "free energy in kcal/mol, the frequency of the structure with the least energy "
                                + "among them, and the number of pairs by which two of them differ on average. "
                                + "`options` are as in `rna_fold`, without a constraint; `no_lp` is for the "
                                + "structure with the least energy alone.")
                        .rejects(REJECTS)
                        .example(
                                "rna_ensemble('GGGGAAAACCCC')",
                                "{-5.507422000966854, 0.8400485404116158, 1.6238058274721627}")
                        .traits(EnsembleTextbook.OF_ENSEMBLE)
                        .function(),
                Entry.of("rna_pair_probabilities", RNA_FOLDING)
                        .signature(
                                List.of(SEQ, MIN_PROBABILITY, OPTIONS),
                                DataTypes.createArrayType(RnaSolvers.PAIR, false),
                                RnaSolvers.pairs())
                        .kernels(RnaFold.Strategy.AUTO, RnaFold.Strategy.TILED)
                        .description("The probabilities of the pairs of an RNA in `rna_ensemble` that are at "
                                + "least `min_probability`: base `i` pairs with base `j` with probability `p`, "
                                + "counted from 1, in the order of `i`, then `j`.")
                        .rejects(REJECTS + "; a `min_probability` that is not from 0 to 1")
                        .example("size(rna_pair_probabilities('GGGGAAAACCCC', 0.5))", "4")
                        .traits(EnsembleTextbook.OF_PAIRS)
                        .function(),
                Entry.of("mea_structure", RNA_FOLDING)
                        .signature(List.of(SEQ, GAMMA, OPTIONS), DataTypes.StringType, RnaSolvers.mostAccurate())
                        .description("The structure of an RNA with the greatest expected accuracy: the sum of `2 "
                                + "gamma p` over its pairs, with the probabilities of `rna_pair_probabilities`, "
                                + "and of the probability to be unpaired over its other bases. The larger "
                                + "`gamma`, the more pairs; 1 counts both alike.")
                        .rejects(REJECTS + "; a `gamma` that is not from 0 to 1,000,000")
                        .example("mea_structure('GGGGAAAACCCC', 1.0)", "((((....))))")
                        .traits(EnsembleTextbook.OF_ACCURATE)
                        .function());
    }
}
