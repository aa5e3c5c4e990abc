package dev.bellman.markov;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceColumn;
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
        long symbols) {
    record Matrices(long offsets, long rowValidity, long rowOffsets, long validity, long numbers) {
        static Matrices of(DeviceColumn column) {
            DeviceColumn rows = column.elements();
            DeviceColumn numbers = rows.elements();
            return new Matrices(
                    column.offsets(), rows.validity(), rows.offsets(), numbers.validity(), numbers.values());
        }
    }

    private static final DataType NUMBERS = Types.list(Types.DOUBLE);
    static final DataType MATRIX = Types.list(NUMBERS);

    /** Returns the arguments of a batch. */
    static MarkovCalls of(Batch batch) {
        DeviceColumn start = batch.column(0, NUMBERS);
        DeviceColumn symbols = batch.arguments() > 3 ? batch.lists(3, DType.INT32) : null;
        return new MarkovCalls(
                start.offsets(),
                start.elements().validity(),
                start.elements().values(),
                Matrices.of(batch.column(1, MATRIX)),
                Matrices.of(batch.column(2, MATRIX)),
                symbols == null ? 0 : symbols.offsets(),
                symbols == null ? 0 : symbols.elements().validity(),
                symbols == null ? 0 : symbols.elements().values());
    }

    /** Returns the total number of steps in a batch's rows. */
    static int steps(Batch batch) {
        return (batch.arguments() > 3 ? batch.lists(3, DType.INT32) : batch.column(2, MATRIX))
                .elements()
                .rows();
    }
}
