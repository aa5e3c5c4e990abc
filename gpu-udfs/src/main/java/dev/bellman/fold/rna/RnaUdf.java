package dev.bellman.fold.rna;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarFunction;
import dev.bellman.columns.TaskMemory;
import dev.bellman.fold.Bases;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** The functions of a sequence, {@code rna_fold(seq)} and others, and each with {@code options}. */
final class RnaUdf<R> implements UDF1<UTF8String, R>, UDF2<UTF8String, UTF8String, R>, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    static final StructType FOLDING =
            new StructType().add("energy", DataTypes.DoubleType, false).add("structure", DataTypes.StringType, false);

    static final StructType ENSEMBLE = new StructType()
            .add("ensemble_energy", DataTypes.DoubleType, false)
            .add("mfe_frequency", DataTypes.DoubleType, false)
            .add("diversity", DataTypes.DoubleType, false);

    /** Hundredths in a kcal/mol. */
    static final double UNIT = 100;

    /** Solves a sequence. */
    private interface Solver<R> extends Serializable {
        R solve(String function, byte[] bases, FoldOptions options, RnaFold.Strategy strategy);
    }

    /** Parses options. */
    private interface Parser extends Serializable {
        FoldOptions parse(String function, String options);
    }

    private final String function;
    private final Parser parser;
    private final Solver<R> solver;
    private final RnaFold.Strategy strategy;
    private final FunctionOptions options;

    private RnaUdf(
            String function, Parser parser, Solver<R> solver, RnaFold.Strategy strategy, FunctionOptions options) {
        this.function = function;
        this.parser = parser;
        this.solver = solver;
        this.strategy = strategy;
        this.options = options;
    }

    static RnaUdf<Row> fold(RnaFold.Strategy strategy, FunctionOptions options) {
        return new RnaUdf<>(
                "rna_fold",
                FoldOptions::constrained,
                (function, bases, how, chosen) -> {
                    RnaFold folding = RnaFold.of(function, bases, how, chosen);
                    return RowFactory.create(
                            folding.energy() / UNIT,
                            UTF8String.fromBytes(folding.structure()).toString());
                },
                strategy,
                options);
    }

    static RnaUdf<Double> energy(RnaFold.Strategy strategy, FunctionOptions options) {
        return new RnaUdf<>(
                "rna_fold_energy",
                FoldOptions::constrained,
                (function, bases, how, chosen) ->
                        RnaFold.of(function, bases, how, chosen).energy() / UNIT,
                strategy,
                options);
    }

    static RnaUdf<Row> ensemble(RnaFold.Strategy strategy, FunctionOptions options) {
        return new RnaUdf<>("rna_ensemble", FoldOptions::of, RnaUdf::ensemble, strategy, options);
    }

    private static Row ensemble(String function, byte[] bases, FoldOptions how, RnaFold.Strategy strategy) {
        int least = RnaFold.of(function, bases, how, strategy).energy();
        RnaEnsemble ensemble = RnaEnsemble.of(function, bases, how, least);
        return RowFactory.create(
                ensemble.energy() / UNIT,
                ensemble.probability(least),
                PairProbabilities.of(ensemble).diversity());
    }

    String function() {
        return function;
    }

    FunctionOptions options() {
        return options;
    }

    /** The function as a {@link dev.bellman.columns.CpuFunction}. */
    Object onCpu(FunctionOptions other, List<Object> arguments) {
        RnaUdf<R> udf = new RnaUdf<>(function, parser, solver, strategy, other);
        UTF8String seq = (UTF8String) arguments.get(0);
        return arguments.size() == 1 ? udf.call(seq) : udf.call(seq, (UTF8String) arguments.get(1));
    }

    @Override
    public boolean hasKernel() {
        return strategy != RnaFold.Strategy.ZUKER;
    }

    @Override
    public R call(UTF8String seq) {
        return call(seq, UTF8String.EMPTY_UTF8);
    }

    @Override
    public R call(UTF8String seq, UTF8String how) {
        return seq == null || how == null
                ? null
                : options.answer(() -> {
                    FoldOptions parsed = parser.parse(function, how.toString());
                    byte[] bases = Bases.of(function, "seq", TaskMemory.bytesOf(seq));
                    R solved = solver.solve(function, bases, parsed, strategy);
                    options.cells().add((long) bases.length * bases.length / 2);
                    return solved;
                });
    }
}
