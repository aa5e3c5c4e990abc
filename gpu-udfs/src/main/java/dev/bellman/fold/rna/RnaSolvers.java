package dev.bellman.fold.rna;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.TaskMemory;
import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.RnaFold.Strategy;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** Computes the results of the RNA functions from their arguments. Options are checked before sequences. */
final class RnaSolvers {
    static final StructType FOLDING =
            new StructType().add("energy", DoubleType, false).add("structure", StringType, false);

    static final StructType ENSEMBLE = new StructType()
            .add("ensemble_energy", DoubleType, false)
            .add("mfe_frequency", DoubleType, false)
            .add("diversity", DoubleType, false);

    static final StructType COFOLD_ENSEMBLE = new StructType()
            .add("ensemble_energy", DoubleType, false)
            .add("dimer_energy", DoubleType, true)
            .add("energy_a", DoubleType, false)
            .add("energy_b", DoubleType, false)
            .add("uncorrected_energy", DoubleType, false);

    static final StructType PAIR = new StructType()
            .add("i", IntegerType, false)
            .add("j", IntegerType, false)
            .add("p", DoubleType, false);

    static final StructType WINDOW = new StructType()
            .add("begin", IntegerType, false)
            .add("end", IntegerType, false)
            .add("energy", DoubleType, false)
            .add("structure", StringType, false);

    static final StructType DUPLEX = new StructType()
            .add("energy", DoubleType, true)
            .add("structure", StringType, false)
            .add("begin_a", IntegerType, false)
            .add("end_a", IntegerType, false)
            .add("begin_b", IntegerType, false)
            .add("end_b", IntegerType, false);

    private static final StructType LOOP = new StructType()
            .add("kind", StringType, false)
            .add("i", IntegerType, true)
            .add("j", IntegerType, true)
            .add("p", IntegerType, true)
            .add("q", IntegerType, true)
            .add("energy", DoubleType, false);

    static final StructType LOOPS = new StructType()
            .add("energy", DoubleType, false)
            .add("loops", DataTypes.createArrayType(LOOP, false), false);

    /** The number of energy units in one kcal/mol. */
    private static final double UNIT = 100;

    static final double MAX_GAMMA = 1e6;

    /** The number of bytes per pair, for its object in a list and its Spark row together. */
    private static final int BYTES_OF_A_PAIR = 150;

    /** The number of bytes per loop, for its object in a list and its Spark row together. */
    private static final int BYTES_OF_A_LOOP = 240;

    /** The result for strands without bases that can pair; NULL would mean a rejected row. */
    private static final Row APART = RowFactory.create(null, "&", 0, 0, 0, 0);

    private RnaSolvers() {}

    private static byte[] bases(Arguments arguments, int place, String name) {
        return Bases.of(arguments.function(), name, TaskMemory.bytesOf(arguments.string(place)));
    }

    private static void count(FunctionOptions options, byte... bases) {
        options.cells().add((long) bases.length * bases.length / 2);
    }

    /** @param structure returns the structure in dots and brackets */
    private record Folding(int energy, Supplier<byte[]> structure) {}

    static Object fold(Strategy strategy, FunctionOptions options, Arguments arguments) {
        Folding folding = folding(strategy, options, arguments);
        return RowFactory.create(
                folding.energy / UNIT,
                UTF8String.fromBytes(folding.structure.get()).toString());
    }

    static Object energy(Strategy strategy, FunctionOptions options, Arguments arguments) {
        return folding(strategy, options, arguments).energy / UNIT;
    }

    private static Folding folding(Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        FoldOptions how = FoldOptions.folding(function, arguments.string(1).toString());
        byte[] bases = bases(arguments, 0, "sequence");
        boolean hasWindows = !how.isCircular() && how.constraint() == Constraint.NONE;
        RnaFold.checkLength(
                function, "the sequence", bases.length, hasWindows ? "rna_fold_windows, or " : "", how.energies());
        count(options, bases);
        if (how.isCircular()) {
            CircularFold circular = CircularFold.of(function, bases, how, strategy);
            return new Folding(circular.energy(), circular::structure);
        }
        RnaFold linear = RnaFold.of(function, bases, how, strategy);
        return new Folding(linear.energy(), linear::structure);
    }

    private static int minimum(String function, byte[] bases, FoldOptions options, Strategy strategy) {
        RnaFold.checkLength(function, "the sequence", bases.length, "", options.energies());
        return options.isCircular()
                ? CircularFold.of(function, bases, options, strategy).energy()
                : RnaFold.of(function, bases, options, strategy).energy();
    }

    static Object ensemble(Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        FoldOptions how = FoldOptions.ensemble(function, arguments.string(1).toString());
        byte[] bases = bases(arguments, 0, "sequence");
        int minimum = minimum(function, bases, how, strategy);
        RnaEnsemble ensemble = RnaEnsemble.of(function, bases, how, minimum);
        Row row = RowFactory.create(
                ensemble.energy() / UNIT,
                ensemble.probability(minimum),
                PairProbabilities.of(ensemble).diversity());
        count(options, bases);
        return row;
    }

    static Object pairs(Strategy strategy, FunctionOptions options, Arguments arguments) {
        double minimum = arguments.number(1);
        checkProbability(arguments.function(), minimum);
        PairProbabilities probabilities = probabilities(strategy, options, arguments);
        List<Row> pairs = new ArrayList<>();
        for (int i = 0; i < probabilities.length(); i++) {
            int before = pairs.size();
            for (int j = i + 1; j < probabilities.length(); j++) {
                double p = probabilities.pair(i, j);
                if (p > 0 && p >= minimum) {
                    pairs.add(RowFactory.create(i + 1, j + 1, p));
                }
            }
            int found = pairs.size();
            TaskMemory.take(
                    arguments.function(),
                    (long) BYTES_OF_A_PAIR * (found - before),
                    "a larger min_probability, ",
                    () -> "%,d pairs".formatted(found));
        }
        return pairs.toArray(Row[]::new);
    }

    static Object mostAccurate(Strategy strategy, FunctionOptions options, Arguments arguments) {
        double gamma = arguments.number(1);
        checkGamma(arguments.function(), gamma);
        return UTF8String.fromBytes(probabilities(strategy, options, arguments).mostAccurate(gamma));
    }

    private static PairProbabilities probabilities(Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        FoldOptions how = FoldOptions.ensemble(function, arguments.string(2).toString());
        byte[] bases = bases(arguments, 0, "sequence");
        // the ensemble contains structures with lonely pairs, even if no structure without lonely pairs satisfies an
        // enforced constraint
        FoldOptions folding = how.constraint().isEnforced() ? how.withLonelyPairs() : how;
        int minimum = minimum(function, bases, folding, strategy);
        PairProbabilities probabilities = PairProbabilities.of(RnaEnsemble.of(function, bases, how, minimum));
        count(options, bases);
        return probabilities;
    }

    /** @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if the value is not a probability */
    static void checkProbability(String function, double minimum) {
        if (!(minimum >= 0 && minimum <= 1)) {
            throw BellmanException.inSetting(
                    function, "min_probability is %s; it must be from 0 to 1, such as 0.01".formatted(minimum));
        }
    }

    /** @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if gamma is not from 0 to {@link #MAX_GAMMA} */
    static void checkGamma(String function, double gamma) {
        if (!(gamma >= 0 && gamma <= MAX_GAMMA)) {
            throw BellmanException.inSetting(
                    function,
                    ("gamma is %s; it must be from 0 to 1000000. With gamma 1, paired and unpaired bases have equal "
                                    + "weights")
                            .formatted(gamma));
        }
    }

    static Object duplex(Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        FoldOptions how = FoldOptions.ofStrands(function, arguments.string(2).toString());
        byte[] a = bases(arguments, 0, "a");
        byte[] b = bases(arguments, 1, "b");
        Row row = RnaDuplex.of(function, a, b, how.energies())
                .map(RnaSolvers::row)
                .orElse(APART);
        options.cells().add((long) a.length * b.length);
        return row;
    }

    static Object cofold(Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        FoldOptions how = FoldOptions.ofStrands(function, arguments.string(2).toString());
        byte[] a = bases(arguments, 0, "a");
        byte[] b = bases(arguments, 1, "b");
        RnaCofold folding = RnaCofold.of(function, a, b, how, strategy);
        long length = (long) a.length + b.length;
        options.cells().add(length * length / 2);
        return RowFactory.create(
                folding.energy() / UNIT,
                UTF8String.fromBytes(folding.structure()).toString());
    }

    static Object cofoldEnsemble(Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        FoldOptions how = FoldOptions.ofStrands(function, arguments.string(2).toString());
        byte[] a = bases(arguments, 0, "a");
        byte[] b = bases(arguments, 1, "b");
        int minimum = RnaCofold.of(function, a, b, how, strategy).energy();
        CofoldEnsemble ensemble = CofoldEnsemble.of(function, a, b, how, minimum);
        long length = (long) a.length + b.length;
        options.cells().add(length * length / 2);
        return RowFactory.create(
                ensemble.energy() / UNIT,
                ensemble.isConnected() ? ensemble.energyOfDimer() / UNIT : null,
                ensemble.energyOfA() / UNIT,
                ensemble.energyOfB() / UNIT,
                ensemble.uncorrected() / UNIT);
    }

    private static Row row(RnaDuplex.Helix helix) {
        return RowFactory.create(
                helix.energy() / UNIT, helix.structure(), helix.beginA(), helix.endA(), helix.beginB(), helix.endB());
    }

    static Object windows(Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        int window = arguments.integer(1);
        int step = arguments.integer(2);
        RnaWindows.checkSize(function, "window", window);
        RnaWindows.checkSize(function, "step", step);
        FoldOptions how = FoldOptions.of(function, arguments.string(3).toString());
        byte[] bases = bases(arguments, 0, "sequence");
        Row[] rows = RnaWindows.fold(function, bases, window, step, how, strategy).stream()
                .map(RnaSolvers::row)
                .toArray(Row[]::new);
        options.cells().add((long) bases.length * Math.min(bases.length, window));
        return rows;
    }

    private static Row row(RnaWindows.Window window) {
        return RowFactory.create(
                window.begin(),
                window.end(),
                window.energy() / UNIT,
                UTF8String.fromBytes(window.structure()).toString());
    }

    static Object loops(Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        LoopEnergies energies =
                FoldOptions.of(function, arguments.string(2).toString()).energies();
        byte[] bases = bases(arguments, 0, "sequence");
        byte[] brackets = TaskMemory.bytesOf(arguments.string(1));
        RnaFold.checkLength(function, "the sequence", bases.length, "", energies);
        TaskMemory.take(
                function, (long) BYTES_OF_A_LOOP * bases.length / 2, "", () -> "the loops in a sequence of %,d bases"
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
