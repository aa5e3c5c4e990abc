package dev.bellman.fold.rna;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Oracle;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import dev.bellman.fold.RnaInstances;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The functions of this family. */
public final class RnaFunctions {
    private static final Problem<RnaFold.Strategy> RNA_FOLDING =
            new Problem<>("rna_folding", RnaFold.Strategy.class, RnaFold.Strategy.ZUKER);

    private static final Parameter SEQ = new Parameter("seq", DataTypes.StringType);
    private static final Parameter STRUCTURE = new Parameter("structure", DataTypes.StringType);
    private static final Parameter OPTIONS = Parameter.setting(
                    "options", DataTypes.StringType, (function, value) -> FoldOptions.of(function, value.toString()))
            .withFiles(FoldOptions::readFile);

    private static final String NO_BASE = "a letter that is not a base or `N`";
    private static final String WRONG_STRUCTURE = "; a structure with another number of letters than `seq`, with a "
            + "letter that is not a dot or bracket, unbalanced brackets, a pair of other bases than C and G, A and U or "
            + "G and U, or fewer than 3 bases in a hairpin";

    private static final String REJECTS = NO_BASE + "; unknown options; a sequence of more than 32,767 bases";

    private static final String OF_WEIGHTS =
            "; parts that are less or more stable than the whole by hundreds of kT, whose weights leave the range of "
                    + "DOUBLE";

    private static final Parameter MIN_PROBABILITY = Parameter.setting(
            "min_probability",
            DataTypes.DoubleType,
            (function, value) -> ProbabilitiesUdf.checkProbability(function, (Double) value));

    private static final Parameter GAMMA = Parameter.setting(
            "gamma", DataTypes.DoubleType, (function, value) -> ProbabilitiesUdf.checkGamma(function, (Double) value));

    /** Sizes with few structures. */
    private static final int SMALL_ENSEMBLE = 15;

    private RnaFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return Stream.concat(foldings().stream(), ensembles().stream()).toList();
    }

    private static List<BellmanFunction<?>> foldings() {
        return List.of(
                new BellmanFunction<>(
                        "rna_fold",
                        RNA_FOLDING,
                        ofSequence(RnaUdf.FOLDING, RnaUdf::fold, RnaTextbook::fold, 20),
                        "The structure of an RNA with the least free energy, in dots and brackets, and its energy in "
                                + "kcal/mol: what RNAfold of ViennaRNA returns, with the same structure of several "
                                + "with the same energy. `options` are any of `dangles 0` (2 by default), `no_lp`, "
                                + "for no lonely pairs, `temperature 25` (37 by default) and, last, `parameters "
                                + "FILE`, energies in ViennaRNA's format 2. T counts as U, small letters as "
                                + "capitals; N pairs with nothing.",
                        Optional.of(REJECTS),
                        new Example("rna_fold('GGGGAAAACCCC')", "{-5.4, ((((....))))}")),
                new BellmanFunction<>(
                        "rna_fold_energy",
                        RNA_FOLDING,
                        ofSequence(DataTypes.DoubleType, RnaUdf::energy, RnaTextbook::energy, 20),
                        "The energy of `rna_fold`.",
                        Optional.of(REJECTS),
                        new Example("rna_fold_energy('GGGGAAAACCCC', 'temperature 25')", "-6.76")),
                new BellmanFunction<>(
                        "rna_eval",
                        RNA_FOLDING,
                        ofStructure(),
                        "The energy of a given structure of an RNA in kcal/mol, and its loops, the exterior one "
                                + "first, the others by their 5' base: their kind (`exterior`, `hairpin`, `stack`, "
                                + "`bulge`, `internal`, `multiloop`), the pair `i`, `j` that closes a loop, the "
                                + "inner pair `p`, `q` if there is one, counted from 1, and the energy. `options` "
                                + "are as in `rna_fold`.",
                        Optional.of(
                                NO_BASE + WRONG_STRUCTURE + "; unknown options; a sequence of more than 32,767 bases"),
                        new Example(
                                "rna_eval('GAAAC', '(...)')",
                                "{5.4, [{exterior, null, null, null, null, 0.0}, {hairpin, 1, 5, null, null, 5.4}]}")));
    }

    private static List<BellmanFunction<?>> ensembles() {
        return List.of(
                new BellmanFunction<>(
                        "rna_ensemble",
                        RNA_FOLDING,
                        ofSequence(RnaUdf.ENSEMBLE, RnaUdf::ensemble, EnsembleTextbook::ensemble, SMALL_ENSEMBLE),
                        "All structures of an RNA together, each with its Boltzmann weight: their free energy in "
                                + "kcal/mol, the frequency of the structure with the least energy among them, and "
                                + "the number of pairs by which two of them differ on average. `options` are as in "
                                + "`rna_fold`; `no_lp` is for the structure with the least energy alone.",
                        Optional.of(REJECTS + OF_WEIGHTS),
                        new Example(
                                "rna_ensemble('GGGGAAAACCCC')",
                                "{-5.507422000966854, 0.8400485404116158, 1.623805827472163}"),
                        EnsembleTextbook.OF_ENSEMBLE),
                new BellmanFunction<>(
                        "rna_pair_probabilities",
                        RNA_FOLDING,
                        ofProbabilities(
                                MIN_PROBABILITY,
                                DataTypes.createArrayType(ProbabilitiesUdf.PAIR, false),
                                ProbabilitiesUdf::pairs,
                                EnsembleTextbook::pairs,
                                RnaInstances::sequenceAndProbability),
                        "The probabilities of the pairs of an RNA in `rna_ensemble`, those of at least "
                                + "`min_probability`: base `i` pairs with base `j` with probability `p`, counted "
                                + "from 1, in the order of `i`, then `j`.",
                        Optional.of(REJECTS + OF_WEIGHTS + "; a `min_probability` that is not from 0 to 1"),
                        new Example("size(rna_pair_probabilities('GGGGAAAACCCC', 0.5))", "4"),
                        EnsembleTextbook.OF_PAIRS),
                new BellmanFunction<>(
                        "mea_structure",
                        RNA_FOLDING,
                        ofProbabilities(
                                GAMMA,
                                DataTypes.StringType,
                                ProbabilitiesUdf::mostAccurate,
                                EnsembleTextbook::mostAccurate,
                                RnaInstances::sequenceAndGamma),
                        "The structure of an RNA with the greatest expected accuracy: the sum of `2 gamma p` over "
                                + "its pairs, with the probabilities of `rna_pair_probabilities`, and of the "
                                + "probability to be unpaired over its other bases. The larger `gamma`, the more "
                                + "pairs; 1 counts both alike.",
                        Optional.of(REJECTS + OF_WEIGHTS + "; a `gamma` that is not from 0 to 1,000,000"),
                        new Example("mea_structure('GGGGAAAACCCC', 1.0)", "((((....))))"),
                        EnsembleTextbook.OF_ACCURATE));
    }

    private static List<Signature<RnaFold.Strategy>> ofProbabilities(
            Parameter number,
            DataType result,
            Signature.Implementation<RnaFold.Strategy> implementation,
            Oracle oracle,
            RnaInstances.Numbered instances) {
        return List.of(
                new Signature<>(
                        List.of(SEQ, number),
                        result,
                        implementation,
                        new InstanceGenerator(
                                (random, size) -> instances.generate(random, size, false), SMALL_ENSEMBLE, 300, 3),
                        oracle),
                new Signature<>(
                        List.of(SEQ, number, OPTIONS),
                        result,
                        implementation,
                        new InstanceGenerator(
                                (random, size) -> instances.generate(random, size, true), SMALL_ENSEMBLE, 300, 3),
                        oracle));
    }

    private static List<Signature<RnaFold.Strategy>> ofSequence(
            DataType result, Signature.Implementation<RnaFold.Strategy> implementation, Oracle oracle, int small) {
        return List.of(
                new Signature<>(
                        List.of(SEQ),
                        result,
                        implementation,
                        new InstanceGenerator(RnaInstances::sequence, small, 400, 3),
                        oracle),
                new Signature<>(
                        List.of(SEQ, OPTIONS),
                        result,
                        implementation,
                        new InstanceGenerator(RnaInstances::sequenceAndOptions, small, 400, 3),
                        oracle));
    }

    private static List<Signature<RnaFold.Strategy>> ofStructure() {
        return Stream.of(List.of(SEQ, STRUCTURE), List.of(SEQ, STRUCTURE, OPTIONS))
                .map(parameters -> new Signature<>(
                        parameters,
                        RnaEvalUdf.RESULT,
                        RnaEvalUdf::new,
                        new InstanceGenerator(
                                parameters.size() == 2 ? RnaInstances::structure : RnaInstances::structureAndOptions,
                                40,
                                1_000,
                                1),
                        RnaEvalTextbook::solve))
                .toList();
    }
}
