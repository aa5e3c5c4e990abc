package dev.bellman.fold.rna;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.columns.Solver;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.StrategyTraits;
import dev.bellman.fold.rna.RnaFold.Strategy;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** Defines the RNA functions. */
public final class RnaFunctions {
    private static final Problem<Strategy> RNA_FOLD = new Problem<>("rna_fold", Strategy.class, Strategy.ZUKER);

    private static final Parameter SEQUENCE = new Parameter("sequence", StringType);
    private static final Parameter A = new Parameter("a", StringType);
    private static final Parameter B = new Parameter("b", StringType);
    private static final Parameter OPTIONS = options(FoldOptions::of);
    private static final Parameter FOLDED = options(FoldOptions::folding);
    private static final Parameter OF_ENSEMBLE = options(FoldOptions::ensemble);

    /**
     * The traits of strategies that all return the same results. Because of rounding, results may differ slightly from
     * sums computed in the order of the definition.
     */
    private static final StrategyTraits<Strategy> ROUNDED = StrategyTraits.asDefinedBy(Set.<Strategy>of());

    private static final String NO_BASE = "a letter other than a base or `N`";
    private static final String WRONG_STRUCTURE = "; a `structure` whose length differs from the length of `sequence`, "
            + "or that contains a character other than a dot or bracket, unbalanced brackets, a base pair other than "
            + "C-G, A-U or G-U, or a hairpin of fewer than 3 bases";

    private static final String NO_OPTIONS = "; unknown or unsupported options";

    private static final String REJECTS = NO_BASE + NO_OPTIONS + "; a sequence of more than 32,767 bases";

    private static final String OF_CONSTRAINT = "; a constraint whose length differs from the length of `sequence`, or "
            + "that contains an unknown character, unbalanced brackets, or brackets at bases that cannot pair; a "
            + "constraint that no structure satisfies";

    private RnaFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(
                rnaFold(),
                rnaFoldEnergy(),
                rnaEval(),
                rnaDuplex(),
                rnaCofold(),
                rnaCofoldEnsemble(),
                rnaFoldWindows(),
                rnaEnsemble(),
                rnaPairProbabilities(),
                meaStructure());
    }

    /** Returns a function entry whose last parameter contains the options, which are empty by default. */
    private static Entry<Strategy> entry(
            String name, Solver<Strategy> solver, DataType result, Parameter options, Parameter... parameters) {
        return Entry.of(name, RNA_FOLD)
                .signature(
                        Stream.concat(Stream.of(parameters), Stream.of(options)).toList(), result, solver);
    }

    private static Parameter options(BiConsumer<String, String> check) {
        return Parameter.setting("options", StringType, (function, value) -> check.accept(function, value.toString()))
                .withFiles(FoldOptions::readFile)
                .orElse(UTF8String.EMPTY_UTF8, "none");
    }

    private static Parameter size(String name) {
        return Parameter.setting(
                name, IntegerType, (function, value) -> RnaWindows.checkSize(function, name, (Integer) value));
    }

    private static BellmanFunction<?> rnaFold() {
        return entry("rna_fold", RnaSolvers::fold, RnaSolvers.FOLDING, FOLDED, SEQUENCE)
                .kernels(Strategy.AUTO, Strategy.TILED)
                .description("Returns the minimum-free-energy structure of an RNA in dot-bracket notation, and its "
                        + "energy in kcal/mol, as ViennaRNA's RNAfold does, including ties (except with `dangles 1` "
                        + "and `dangles 3`). `options` may contain `dangles 0`, `dangles 1` or `dangles 3` (default: "
                        + "2), `no_lp` (no lonely pairs), `temperature 25` (default: 37), `constraint TEXT` (a "
                        + "character per base, one of ViennaRNA's `. x | < > ( )`), `enforce` (bases with `|`, `(` or "
                        + "`)` must pair), `circular` (a circular RNA; not with `dangles 1` or `dangles 3`) and "
                        + "`parameters FILE` (energies in ViennaRNA's format 2), which must come last. T counts as U, "
                        + "and lowercase as uppercase; N does not pair.")
                .rejects(REJECTS + OF_CONSTRAINT)
                .example("rna_fold('GGGGAAAACCCC')", "{-5.4, ((((....))))}")
                .function();
    }

    private static BellmanFunction<?> rnaFoldEnergy() {
        return entry("rna_fold_energy", RnaSolvers::energy, DoubleType, FOLDED, SEQUENCE)
                .kernels(Strategy.AUTO, Strategy.TILED)
                .description("Returns the minimum free energy of an RNA in kcal/mol, as `rna_fold` does.")
                .rejects(REJECTS + OF_CONSTRAINT)
                .example("rna_fold_energy('GGGGAAAACCCC', 'temperature 25')", "-6.76")
                .function();
    }

    private static BellmanFunction<?> rnaEval() {
        Parameter structure = new Parameter("structure", StringType);
        return entry("rna_eval", RnaSolvers::loops, RnaSolvers.LOOPS, OPTIONS, SEQUENCE, structure)
                .kernels(Strategy.AUTO, Strategy.TILED)
                .description("Returns the energy of a given RNA structure in kcal/mol, and the structure's loops: the "
                        + "exterior loop first, then the other loops in the order of the 5' bases of their closing "
                        + "pairs. A loop has a `kind` (`exterior`, `hairpin`, `stack`, `bulge`, `internal` or "
                        + "`multiloop`), its closing pair `i`, `j` (NULL for the exterior loop), its inner pair `p`, "
                        + "`q` (NULL except for stacks, bulges and internal loops), and its energy. Bases are "
                        + "counted from 1. `options` are as in `rna_fold`, except for constraints and `circular`.")
                .rejects(NO_BASE + WRONG_STRUCTURE + NO_OPTIONS + "; a sequence of more than 32,767 bases")
                .example(
                        "rna_eval('GAAAC', '(...)')",
                        "{5.4, [{exterior, null, null, null, null, 0.0}, {hairpin, 1, 5, null, null, 5.4}]}")
                .function();
    }

    private static BellmanFunction<?> rnaDuplex() {
        return entry("rna_duplex", RnaSolvers::duplex, RnaSolvers.DUPLEX, options(FoldOptions::ofStrands), A, B)
                .kernels(Strategy.AUTO, Strategy.TILED)
                .description("Returns the minimum-energy duplex of two RNAs, as ViennaRNA's RNAduplex does. Bases pair "
                        + "only with bases of the other RNA. The result contains the energy in kcal/mol, including "
                        + "duplex initiation; the structure of the two binding parts with their unpaired neighbours, "
                        + "separated by `&`; and the start and end positions of these parts (0-based, end exclusive). "
                        + "If no bases can pair, the energy is NULL and the parts are empty. Ties: the last base of "
                        + "`a` that pairs is as early as possible, then its partner as late as possible; each pair "
                        + "before it is as close to the next pair as possible, first in `a`, then in `b`. `options` "
                        + "may contain `dangles 0`, `temperature` and `parameters`, as in `rna_fold`.")
                .rejects(NO_BASE + NO_OPTIONS)
                .example("rna_duplex('AGGGGA', 'UUCCCCU')", "{-9.5, ((((((&.)))))), 0, 6, 0, 7}")
                .function();
    }

    private static BellmanFunction<?> rnaCofold() {
        return entry("rna_cofold", RnaSolvers::cofold, RnaSolvers.FOLDING, options(FoldOptions::ofStrands), A, B)
                .kernels(Strategy.AUTO, Strategy.TILED)
                .description("Returns the minimum-free-energy structure of two RNAs in dot-bracket notation, and its "
                        + "energy in kcal/mol, as ViennaRNA's RNAcofold does. Bases may pair within each RNA and with "
                        + "the other RNA. In the structure, `&` separates the two RNAs. If the RNAs pair with each "
                        + "other, the energy includes duplex initiation. `options` may contain `dangles 0`, "
                        + "`temperature` and `parameters`, as in `rna_fold`.")
                .rejects(NO_BASE + NO_OPTIONS + "; RNAs with more than 32,767 bases in total")
                .example("rna_cofold('CCAGGGGAAA', 'UUUAACCCCGG')", "{-8.8, ((.((((...&.....))))))}")
                .function();
    }

    private static BellmanFunction<?> rnaCofoldEnsemble() {
        return entry(
                        "rna_cofold_ensemble",
                        RnaSolvers::cofoldEnsemble,
                        RnaSolvers.COFOLD_ENSEMBLE,
                        options(FoldOptions::ofStrands),
                        A,
                        B)
                .kernels(Strategy.AUTO, Strategy.TILED)
                .description("Returns ensemble free energies of two RNAs in kcal/mol, as ViennaRNA's RNAcofold "
                        + "computes them: `ensemble_energy` of all structures, `dimer_energy` of the structures in "
                        + "which the RNAs pair with each other (NULL if they cannot pair), and `energy_a` and "
                        + "`energy_b` of each RNA alone. `ensemble_energy` and `dimer_energy` include duplex "
                        + "initiation and a correction for symmetry; `uncorrected_energy` is `ensemble_energy` without "
                        + "these two terms. `options` are as in `rna_cofold`.")
                .rejects(NO_BASE + NO_OPTIONS + "; RNAs with more than 32,767 bases in total")
                .example(
                        "rna_cofold_ensemble('GGGG', 'CCCC')",
                        "{-5.929384961461523, -5.92934406919686, 0.0, 0.0, -10.029344121988315}")
                .traits(ROUNDED)
                .function();
    }

    private static BellmanFunction<?> rnaFoldWindows() {
        DataType windows = DataTypes.createArrayType(RnaSolvers.WINDOW, false);
        return entry("rna_fold_windows", RnaSolvers::windows, windows, OPTIONS, SEQUENCE, size("window"), size("step"))
                .kernels(Strategy.AUTO, Strategy.TILED)
                .description("Folds the windows of an RNA. Returns, for each window, its start and end positions in "
                        + "`sequence` (0-based, end exclusive), and the energy and structure that `rna_fold` returns "
                        + "for the window. Windows have `window` bases and start at every `step`-th base. The last "
                        + "window is the first one that reaches the end of the sequence; it may be shorter. "
                        + "`options` are as in `rna_eval`. On CPUs, overlapping windows share table cells, so a small "
                        + "step adds little work.")
                .rejects(
                        NO_BASE + "; a `window` or `step` below 1" + NO_OPTIONS + "; windows of more than 32,767 bases")
                .example(
                        "rna_fold_windows('GGGGAAAACCCCA', 12, 6)",
                        "[{0, 12, -5.4, ((((....))))}, {6, 13, 0.0, .......}]")
                .function();
    }

    private static BellmanFunction<?> rnaEnsemble() {
        return entry("rna_ensemble", RnaSolvers::ensemble, RnaSolvers.ENSEMBLE, OF_ENSEMBLE, SEQUENCE)
                .kernels(Strategy.AUTO, Strategy.TILED)
                .description("Returns properties of the Boltzmann ensemble of all structures of an RNA: its free "
                        + "energy in kcal/mol, the frequency of the minimum-free-energy structure, and the mean number "
                        + "of base pairs by which two structures of the ensemble differ. `options` are as in "
                        + "`rna_fold`, except that `dangles 1` and `dangles 3` are not supported and `no_lp` applies "
                        + "only to the minimum-free-energy structure.")
                .rejects(REJECTS + OF_CONSTRAINT)
                .example("rna_ensemble('GGGGAAAACCCC')", "{-5.507422000966854, 0.8400485404116158, 1.6238058274721638}")
                .traits(ROUNDED)
                .function();
    }

    private static BellmanFunction<?> rnaPairProbabilities() {
        Parameter minProbability = Parameter.setting(
                "min_probability",
                DoubleType,
                (function, value) -> RnaSolvers.checkProbability(function, (Double) value));
        DataType pairs = DataTypes.createArrayType(RnaSolvers.PAIR, false);
        return entry("rna_pair_probabilities", RnaSolvers::pairs, pairs, OF_ENSEMBLE, SEQUENCE, minProbability)
                .kernels(Strategy.AUTO, Strategy.TILED)
                .description("Returns the base pairs with a probability of at least `min_probability` in the ensemble "
                        + "of `rna_ensemble`: base `i` pairs with base `j` with probability `p`. Bases are counted "
                        + "from 1; pairs are sorted by `i`, then by `j`.")
                .rejects(REJECTS + OF_CONSTRAINT + "; a `min_probability` outside the range 0 to 1")
                .example("size(rna_pair_probabilities('GGGGAAAACCCC', 0.5))", "4")
                .traits(ROUNDED)
                .function();
    }

    private static BellmanFunction<?> meaStructure() {
        Parameter gamma = Parameter.setting(
                "gamma", DoubleType, (function, value) -> RnaSolvers.checkGamma(function, (Double) value));
        return entry("mea_structure", RnaSolvers::mostAccurate, StringType, OF_ENSEMBLE, SEQUENCE, gamma)
                .kernels(Strategy.AUTO, Strategy.TILED)
                .description("Returns the RNA structure with the maximum expected accuracy: the sum of `2 * gamma * "
                        + "p` over its base pairs, with `p` from `rna_pair_probabilities`, plus the sum of the "
                        + "probabilities that its other bases are unpaired. A larger `gamma` gives more pairs. With "
                        + "`gamma` 1, paired and unpaired bases have equal weights. The structure may leave bases "
                        + "unpaired that `enforce` requires to pair. Ties are broken as in "
                        + "`max_base_pairs_structure`. `options` are as in `rna_ensemble`.")
                .rejects(REJECTS + OF_CONSTRAINT + "; a `gamma` outside the range 0 to 1,000,000")
                .example("mea_structure('GGGGAAAACCCC', 1.0)", "((((....))))")
                .traits(ROUNDED)
                .function();
    }
}
