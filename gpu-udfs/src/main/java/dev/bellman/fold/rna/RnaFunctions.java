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
            "options", DataTypes.StringType, (function, value) -> FoldOptions.of(function, value.toString()));

    private static final String NO_BASE = "a letter that is not a base or `N`";
    private static final String REJECTS = NO_BASE + "; unknown options; a sequence of more than 32,767 bases";

    private RnaFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(
                new BellmanFunction<>(
                        "rna_fold",
                        RNA_FOLDING,
                        ofSequence(RnaFoldUdf.RESULT, RnaFoldUdf::fold, RnaTextbook::fold),
                        "The structure of an RNA with the least free energy, in dots and brackets, and its energy in kcal/mol: what RNAfold of "
                                + "ViennaRNA returns, with the same structure of several with the same energy. `options` are any of `dangles 0` (2 "
                                + "by default), `no_lp`, for no lonely pairs, `temperature 25` (37 by default) and, last, `parameters FILE`, energies "
                                + "in ViennaRNA's format 2. T counts as U, small letters as capitals; N pairs with nothing.",
                        Optional.of(REJECTS),
                        new Example("rna_fold('GGGGAAAACCCC')", "{-5.4, ((((....))))}")),
                new BellmanFunction<>(
                        "rna_fold_energy",
                        RNA_FOLDING,
                        ofSequence(DataTypes.DoubleType, RnaFoldUdf::energy, RnaTextbook::energy),
                        "The energy of `rna_fold`.",
                        Optional.of(REJECTS),
                        new Example("rna_fold_energy('GGGGAAAACCCC', 'temperature 25')", "-6.76")),
                new BellmanFunction<>(
                        "rna_eval",
                        RNA_FOLDING,
                        ofStructure(),
                        "The energy of a given structure of an RNA in kcal/mol, and its loops, the exterior one first, the others by their 5' "
                                + "base: their kind (`exterior`, `hairpin`, `stack`, `bulge`, `internal`, `multiloop`), the pair `i`, `j` that "
                                + "closes a loop, the inner pair `p`, `q` if there is one, counted from 1, and the energy. `options` are as in "
                                + "`rna_fold`.",
                        Optional.of(NO_BASE
                                + "; a structure with another number of letters than `seq`, with a letter that is not a dot "
                                + "or bracket, unbalanced brackets, a pair of other bases than C and G, A and U or G and U, or fewer than 3 bases "
                                + "in a hairpin; unknown options; a sequence of more than 32,767 bases"),
                        new Example("rna_eval('GGGGAAAACCCC', '((((....))))').energy", "-5.4")));
    }

    private static List<Signature<RnaFold.Strategy>> ofSequence(
            DataType result, Signature.Implementation<RnaFold.Strategy> implementation, Oracle oracle) {
        return List.of(
                new Signature<>(
                        List.of(SEQ),
                        result,
                        implementation,
                        new InstanceGenerator(RnaInstances::sequence, 20, 400, 3),
                        oracle),
                new Signature<>(
                        List.of(SEQ, OPTIONS),
                        result,
                        implementation,
                        new InstanceGenerator(RnaInstances::sequenceAndOptions, 20, 400, 3),
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
