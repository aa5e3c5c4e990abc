package dev.bellman.markov;

import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.markov.MarkovCalls.Matrices;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.IntegerType;

/** The arguments of {@code hmm_fit} or {@code hmm_refit} in a batch, in the layout of {@code markov/fit.cuh}. */
record FitCalls(
        Sequences sequences,
        MarkovCalls first,
        long states,
        long iterations,
        long seeds,
        long minVariances,
        long defaultSeed,
        double defaultMinVariance,
        int defaultIterations) {
    /** The sequences of a batch in the kernels' layout. */
    record Sequences(
            long offsets, long validity, long stepOffsets, long symbolValidity, long symbols, Matrices values) {
        static Sequences of(Batch batch, SolverCall call) {
            DeviceColumn lists = batch.column(call.column("sequences"), type(call));
            DeviceColumn sequences = lists.elements();
            DeviceColumn steps = sequences.elements();
            boolean symbols = areSymbols(call);
            return new Sequences(
                    lists.offsets(),
                    sequences.validity(),
                    sequences.offsets(),
                    symbols ? steps.validity() : 0,
                    symbols ? steps.values() : 0,
                    symbols
                            ? NONE
                            : arePoints(call)
                                    ? Matrices.of(sequences)
                                    : new Matrices(sequences.offsets(), 0, 0, steps.validity(), steps.values()));
        }

        private static DataType type(SolverCall call) {
            DataType step = areSymbols(call) ? Types.INT : arePoints(call) ? Types.list(Types.DOUBLE) : Types.DOUBLE;
            return Types.list(Types.list(step));
        }

        private static boolean arePoints(SolverCall call) {
            return step(call) instanceof ArrayType;
        }
    }

    private static final Matrices NONE = new Matrices(0, 0, 0, 0, 0);
    private static final MarkovCalls NO_MODELS = new MarkovCalls(0, 0, 0, NONE, NONE, 0, 0, 0, 0);

    /** Returns the arguments of a batch. */
    static FitCalls of(Batch batch, SolverCall call) {
        Sequences sequences = Sequences.of(batch, call);
        int states = call.column("states");
        int iterations = call.column("iterations");
        int seed = call.column("seed");
        int minVariance = call.column("min_variance");
        return new FitCalls(
                sequences,
                call.column("start") < 0
                        ? NO_MODELS
                        : MarkovCalls.of(batch, call).withSteps(sequences.offsets),
                states < 0 ? 0 : batch.ints(states).values(),
                iterations < 0 ? 0 : batch.ints(iterations).values(),
                seed < 0 ? 0 : batch.column(seed, Types.LONG).values(),
                minVariance < 0 ? 0 : batch.column(minVariance, Types.DOUBLE).values(),
                (Long) call.ifAbsent("seed").orElse(0L),
                (Double) call.ifAbsent("min_variance").orElse(0.0),
                (Integer) call.ifAbsent("iterations").orElseThrow());
    }

    /** Whether the sequences contain symbols rather than normally distributed numbers or points. */
    static boolean areSymbols(SolverCall call) {
        return step(call) instanceof IntegerType;
    }

    private static org.apache.spark.sql.types.DataType step(SolverCall call) {
        ArrayType sequence = (ArrayType) ((ArrayType) call.type("sequences")).elementType();
        return sequence.elementType();
    }
}
