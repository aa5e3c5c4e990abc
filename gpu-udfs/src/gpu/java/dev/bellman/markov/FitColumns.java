package dev.bellman.markov;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.cuda.CudaModule;

/**
 * The lengths of the models that {@code hmm_fit} or {@code hmm_refit} returns for a batch, in device memory. Also
 * creates the result column.
 */
record FitColumns(
        DeviceMemoryBuffer states,
        DeviceMemoryBuffer transitions,
        DeviceMemoryBuffer emissions,
        DeviceMemoryBuffer iterations,
        DeviceMemoryBuffer all) {
    /** The lengths in the kernels' layout. */
    record Lengths(long states, long transitions, long emissions, long iterations, long all) {}

    /** The results of each row in the kernels' layout. */
    record Results(long widths, long offsets, long numbers) {}

    /** The result columns in the kernels' layout. */
    record Columns(
            long states,
            long transitions,
            long emissions,
            long iterations,
            long starts,
            long transitionRows,
            long transitionNumbers,
            long emissionRows,
            long emissionNumbers,
            long logs) {}

    private static final String MODULE = "markov/hmm_fit";
    private static final int BLOCK = 128;

    static FitColumns allocate(Batch batch) {
        return new FitColumns(
                batch.allocateInts(batch.rows() + 1L),
                batch.allocateInts(batch.rows() + 1L),
                batch.allocateInts(batch.rows() + 1L),
                batch.allocateInts(batch.rows() + 1L),
                batch.allocateInts(batch.rows() + 1L));
    }

    /** Writes the lengths; rows without results have lengths of 0. */
    void writeLengths(Batch batch, FitCalls calls, long widths, Instances instances) {
        CudaModule.load(MODULE)
                .kernel("hmm_fit_lengths")
                .threads(batch.rows() + 1L, BLOCK)
                .launch(
                        batch.rows(),
                        calls,
                        new Results(widths, 0, 0),
                        instances.classified(),
                        new Lengths(
                                states.getAddress(),
                                transitions.getAddress(),
                                emissions.getAddress(),
                                iterations.getAddress(),
                                all.getAddress()));
    }

    /** Copies the results to a result column, and returns this column. */
    Result result(Batch batch, FitCalls calls, Results results, Instances instances) {
        Offsets ofStates = batch.offsets(states);
        Offsets ofTransitions = batch.offsets(transitions);
        Offsets ofEmissions = batch.offsets(emissions);
        Offsets ofIterations = batch.offsets(iterations);
        DeviceMemoryBuffer starts = batch.allocateDoubles(ofStates.total());
        DeviceMemoryBuffer transitionRows = batch.allocateInts(ofStates.total() + 1L);
        DeviceMemoryBuffer transitionNumbers = batch.allocateDoubles(ofTransitions.total());
        DeviceMemoryBuffer emissionRows = batch.allocateInts(ofStates.total() + 1L);
        DeviceMemoryBuffer emissionNumbers = batch.allocateDoubles(ofEmissions.total());
        DeviceMemoryBuffer logs = batch.allocateDoubles(ofIterations.total());
        CudaModule.load(MODULE)
                .kernel("hmm_fit_results")
                .warps(batch.rows(), BLOCK)
                .launch(
                        batch.rows(),
                        calls,
                        results,
                        instances.classified(),
                        new Columns(
                                ofStates.buffer().getAddress(),
                                ofTransitions.buffer().getAddress(),
                                ofEmissions.buffer().getAddress(),
                                ofIterations.buffer().getAddress(),
                                starts.getAddress(),
                                transitionRows.getAddress(),
                                transitionNumbers.getAddress(),
                                emissionRows.getAddress(),
                                emissionNumbers.getAddress(),
                                logs.getAddress()));
        return Result.struct(
                Result.lists(ofStates, Result.doubles(starts)),
                matrices(copy(batch, ofStates), transitionRows, ofTransitions, transitionNumbers),
                matrices(copy(batch, ofStates), emissionRows, ofEmissions, emissionNumbers),
                Result.lists(ofIterations, Result.doubles(logs)));
    }

    private static Result matrices(
            Offsets rows, DeviceMemoryBuffer rowOffsets, Offsets entries, DeviceMemoryBuffer numbers) {
        return Result.lists(rows, Result.lists(new Offsets(rowOffsets, entries.total()), Result.doubles(numbers)));
    }

    /** Copies offsets, because each column must own its offsets. */
    private static Offsets copy(Batch batch, Offsets offsets) {
        DeviceMemoryBuffer copy = batch.allocate(offsets.buffer().getLength());
        copy.copyFromDeviceBufferAsync(0, offsets.buffer(), 0, copy.getLength(), Cuda.DEFAULT_STREAM);
        return new Offsets(copy, offsets.total());
    }
}
