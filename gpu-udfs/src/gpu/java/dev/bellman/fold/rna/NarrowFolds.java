package dev.bellman.fold.rna;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.Kernel;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.util.Arrays;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Folds RNAs that fit in shared memory on the GPU, with 16-bit energies and up to four blocks per sequence. See
 * {@code fold/rna/narrow_fold.cu}.
 */
final class NarrowFolds {
    private static final int KIB = 1024;
    /** The number of registers of a multiprocessor. */
    private static final int REGISTERS = 65_536;
    /** The minimum number of threads for pairs and multiloops; if necessary, fewer blocks run at a time. */
    private static final int MIN_OTHERS = 128;

    private static final int MIN_PAIRS = 64;
    /** The maximum number of blocks for each sequence. */
    private static final int MAX_BLOCKS = 4;
    /** The major version of the first compute capability with instructions for two 16-bit numbers at a time. */
    private static final int HOPPER = 9;
    /** The number of unpaired bases in the smallest internal loop whose energy is computed as a sum. */
    private static final int SMALLEST_SUM = 4;
    /** The number of energies that a folding reads after the asymmetries. */
    private static final int SINGLES = 4;

    private final CudaModule module = CudaModule.load("fold/rna/narrow_fold");
    private final RnaRows rows;
    private final RnaRows.Sequences sequences;
    private final Instances.Group group;
    private final RnaModels.Energies energies;
    /** The number of bases of the longest sequence that {@link #solve} solves; negative if it solves none. */
    private final int longest;

    private final boolean isShort;
    /** The number of blocks for each sequence. If there are several, each one runs on its own multiprocessor. */
    private final int blocks;

    private final int words;

    NarrowFolds(Instances.Group group, RnaRows rows, RnaRows.Sequences sequences) {
        this.group = group;
        this.rows = rows;
        this.sequences = sequences;
        energies = rows.models.get(rows.model(group));
        int largest = group.largest();
        blocks = fits(largest, 1) ? 1 : fits(largest, 2) ? 2 : MAX_BLOCKS;
        // a sequence of the group has at least half as many bases as another
        longest = IntStream.iterate(largest, n -> 2 * n >= largest, n -> n - 1)
                .filter(n -> fits(n, blocks))
                .findFirst()
                .orElse(-1);
        isShort = longest <= module.constant("NARROW_SHORT");
        words = (int) (((long) longest * (longest + 1) / 2 + 1) / 2);
    }

    /**
     * Whether 16 bits suffice for the energies of partial foldings, except for very low energies, which {@link #solve}
     * detects.
     */
    static boolean areSmall(LoopEnergies energies) {
        CudaModule module = CudaModule.load("fold/rna/narrow_fold");
        return areSmall(energies, module.constant("NARROW_PARAMETER"), module.constant("BULGE_SIZES"));
    }

    /**
     * Returns whether the energies meet the conditions of {@code fold/rna/narrow_loops.cuh}.
     *
     * @param most the largest allowed magnitude of an energy parameter
     * @param sizes the index where the costs of bulges begin in {@link LoopEnergies#flat}; the costs of internal loops
     *     and the asymmetries follow
     */
    static boolean areSmall(LoopEnergies energies, int most, int sizes) {
        int[] flat = energies.flat();
        int each = LoopEnergies.MAX_INTERNAL + 1;
        int internal = sizes + each;
        int asymmetries = internal + each;
        int[] specials = energies.specials();
        int[] hairpins = energies.hairpins(LoopEnergies.MAX_LENGTH + 1);
        return energies.unpaired <= 0
                && areBetween(-most, most, flat, 0, sizes)
                && areBetween(0, most, flat, sizes + 1, internal)
                && areBetween(0, most, flat, internal + SMALLEST_SUM, asymmetries)
                && areBetween(0, most, flat, asymmetries, asymmetries + each)
                && areBetween(-most, most, flat, asymmetries + each, asymmetries + each + SINGLES)
                && areBetween(-most, most, specials, specials.length / 2, specials.length)
                && areBetween(-most, most, hairpins, LoopEnergies.MIN_HAIRPIN, hairpins.length);
    }

    private static boolean areBetween(int least, int most, int[] energies, int from, int to) {
        return Arrays.stream(energies, from, to).allMatch(energy -> energy >= least && energy <= most);
    }

    /** Whether {@link #solve} can solve sequences of the group. */
    boolean fits() {
        Device device = Device.current();
        return device.major() >= HOPPER
                && rows.models.isNarrow(rows.model(group))
                && longest >= 0
                && threads().multis() >= Kernel.WARP;
    }

    /** Returns the numbers of threads with which as many blocks run at a time as fit in shared memory. */
    private Threads threads() {
        Kernel kernel = kernel();
        // a block takes 1 KiB in addition to the memory that it requests
        long resident = (kernel.device().sharedMemoryPerBlock() + KIB) / (sharedMemory(longest, blocks) + KIB);
        int warps = REGISTERS / (Kernel.WARP * kernel.registers());
        int most = module.constant(isShort ? "SHORT_THREADS" : "MAX_THREADS");
        return Threads.of((longest + blocks - 1) / blocks, (int) resident, warps, most);
    }

    private Kernel kernel() {
        if (blocks > 1) {
            return module.kernel(blocks == 2 ? "rna_fold_two" : "rna_fold_four");
        }
        return module.kernel(isShort ? "rna_fold_short" : "rna_fold_narrow");
    }

    /**
     * The threads of a block, in whole warps.
     *
     * @param loops the threads that search for loops on even diagonals; as many threads search on odd diagonals
     * @param pairs the threads that pair bases
     * @param multis the threads that find multiloop parts
     */
    record Threads(int loops, int pairs, int multis) {
        /**
         * @param longest the maximum number of bases per block, for two of which a thread searches for loops
         * @param blocks the maximum number of blocks per multiprocessor
         * @param warps the maximum number of warps per multiprocessor
         * @param most the maximum number of threads per block
         */
        static Threads of(int longest, int blocks, int warps, int most) {
            int loops = wholeWarps((longest + 1) / 2);
            int each = blocks;
            while (each > 1 && warps / each * Kernel.WARP - 2 * loops < MIN_OTHERS) {
                each--;
            }
            int others = Math.min(most, warps / each * Kernel.WARP) - 2 * loops;
            int pairs =
                    Math.min(Math.max(MIN_PAIRS, others * 3 / 8 / Kernel.WARP * Kernel.WARP), wholeWarps(longest / 2));
            return new Threads(loops, pairs, Math.min(others - pairs, wholeWarps(longest)));
        }

        private static int wholeWarps(int threads) {
            return Math.max(1, (threads + Kernel.WARP - 1) / Kernel.WARP) * Kernel.WARP;
        }

        int all() {
            return 2 * loops + pairs + multis;
        }
    }

    private boolean fits(int bases, int blocks) {
        return sharedMemory(bases, blocks) <= Device.current().sharedMemoryPerBlock();
    }

    private long sharedMemory(int bases, int blocks) {
        return sharedMemory(module::constant, bases, energies.noLonelyPairs() != 0, blocks);
    }

    /**
     * Returns the amount of shared memory that a block uses, in bytes, in the layout of
     * {@code fold/rna/narrow_memory.cuh}.
     *
     * @param constants the constants of {@code fold/rna/narrow_fold.cu}
     * @param blocks the number of blocks for each sequence
     */
    static long sharedMemory(ToIntFunction<String> constants, int longest, boolean noLonelyPairs, int blocks) {
        boolean isShort = longest <= constants.applyAsInt("NARROW_SHORT");
        long bases = isShort ? constants.applyAsInt("NARROW_SHORT") : longest;
        int margin = constants.applyAsInt("NARROW_MARGIN");
        long words = (bases + 1) / 2;
        long width = blocks == 1 ? words + margin : (words + blocks - 1) / blocks + 2 * margin;
        long ofBase = constants.applyAsInt(isShort ? "SHORT_BYTES_OF_BASE" : "NARROW_BYTES_OF_BASE")
                + (noLonelyPairs ? constants.applyAsInt("INSIDES_OF_BASE") : 0);
        return constants.applyAsInt("FIXED_BYTES")
                + width * constants.applyAsInt("BYTES_OF_WORD")
                + ofBase * bases
                + (isShort ? bases * (bases + 4) / 2 * Short.BYTES : 0);
    }

    /** Returns the size of a table in bytes ({@code NarrowTable} in {@code fold/rna/narrow_table.cuh}). */
    private long bytes() {
        long ofBase = module.constant("WORDS_OF_BASE") + longest / module.constant("NARROW_BASES_OF_CANDIDATE");
        long all = module.constant("MORE_WORDS") + ofBase * longest + 2L * words;
        return (all * Integer.BYTES + 255) / 256 * 256;
    }

    /**
     * Solves the sequences of the group, except for those that are too long or whose energies do not fit in 16 bits.
     *
     * @param least the address to which the minimum energy of each sequence is written
     * @param structures the address to which the structures are written, at the positions of the letters; 0 to compute
     *     only energies
     * @return the number of sequences that were not solved, followed by their indexes, as int32; the memory belongs to
     *     the scratch
     */
    DeviceMemoryBuffer solve(long least, long structures, Scratch scratch) {
        DeviceMemoryBuffer left = scratch.zeroInts(group.count() + 1);
        Kernel fill = kernel();
        Threads threads = threads();
        int walks = module.constant("WALKS_OF_BLOCK");
        long slot = bytes();
        int together = rows.memory.together(group.count(), slot);
        DeviceMemoryBuffer tables = scratch.allocate(slot * together);
        for (int from = group.from(); from < group.to(); from += together) {
            int count = Math.min(together, group.to() - from);
            fill.grid(blocks * count)
                    .block(threads.all())
                    .sharedMemory((int) sharedMemory(longest, blocks))
                    .launch(
                            sequences.order(),
                            from,
                            sequences.offsets(),
                            sequences.letters(),
                            energies,
                            threads.loops(),
                            threads.pairs(),
                            longest,
                            tables.getAddress(),
                            slot,
                            left.getAddress() + Integer.BYTES,
                            left.getAddress());
            module.kernel("rna_walk_narrow")
                    .warps(count, Kernel.WARP * walks)
                    .sharedMemory(Integer.BYTES * walks * (longest + 1 + (longest + 3) / Integer.BYTES))
                    .launch(
                            sequences.order(),
                            from,
                            count,
                            sequences.offsets(),
                            sequences.letters(),
                            energies,
                            tables.getAddress(),
                            slot,
                            longest,
                            blocks == 1 ? 0 : module.constant("OFFSET_OF_BASE"),
                            least,
                            structures);
        }
        scratch.free(tables);
        return left;
    }

    /** Returns the number of sequences that {@link #solve} did not solve. */
    static int count(DeviceMemoryBuffer left) {
        return DeviceArrays.readInts(left, 0, 1)[0];
    }
}
