package dev.bellman.markov.profile;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.AlikeRows;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Scores sequences with profiles on the GPU. See {@code markov/profile/score.cu}. The CPU solves rows whose profile is
 * not among the first {@value #MAX_PROFILES} distinct profiles of a batch.
 */
record ProfileKernel(SolverCall call) implements ColumnarKernel {
    record Sequences(long offsets, long bytes, long algorithmOffsets, long algorithms) {
        private static Sequences of(Batch batch, int algorithm) {
            DeviceColumn sequences = batch.strings(0);
            DeviceColumn algorithms = algorithm < 0 ? null : batch.strings(algorithm);
            return new Sequences(
                    sequences.offsets(),
                    sequences.values(),
                    algorithms == null ? 0 : algorithms.offsets(),
                    algorithms == null ? 0 : algorithms.values());
        }
    }

    /** Rows with the same profile and algorithm that a block scores together. */
    record Piece(int profile, int from, int to) {}

    /**
     * A kernel for each algorithm, for profiles of a certain size.
     *
     * @param steps the number of nodes per part, with padding, if their states are in registers; 0 for any number
     * @param forward the number of sequences per thread of the kernel for forward
     * @param viterbi the number of sequences per thread of the kernel for viterbi
     */
    private record Shape(String name, int steps, int forward, int viterbi) {
        int sequences(boolean isForward) {
            return isForward ? forward : viterbi;
        }
    }

    /** The kernel that a launch runs. */
    private record Choice(int shape, boolean isForward) implements Comparable<Choice> {
        @Override
        public int compareTo(Choice other) {
            return shape == other.shape
                    ? Boolean.compare(isForward, other.isForward)
                    : Integer.compare(shape, other.shape);
        }
    }

    /**
     * The kernels, ordered by the number of nodes per part that they support. A profile uses the first kernel that
     * supports it if that kernel's shared memory suffices, and otherwise the last one, which supports any profile.
     */
    private static final List<Shape> SHAPES = List.of(
            new Shape("4", 4, 2, 2),
            new Shape("8", 8, 2, 2),
            new Shape("12", 12, 2, 2),
            new Shape("16", 16, 2, 2),
            new Shape("20", 20, 2, 1),
            new Shape("24", 24, 1, 1),
            new Shape("28", 28, 1, 1),
            new Shape("32", 32, 1, 1),
            new Shape("40", 40, 1, 1),
            new Shape("48", 48, 1, 1),
            new Shape("any", 0, 1, 1));

    static final int MAX_PROFILES = 32;
    private static final int BLOCK = 256;

    /** The bytes of shared memory that are kept for a kernel's static variables. */
    private static final int RESERVED = 64;

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("markov/profile/score");
        Sequences sequences = Sequences.of(batch, call.column("algorithm"));
        List<DeviceProfile> profiles = new ArrayList<>();
        DeviceMemoryBuffer ofRows = AlikeRows.number(batch, call, "profile", MAX_PROFILES, text -> {
            profiles.add(profile(batch, module, text));
            return profiles.size() - 1;
        });
        long onDevice = DeviceArrays.writeStructs(batch.scratch(), DeviceProfile.class, profiles)
                .getAddress();
        int lengths = module.constant("PROFILE_LENGTHS");
        Instances instances = new Instances(
                batch,
                call,
                Math.max(1, 2 * lengths * profiles.size()),
                Instances.UNLIMITED,
                classified -> module.kernel("profile_classify")
                        .warps(batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), sequences, onDevice, ofRows.getAddress(), classified));
        DeviceMemoryBuffer bits = batch.allocateDoubles(batch.rows());
        pieces(module, instances.groups(), profiles)
                .forEach((choice, pieces) -> score(
                        module,
                        choice,
                        pieces,
                        profiles,
                        sequences,
                        onDevice,
                        instances.order().getAddress(),
                        bits.getAddress()));
        return Result.doubles(bits);
    }

    private DeviceProfile profile(Batch batch, CudaModule module, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ProfileModel model = new ProfileModel(call.function(), ProfileText.of(call.function(), bytes));
        return DeviceProfile.of(model, module, batch.scratch());
    }

    /** Returns the index of the smallest shape that a profile fits. */
    private static int shape(CudaModule module, DeviceProfile profile, boolean isForward) {
        int index = 0;
        while (SHAPES.get(index).steps() > 0 && SHAPES.get(index).steps() < profile.steps()) {
            index++;
        }
        // the last kernel needs little shared memory, so it supports every profile
        int sequences = SHAPES.get(index).sequences(isForward);
        boolean fits = sharedMemory(module, SHAPES.get(index), sequences, profile.steps())
                <= Device.current().sharedMemoryPerBlock();
        return fits ? index : SHAPES.size() - 1;
    }

    /** Returns the shared memory of a block, in bytes, for profiles with at most the given number of nodes per part. */
    private static int sharedMemory(CudaModule module, Shape shape, int sequences, int steps) {
        return sequences * module.constant("PROFILE_LANE_BYTES")
                + (shape.steps() > 0
                        ? ProfileModel.PARTS * steps * module.constant("PROFILE_NODE_BYTES")
                                + module.constant("PROFILE_PARTS_BYTES")
                        : module.constant("PROFILE_WINDOW_BYTES"));
    }

    /**
     * Returns for how many nodes per part the last kernel keeps the states in shared memory, besides those in
     * registers: as many as there is room for.
     *
     * @param others the bytes of a block's shared memory that are not for states
     */
    private static int sharedSteps(CudaModule module, int sequences, int steps, int others) {
        int room = Device.current().sharedMemoryPerBlock() - RESERVED - others;
        int most = room / (sequences * module.constant("PROFILE_STEP_BYTES"));
        int padding = module.constant("PROFILE_PADDING");
        return Math.max(0, Math.min(steps - module.constant("PROFILE_ANY"), most / padding * padding));
    }

    /**
     * Divides the rows into pieces, separately for each kernel. The classes of the same profile and algorithm are
     * adjacent.
     */
    private static Map<Choice, List<Piece>> pieces(
            CudaModule module, List<Instances.Group> groups, List<DeviceProfile> profiles) {
        int lengths = module.constant("PROFILE_LENGTHS");
        Map<Choice, List<Piece>> pieces = new TreeMap<>();
        for (int i = 0; i < groups.size(); ) {
            int kind = groups.get(i).key() / lengths;
            int first = i;
            while (i < groups.size() && groups.get(i).key() / lengths == kind) {
                i++;
            }
            int end = groups.get(i - 1).to();
            boolean isForward = kind % 2 == 0;
            Choice choice = new Choice(shape(module, profiles.get(kind / 2), isForward), isForward);
            int rows = Kernel.WARP * SHAPES.get(choice.shape).sequences(isForward);
            List<Piece> its = pieces.computeIfAbsent(choice, any -> new ArrayList<>());
            for (int from = groups.get(first).from(); from < end; from += rows) {
                its.add(new Piece(kind / 2, from, Math.min(end, from + rows)));
            }
        }
        return pieces;
    }

    private static void score(
            CudaModule module,
            Choice choice,
            List<Piece> pieces,
            List<DeviceProfile> profiles,
            Sequences sequences,
            long onDevice,
            long order,
            long bits) {
        Shape shape = SHAPES.get(choice.shape);
        int steps = pieces.stream()
                .mapToInt(piece -> profiles.get(piece.profile()).steps())
                .max()
                .orElseThrow();
        int ofThread = shape.sequences(choice.isForward);
        int others = sharedMemory(module, shape, ofThread, steps);
        int sharedSteps = shape.steps() > 0 ? 0 : sharedSteps(module, ofThread, steps, others);
        int shared = others + sharedSteps * ofThread * module.constant("PROFILE_STEP_BYTES");
        Kernel kernel =
                module.kernel("profile_%s_%s".formatted(choice.isForward ? "forward" : "viterbi", shape.name()));
        int block = module.constant("PROFILE_BLOCK");
        long slot = shape.steps() > 0 ? 0 : (long) steps * ofThread * module.constant("PROFILE_STEP_BYTES");
        int blocks =
                GpuMemory.ofSession().together(Math.min(pieces.size(), kernel.residentBlocks(block, shared)), slot);
        try (Scratch scratch = new Scratch()) {
            kernel.grid(blocks)
                    .block(block)
                    .sharedMemory(shared)
                    .launch(
                            DeviceArrays.writeStructs(scratch, Piece.class, pieces)
                                    .getAddress(),
                            pieces.size(),
                            scratch.zeroInts(1).getAddress(),
                            sequences,
                            onDevice,
                            order,
                            bits,
                            scratch.allocate(slot * blocks).getAddress(),
                            slot,
                            sharedSteps);
        }
    }
}
