package dev.bellman.align.names;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.AlikeRows;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Runs {@code weighted_edit_distance} on the GPU, with one thread per pair. The CPU solves pairs that contain a string
 * with more than {@code MAX_BYTES} bytes, and rows whose {@code costs} are not among the first {@value #MAX_LISTS} of a
 * batch or list more than {@value #MAX_CHARACTERS} characters.
 */
record WeightedKernel(SolverCall call) implements ColumnarKernel {
    private static final int MAX_LISTS = 16;
    private static final int MAX_CHARACTERS = 1_000;
    private static final String COSTS = "costs";
    private static final int CLASSIFY_BLOCK = 256;

    /**
     * The number of threads per block for pairs with a short and a long {@code b}, chosen so that the rows of all
     * threads fit in shared memory.
     */
    private static final int[] BLOCKS = {64, 32};

    /** The costs in the kernels' layout ({@code Costs} in {@code weighted.cu}). */
    record Costs(long insertion, long deletion, long substitution, long lists, long listOf) {}

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("align/names/weighted");
        int longest = module.constant("MAX_BYTES");
        Texts a = Texts.of(batch.strings(0));
        Texts b = Texts.of(batch.strings(1));
        List<ListedCosts> lists = new ArrayList<>();
        long listOf = listOf(batch, lists);
        Costs costs = new Costs(
                batch.column(2, Types.DOUBLE).values(),
                batch.column(3, Types.DOUBLE).values(),
                batch.column(4, Types.DOUBLE).values(),
                DeviceArrays.writeStructs(batch.scratch(), ListedCosts.class, lists)
                        .getAddress(),
                listOf);
        Instances pairs = new Instances(
                batch, call, module.constant("CLASSES"), key -> longest, rows -> module.kernel("weighted_classify")
                        .threads(batch.rows(), CLASSIFY_BLOCK)
                        .launch(batch.rows(), batch.validity(), a, b, costs, rows));
        DeviceMemoryBuffer distances = batch.allocateDoubles(batch.rows());
        for (Instances.Group group : pairs.groups()) {
            int isLong = group.key() & module.constant("LONG");
            int most = isLong == 0 ? module.constant("SHORT_BYTES") : longest;
            int block = BLOCKS[isLong];
            boolean hasList = (group.key() & module.constant("LISTED")) != 0;
            module.kernel(hasList ? "weighted_solve_listed" : "weighted_solve")
                    .threads(group.count(), block)
                    .sharedMemory(block * (Double.BYTES * (most + 1) + Integer.BYTES * most))
                    .launch(
                            group.count(),
                            pairs.order().getAddress() + (long) Integer.BYTES * group.from(),
                            a,
                            b,
                            costs,
                            most,
                            distances.getAddress());
        }
        return Result.doubles(distances);
    }

    /**
     * Reads the lists of substitutions with individual costs.
     *
     * @return the address of the number of each row's list; 0 if no row has a list
     */
    private long listOf(Batch batch, List<ListedCosts> lists) {
        boolean isConstant = call.column(COSTS) < 0;
        if (isConstant && call.ifAbsent(COSTS).orElseThrow().equals(UTF8String.EMPTY_UTF8)) {
            return 0;
        }
        return AlikeRows.number(batch, call, COSTS, MAX_LISTS, text -> {
                    lists.add(listed(batch, text));
                    return lists.size() - 1;
                })
                .getAddress();
    }

    private ListedCosts listed(Batch batch, String text) {
        EditCosts costs = EditCosts.listed(call.function(), text);
        if (costs.count() > MAX_CHARACTERS + 1) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "costs has %,d different characters; the GPU supports at most %,d"
                            .formatted(costs.count() - 1, MAX_CHARACTERS));
        }
        return ListedCosts.of(costs, batch.scratch());
    }
}
