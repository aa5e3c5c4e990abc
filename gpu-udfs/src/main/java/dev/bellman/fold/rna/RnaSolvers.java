package dev.bellman.fold.rna;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.Solver;
import dev.bellman.columns.TaskMemory;
import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.RnaFold.Strategy;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** The functions of this family from their arguments to their answers. Options are always the last argument. */
final class RnaSolvers {
    static final StructType FOLDING =
            new StructType().add("energy", DataTypes.DoubleType, false).add("structure", DataTypes.StringType, false);

    static final StructType ENSEMBLE = new StructType()
            .add("ensemble_energy", DataTypes.DoubleType, false)
            .add("mfe_frequency", DataTypes.DoubleType, false)
            .add("diversity", DataTypes.DoubleType, false);

    static final StructType PAIR = new StructType()
            .add("i", DataTypes.IntegerType, false)
            .add("j", DataTypes.IntegerType, false)
            .add("p", DataTypes.DoubleType, false);

    static final StructType DUPLEX = new StructType()
            .add("energy", DataTypes.DoubleType, true)
            .add("structure", DataTypes.StringType, false)
            .add("begin_a", DataTypes.IntegerType, false)
            .add("end_a", DataTypes.IntegerType, false)
            .add("begin_b", DataTypes.IntegerType, false)
            .add("end_b", DataTypes.IntegerType, false);

    static final StructType WINDOW = new StructType()
            .add("begin", DataTypes.IntegerType, false)
            .add("end", DataTypes.IntegerType, false)
            .add("energy", DataTypes.DoubleType, false)
            .add("structure", DataTypes.StringType, false);

    static final StructType LOOP = new StructType()
            .add("kind", DataTypes.StringType, false)
            .add("i", DataTypes.IntegerType, true)
            .add("j", DataTypes.IntegerType, true)
            .add("p", DataTypes.IntegerType, true)
            .add("q", DataTypes.IntegerType, true)
            .add("energy", DataTypes.DoubleType, false);

    static final StructType LOOPS = new StructType()
            .add("energy", DataTypes.DoubleType, false)
            .add("loops", DataTypes.createArrayType(LOOP, false), false);

    /** Hundredths in a kcal/mol. */
    private static final double UNIT = 100;

    /** A pair in a list of objects and in a Spark row. */
    private static final int BYTES_OF_A_PAIR = 150;

    /** A loop in a list of objects and in a Spark row. */
    private static final int BYTES_OF_A_LOOP = 240;

    /** The answer for strands without bases that pair. NULL instead would be a row that is rejected. */
    private static final Row APART = RowFactory.create(null, "&", 0, 0, 0, 0);

    /** Solves a sequence. */
    private interface Folding extends Serializable {
        Object solve(String function, byte[] bases, FoldOptions options, Strategy strategy);
    }

    /** Parses options. */
    private interface Parser extends Serializable {
        FoldOptions parse(String function, String options);
    }

    /** Checks a number. */
    private interface Check extends Serializable {
        void check(String function, double number);
    }

    private interface OfProbabilities extends Serializable {
        Object of(PairProbabilities probabilities, double number);
    }

    private RnaSolvers() {}

    static Solver<Strategy> fold() {
        return sequence(FoldOptions::constrained, (function, bases, how, strategy) -> {
            RnaFold folding = RnaFold.of(function, bases, how, strategy);
            return RowFactory.create(
                    folding.energy() / UNIT,
                    UTF8String.fromBytes(folding.structure()).toString());
        });
    }

    static Solver<Strategy> energy() {
        return sequence(
                FoldOptions::constrained,
                (function, bases, how, strategy) ->
                        RnaFold.of(function, bases, how, strategy).energy() / UNIT);
    }

    static Solver<Strategy> ensemble() {
        return sequence(FoldOptions::of, (function, bases, how, strategy) -> {
            int least = RnaFold.of(function, bases, how, strategy).energy();
            RnaEnsemble ensemble = RnaEnsemble.of(function, bases, how, least);
            return RowFactory.create(
                    ensemble.energy() / UNIT,
                    ensemble.probability(least),
                    PairProbabilities.of(ensemble).diversity());
        });
    }

    private static Solver<Strategy> sequence(Parser parser, Folding folding) {
        return (strategy, options, arguments) -> {
            FoldOptions how =
                    parser.parse(arguments.function(), arguments.string(1).toString());
            byte[] bases = bases(arguments, 0, "seq");
            Object solved = folding.solve(arguments.function(), bases, how, strategy);
            options.cells().add((long) bases.length * bases.length / 2);
            return solved;
        };
    }

    private static byte[] bases(Arguments arguments, int place, String name) {
        return Bases.of(arguments.function(), name, TaskMemory.bytesOf(arguments.string(place)));
    }

    static Solver<Strategy> pairs() {
        return probabilities(RnaSolvers::checkProbability, RnaSolvers::pairs);
    }

    static Solver<Strategy> mostAccurate() {
        return probabilities(
                RnaSolvers::checkGamma,
                (probabilities, gamma) -> UTF8String.fromBytes(probabilities.mostAccurate(gamma)));
    }

    private static Solver<Strategy> probabilities(Check check, OfProbabilities result) {
        return (strategy, options, arguments) -> {
            String function = arguments.function();
            check.check(function, arguments.number(1));
            FoldOptions how = FoldOptions.of(function, arguments.string(2).toString());
            byte[] bases = bases(arguments, 0, "seq");
            int least = RnaFold.of(function, bases, how, strategy).energy();
            RnaEnsemble ensemble = RnaEnsemble.of(function, bases, how, least);
            Object solved = result.of(PairProbabilities.of(ensemble), arguments.number(1));
            options.cells().add((long) bases.length * bases.length / 2);
            return solved;
        };
    }

    private static Row[] pairs(PairProbabilities probabilities, double least) {
        List<Row> pairs = new ArrayList<>();
        for (int i = 0; i < probabilities.length(); i++) {
            int before = pairs.size();
            for (int j = i + 1; j < probabilities.length(); j++) {
                double p = probabilities.pair(i, j);
                if (p > 0 && p >= least) {
                    pairs.add(RowFactory.create(i + 1, j + 1, p));
                }
            }
            int found = pairs.size();
            TaskMemory.take(
                    "rna_pair_probabilities",
                    (long) BYTES_OF_A_PAIR * (found - before),
                    "a larger min_probability, or ",
                    () -> "%,d pairs".formatted(found));
        }
        return pairs.toArray(Row[]::new);
    }

    /** @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if it is not a probability */
    static void checkProbability(String function, double least) {
        if (!(least >= 0 && least <= 1)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    "%s: min_probability is %s; a probability is from 0 to 1, such as 0.01".formatted(function, least));
        }
    }

    /** @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if it is not a weight */
    static void checkGamma(String function, double gamma) {
        if (!(gamma >= 0 && gamma <= 1e6)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    ("%s: gamma is %s; the weight of pairs is from 0 to 1000000, 1 where pairs and unpaired bases "
                                    + "count alike")
                            .formatted(function, gamma));
        }
    }

    static Object duplex(Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        FoldOptions how = FoldOptions.ofStrands(function, arguments.string(2).toString());
        byte[] first = bases(arguments, 0, "a");
        byte[] second = bases(arguments, 1, "b");
        Row row = RnaDuplex.of(function, first, second, how.energies())
                .map(helix -> RowFactory.create(
                        helix.energy() / UNIT,
                        helix.structure(),
                        helix.beginA(),
                        helix.endA(),
                        helix.beginB(),
                        helix.endB()))
                .orElse(APART);
        options.cells().add((long) first.length * second.length);
        return row;
    }

    static Object windows(Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        int window = arguments.integer(1);
        int step = arguments.integer(2);
        RnaWindows.checkSize(function, "window", window);
        RnaWindows.checkSize(function, "step", step);
        FoldOptions how = FoldOptions.of(function, arguments.string(3).toString());
        byte[] bases = bases(arguments, 0, "seq");
        Row[] rows = RnaWindows.fold(function, bases, window, step, how, strategy).stream()
                .map(each -> RowFactory.create(
                        each.begin(),
                        each.end(),
                        each.energy() / UNIT,
                        UTF8String.fromBytes(each.structure()).toString()))
                .toArray(Row[]::new);
        options.cells().add((long) bases.length * Math.min(bases.length, window));
        return rows;
    }

    static Object eval(Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        LoopEnergies energies =
                FoldOptions.of(function, arguments.string(2).toString()).energies();
        byte[] bases = bases(arguments, 0, "seq");
        byte[] brackets = TaskMemory.bytesOf(arguments.string(1));
        RnaFold.checkLength(function, bases.length, energies);
        TaskMemory.take(function, (long) BYTES_OF_A_LOOP * bases.length / 2, "", () -> "the loops of %,d bases"
                .formatted(bases.length));
        List<RnaEval.Loop> loops = RnaEval.loops(function, bases, brackets, energies);
        options.cells().add(bases.length);
        return RowFactory.create(
                loops.stream().mapToInt(RnaEval.Loop::energy).sum() / UNIT,
                loops.stream().map(RnaSolvers::row).toArray(Row[]::new));
    }

    private static Row row(RnaEval.Loop loop) {
        return RowFactory.create(
                loop.kind().name().toLowerCase(Locale.ROOT),
                base(loop.i()),
                base(loop.j()),
                base(loop.p()),
                base(loop.q()),
                loop.energy() / UNIT);
    }

    private static Integer base(int place) {
        return place == 0 ? null : place;
    }
}
