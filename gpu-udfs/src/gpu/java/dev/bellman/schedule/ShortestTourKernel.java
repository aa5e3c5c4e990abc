package dev.bellman.schedule;

import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.Slots;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import java.util.List;

/** Finds the shortest tours on the GPU, with one block per row. See {@code schedule/shortest_tour.cu}. */
record ShortestTourKernel(SolverCall call) implements ColumnarKernel {
    record Calls(long offsets, long rowValidity, long rowOffsets, long validity, long distances) {}

    record Answers(long lengths, long counts, long tours) {}

    private static final int BLOCK = 128;
    private static final int MAX_THREADS = 1024;
    /** The amount of static shared memory in the kernels, rounded up, in bytes. */
    private static final int STATIC_BYTES = 4_096;

    private static final DataType MATRIX = Types.list(Types.list(Types.DOUBLE));

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("schedule/shortest_tour");
        int rows = batch.rows();
        DeviceColumn matrices = batch.column(0, MATRIX);
        DeviceColumn places = matrices.elements();
        DeviceColumn distances = places.elements();
        Calls calls = new Calls(
                matrices.offsets(), places.validity(), places.offsets(), distances.validity(), distances.values());
        DeviceMemoryBuffer lengths = batch.allocateDoubles(rows);
        DeviceMemoryBuffer counts = batch.scratch().zeroInts(rows + 1L);
        Answers answers = new Answers(
                lengths.getAddress(),
                counts.getAddress(),
                batch.scratch()
                        .allocate((long) module.constant("MAX_PLACES") * rows)
                        .getAddress());
        GpuMemory memory = GpuMemory.ofSession();
        int classes = module.constant("MAX_PLACES");
        Instances instances = new Instances(
                batch,
                call,
                classes,
                key -> isShared(classes - key) || tableBytes(classes - key) <= memory.perInstance() ? classes : 0,
                classified -> module.kernel("shortest_tour_classify")
                        .warps(rows, BLOCK)
                        .launch(rows, batch.validity(), calls, classified));
        new Launches(module, Slots.of(instances), calls, answers, instances).solve();
        instances.regroup();
        Offsets offsets = batch.offsets(counts);
        DeviceMemoryBuffer tours = batch.allocateInts(offsets.total());
        module.kernel("shortest_tour_places")
                .warps(rows, BLOCK)
                .launch(rows, answers, offsets.buffer().getAddress(), tours.getAddress());
        return Result.struct(Result.doubles(lengths), Result.lists(offsets, Result.ints(tours)));
    }

    /** Returns the size of a row's table in bytes. */
    private static long tableBytes(int places) {
        int others = places - 1;
        return others == 0 ? 0 : (long) Double.BYTES * others << others - 1;
    }

    private static boolean isShared(int places) {
        return tableBytes(places) + STATIC_BYTES <= Device.current().sharedMemoryPerBlock();
    }

    /** Returns the numbers with {@code bits} bits, in ascending order of their number of ones, then of their values. */
    static int[] sets(int bits) {
        int[] sets = new int[1 << bits];
        int count = 1;
        for (int size = 1; size <= bits; size++) {
            int set = (1 << size) - 1;
            while (set < sets.length) {
                sets[count++] = set;
                // the next number with as many ones: moves the highest bit of the lowest run of ones up by one place,
                // and the other bits of the run to the lowest places
                int moved = set + (set & -set);
                set = moved | (set ^ moved) >>> Integer.numberOfTrailingZeros(set) + 2;
            }
        }
        return sets;
    }

    /** The launches that solve the groups of a batch. */
    private record Launches(CudaModule module, Slots slots, Calls calls, Answers answers, Instances instances) {
        void solve() {
            List<Instances.Group> groups = instances.groups();
            if (groups.isEmpty()) {
                return;
            }
            // a set contains neither place 0 nor the place at which its path ends
            int bits = Math.max(0, groups.get(0).largest() - 2);
            try (Scratch scratch = new Scratch()) {
                long sets = DeviceArrays.writeInts(scratch, sets(bits)).getAddress();
                groups.forEach(group -> solve(group, sets, bits));
            }
        }

        private void solve(Instances.Group group, long sets, int bits) {
            int places = group.largest();
            int sharedMemory = isShared(places) ? (int) tableBytes(places) : 0;
            long slot = isShared(places) ? 0 : tableBytes(places);
            Kernel kernel = module.kernel(isShared(places) ? "shortest_tour_shared" : "shortest_tour_global");
            int block = Math.min(MAX_THREADS, Math.max(Kernel.WARP, 1 << Math.max(0, places - 3)));
            slots.solve(
                    group,
                    new Slots.Shape(kernel, block, sharedMemory),
                    slot,
                    calls,
                    answers,
                    instances.classified(),
                    sets,
                    bits);
        }
    }
}
