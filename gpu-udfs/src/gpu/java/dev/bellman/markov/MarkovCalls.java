package dev.bellman.markov;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;

/** The models and sequences of a batch, in the layout of {@code markov/model.cuh}. */
record MarkovCalls(
        long startOffsets,
        long startValidity,
        long starts,
        Matrices transitions,
        Matrices emissions,
        long symbolOffsets,
        long symbolValidity,
        long symbols,
        long logarithms) {
    record Matrices(long offsets, long rowValidity, long rowOffsets, long validity, long numbers) {
        static Matrices of(DeviceColumn column) {
            DeviceColumn rows = column.elements();
            DeviceColumn numbers = rows.elements();
            return new Matrices(
                    column.offsets(), rows.validity(), rows.offsets(), numbers.validity(), numbers.values());
        }

        private Matrices with(long otherNumbers) {
            return new Matrices(offsets, rowValidity, rowOffsets, validity, otherNumbers);
        }
    }

    /** The weights of a batch's models, in the kernels' layout. */
    record Weights(long starts, long transitions, long emissions) {}

    private static final int START = 0;
    private static final int TRANSITIONS = 1;
    static final int EMISSIONS = 2;

    private static final DataType NUMBERS = Types.list(Types.DOUBLE);
    static final DataType MATRIX = Types.list(NUMBERS);

    /** Returns the arguments of a batch. Values take the place of symbols. */
    static MarkovCalls of(Batch batch, SolverCall call) {
        int first = call.column("start");
        DeviceColumn start = batch.column(first, NUMBERS);
        DeviceColumn symbols = hasSymbols(call) || hasValues(call) ? steps(batch, call) : null;
        int logarithms = call.column("logarithms");
        return new MarkovCalls(
                start.offsets(),
                start.elements().validity(),
                start.elements().values(),
                Matrices.of(batch.column(first + TRANSITIONS, MATRIX)),
                Matrices.of(batch.column(first + EMISSIONS, MATRIX)),
                symbols == null ? 0 : symbols.offsets(),
                symbols == null ? 0 : symbols.elements().validity(),
                symbols == null ? 0 : symbols.elements().values(),
                logarithms < 0 ? 0 : batch.column(logarithms, Types.BOOLEAN).values());
    }

    /** Returns the same models with other offsets of steps, and without symbols. */
    MarkovCalls withSteps(long offsets) {
        return new MarkovCalls(startOffsets, startValidity, starts, transitions, emissions, offsets, 0, 0, logarithms);
    }

    private static boolean hasSymbols(SolverCall call) {
        return call.column("symbols") >= 0;
    }

    /** Whether states emit normally distributed values. */
    static boolean hasValues(SolverCall call) {
        return call.column("values") >= 0;
    }

    /** Returns the argument whose lists have an element for each step. */
    private static DeviceColumn steps(Batch batch, SolverCall call) {
        return hasValues(call)
                ? GaussianCalls.values(batch, call)
                : hasSymbols(call) ? batch.lists(call.column("symbols"), DType.INT32) : batch.column(EMISSIONS, MATRIX);
    }

    /** Allocates memory for the weights of all numbers, at the same places as in the batch's columns. */
    static Weights allocateWeights(Batch batch) {
        return new Weights(
                allocate(batch, batch.column(START, NUMBERS).elements()),
                allocate(batch, batch.column(TRANSITIONS, MATRIX).elements().elements()),
                allocate(batch, batch.column(EMISSIONS, MATRIX).elements().elements()));
    }

    private static long allocate(Batch batch, DeviceColumn numbers) {
        return batch.allocateDoubles(numbers.rows()).getAddress();
    }

    /** Returns the same models and sequences with weights instead of logarithms. */
    MarkovCalls with(Weights weights) {
        return new MarkovCalls(
                startOffsets,
                startValidity,
                weights.starts,
                transitions.with(weights.transitions),
                emissions.with(weights.emissions),
                symbolOffsets,
                symbolValidity,
                symbols,
                0);
    }

    /** Returns the total number of steps in a batch's rows. */
    static int countSteps(Batch batch, SolverCall call) {
        return steps(batch, call).elements().rows();
    }
}
