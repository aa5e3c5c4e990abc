package dev.bellman.markov;

import ai.rapids.cudf.DType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.markov.MarkovCalls.Matrices;
import java.util.function.IntUnaryOperator;
import org.apache.spark.sql.types.ArrayType;

/** The models with normal distributions and the values of a batch, in the layout of {@code markov/gaussian.cuh}. */
record GaussianCalls(MarkovCalls chains, Matrices values, long scales) {
    static final String MODULE = "markov/values";
    private static final int BLOCK = 128;

    /** Returns the arguments of a batch. */
    static GaussianCalls of(Batch batch, SolverCall call) {
        DeviceColumn emissions = batch.column(MarkovCalls.EMISSIONS, MarkovCalls.MATRIX)
                .elements()
                .elements();
        int count = emissions.rows();
        long scales = batch.allocateDoubles(count).getAddress();
        // a launch has at least one thread, even if there are no numbers
        CudaModule.load(MODULE)
                .kernel("values_scales")
                .threads(Math.max(1, count), BLOCK)
                .launch(count, emissions.values(), scales);
        DeviceColumn values = values(batch, call);
        DeviceColumn steps = values.elements();
        return new GaussianCalls(
                MarkovCalls.of(batch, call),
                arePoints(call)
                        ? Matrices.of(values)
                        : new Matrices(values.offsets(), 0, 0, steps.validity(), steps.values()),
                scales);
    }

    private static boolean arePoints(SolverCall call) {
        return ((ArrayType) call.type("values")).elementType() instanceof ArrayType;
    }

    /** Returns the values, which are lists of numbers or of points. */
    static DeviceColumn values(Batch batch, SolverCall call) {
        int place = call.column("values");
        return arePoints(call) ? batch.column(place, MarkovCalls.MATRIX) : batch.lists(place, DType.FLOAT64);
    }

    /**
     * Checks and groups the rows.
     *
     * @param stepBytes the number of bytes that a row needs for each step and state
     * @param limit returns the maximum size of a row in each class, in units of {@code SLOT_UNIT} bytes
     */
    Instances instances(Batch batch, SolverCall call, int stepBytes, IntUnaryOperator limit) {
        CudaModule module = CudaModule.load(MODULE);
        return new Instances(
                batch, call, module.constant("CLASSES"), limit, classified -> module.kernel("values_classify")
                        .warps(batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), this, stepBytes, classified));
    }
}
