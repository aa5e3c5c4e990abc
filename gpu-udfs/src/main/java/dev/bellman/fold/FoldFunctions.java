package dev.bellman.fold;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Oracle;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import dev.bellman.entry.Values;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** The functions of this family. */
public final class FoldFunctions {
    private static final Problem<AccordionFold.Strategy> ACCORDION_FOLD =
            new Problem<>("accordion_fold", AccordionFold.Strategy.class, AccordionFold.Strategy.SERIAL);

    private static final Problem<BasePairs.Strategy> BASE_PAIRS =
            new Problem<>("max_base_pairs", BasePairs.Strategy.class, BasePairs.Strategy.SERIAL);

    private static final String BASES_REJECTS = "a letter that is not a base or `N`; a negative `min_loop`";

    private FoldFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(
                accordionFold(),
                new BellmanFunction<>(
                        "max_base_pairs",
                        BASE_PAIRS,
                        ofBases(DataTypes.IntegerType, BasePairsUdf::count, BasePairsTextbook::count),
                        "The most base pairs of an RNA of which no two cross: C with G, A with U, G with U. A pair "
                                + "has at least `min_loop` bases between its two, 3 by default. T counts as U, small "
                                + "letters as capitals; N pairs with nothing.",
                        Optional.of(BASES_REJECTS),
                        new Example("max_base_pairs('GGGAAAUCC')", "3")),
                new BellmanFunction<>(
                        "max_base_pairs_structure",
                        BASE_PAIRS,
                        ofBases(DataTypes.StringType, BasePairsUdf::structure, BasePairsTextbook::structure),
                        "A structure with the most base pairs, as in `max_base_pairs`, in dots and brackets. Of "
                                + "several, the one in which the first base is unpaired if it can be, and otherwise "
                                + "pairs with the first base that it can; then the next base likewise.",
                        Optional.of(BASES_REJECTS),
                        new Example("max_base_pairs_structure('GGGAAAUCC')", "(((...)))")));
    }

    private static List<Signature<BasePairs.Strategy>> ofBases(
            DataType result, Signature.Implementation<BasePairs.Strategy> implementation, Oracle oracle) {
        Parameter seq = new Parameter("seq", DataTypes.StringType);
        return List.of(
                new Signature<>(
                        List.of(seq),
                        result,
                        implementation,
                        new InstanceGenerator(RnaInstances::sequence, 24, 400, 3),
                        oracle),
                new Signature<>(
                        List.of(
                                seq,
                                Parameter.setting(
                                        "min_loop",
                                        DataTypes.IntegerType,
                                        (function, value) -> BasePairsUdf.checkMinLoop(function, (Integer) value))),
                        result,
                        implementation,
                        new InstanceGenerator(RnaInstances::sequenceAndMinLoop, 24, 400, 3),
                        oracle));
    }

    private static BellmanFunction<AccordionFold.Strategy> accordionFold() {
        return new BellmanFunction<>(
                "accordion_fold",
                ACCORDION_FOLD,
                List.of(new Signature<>(
                        List.of(new Parameter("hydrophobic", DataTypes.StringType)),
                        AccordionFoldUdf.RESULT,
                        AccordionFoldUdf::new,
                        new InstanceGenerator(FoldFunctions::chain, 40, 700, 2),
                        AccordionFoldTextbook::solve)),
                "The best folding of a protein into strands side by side, like an accordion. `hydrophobic` has a "
                        + "letter for each residue, `H` or `1` if it is hydrophobic, `P` or `0` if not; "
                        + "`translate(protein, 'ACDEFGHIKLMNPQRSTVWY', 'HHPPHPPHPHHPPPPPPHHH')` makes it of amino "
                        + "acids. Strands have at least two residues. Two hydrophobic residues that face each other "
                        + "in neighbouring strands are a contact, but for the two at the fold, which are neighbours "
                        + "in the chain. `score` is the most contacts, `ends` the last residue of each strand, from "
                        + "1; of several foldings, each strand is as short as can be, the first before the second.",
                Optional.of("a letter that is not `H`, `P`, `1` or `0`"),
                new Example("accordion_fold('HHPPHHPPHH')", "{4, [3, 7, 10]}"));
    }

    private static InternalRow chain(SplittableRandom random, int size) {
        int n = Values.size(random, size);
        int period = random.nextInt(4) == 0 ? 1 + random.nextInt(12) : n;
        int share = 1 + random.nextInt(9);
        byte[] letters = Values.oneOf(random, "PH", "01").getBytes(StandardCharsets.US_ASCII);
        byte[] chain = new byte[n];
        for (int i = 0; i < n; i++) {
            chain[i] = i < period ? letters[random.nextInt(10) < share ? 1 : 0] : chain[i - period];
        }
        if (n > 0 && random.nextInt(50) == 0) {
            chain[random.nextInt(n)] = Values.oneOf(random, (byte) 'h', (byte) ' ', (byte) 0, (byte) 0xc3);
        }
        return Values.row(Values.sometimesNull(random, UTF8String.fromBytes(chain)));
    }
}
