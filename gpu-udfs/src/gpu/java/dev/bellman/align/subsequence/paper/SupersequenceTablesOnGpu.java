package dev.bellman.align.subsequence.paper;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairClass;
import dev.bellman.align.PairClass.Symbols;
import dev.bellman.align.PairGroups;
import dev.bellman.align.bits.PairPaths;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import dev.bellman.cuda.LaunchSeries;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Computes the tables of {@link SupersequenceTable} on the GPU. The pairs of a batch are solved one by one, each by the
 * whole GPU. {@code row-wise} launches one kernel per row, {@code anti-diagonal} one per anti-diagonal, and
 * {@code row-wise-persistent} one for all rows.
 */
public final class SupersequenceTablesOnGpu {
    /** The maximum number of cells in a stored table, which then takes 16 GiB. */
    static final long MAX_CELLS = 1L << 32;

    /** The maximum number of entries in the table of last positions, which then takes 4 GiB. */
    static final long MAX_PLACES = 1L << 30;

    /** The number of threads per block of most kernels. */
    private static final int BLOCK = 256;

    private static final int WIDE_BLOCK = 1024;
    private static final int STRIPE = 512;

    private static final int BYTE_VALUES = 256;
    /** An upper bound on the number of distinct characters in valid UTF-8. */
    private static final int MAX_CODE_POINTS = 1 << 21;

    /** An upper bound on half the number of distinct characters in arbitrary bytes. */
    private static final int MAX_CHARACTERS = 1 << 27;
    /** The maximum number of result bytes per byte of a pair: every character of the result comes from the pair. */
    private static final int BYTES_PER_BYTE = 1;

    private static final int SYMBOL_BLOCKS = 256;

    /** The maximum number of rows or anti-diagonals in a recorded series. */
    private static final int SERIES = 256;

    /** The number of anti-diagonals that are stored if only a length is computed. */
    private static final int DIAGONALS = 4;

    private final PaperStrategy strategy;
    private final CudaModule symbols = CudaModule.load("align/subsequence/paper/scs_symbols");
    private final CudaModule tables = CudaModule.load("align/subsequence/paper/scs_table");
    private final CudaModule walks = CudaModule.load("align/subsequence/paper/scs_walk");

    public SupersequenceTablesOnGpu(PaperStrategy strategy) {
        this.strategy = strategy;
    }

    /**
     * A pair of strings in GPU memory. All addresses are device addresses.
     *
     * @param address the address of the {@code Pair}
     * @param wide 1 if the symbols are characters, 0 if they are bytes
     * @param x the address of {@code a}'s {@code n} symbols, represented by numbers
     * @param y the address of {@code b}'s {@code m} symbols, represented by numbers
     * @param common the number of distinct symbols that occur in both strings; these symbols are numbered from 1
     */
    record Sides(long address, int wide, int n, int m, long x, long y, int common) {
        long columns() {
            return m + 1L;
        }
    }

    /** Solves a pair of two non-empty strings. */
    @FunctionalInterface
    interface Solution {
        void solve(Scratch scratch, Sides sides);
    }

    /** Solves pairs with an empty string. */
    @FunctionalInterface
    interface Empty {
        void solve(long pairs, int count, int wide);
    }

    /** Returns the length for each row as an int32, undefined for null rows and rows that the CPU solves. */
    public DeviceMemoryBuffer lengths(Batch batch, SolverCall call) {
        DeviceMemoryBuffer results = batch.allocateInts(batch.rows());
        PairGroups groups = PairGroups.paths(batch, call, 0);
        solve(
                false,
                groups,
                (pairs, count, wide) -> walks.kernel("scs_length_empty")
                        .threads(count, BLOCK)
                        .launch(pairs, count, results.getAddress()),
                (scratch, sides) -> walks.kernel("scs_length")
                        .grid(1)
                        .launch(sides.address(), corner(scratch, sides), results.getAddress()));
        return results;
    }

    /** Returns the supersequences. */
    public Result supersequences(Batch batch, SolverCall call) {
        PairGroups groups = PairGroups.paths(batch, call, 0);
        DeviceColumn a = batch.strings(0);
        DeviceColumn b = batch.strings(1);
        DeviceMemoryBuffer written = batch.allocate(BYTES_PER_BYTE * (a.valueBytes() + b.valueBytes()));
        DeviceMemoryBuffer lengths = batch.scratch().zeroInts(batch.rows() + 1L);
        solve(
                true,
                groups,
                (pairs, count, wide) -> CudaModule.load("align/subsequence/lcs_path")
                        .kernel("lcs_path_empty")
                        .threads(count, BLOCK)
                        .launch(
                                pairs,
                                count,
                                a.offsets(),
                                b.offsets(),
                                BYTES_PER_BYTE,
                                written.getAddress(),
                                1,
                                lengths.getAddress(),
                                wide),
                (scratch, sides) -> walks.kernel(
                                strategy == PaperStrategy.ANTI_DIAGONAL ? "scs_walk_diagonals" : "scs_walk_rows")
                        .grid(1)
                        .block(WIDE_BLOCK)
                        .launch(
                                sides.address(),
                                sides.wide(),
                                sides.x(),
                                sides.y(),
                                whole(scratch, sides).getAddress(),
                                a.offsets(),
                                b.offsets(),
                                BYTES_PER_BYTE,
                                written.getAddress(),
                                lengths.getAddress()));
        return PairPaths.gather(batch, BYTES_PER_BYTE, written, lengths);
    }

    /**
     * Solves the pairs of a batch one by one, except for those that are left to the CPU. The memory of a pair is freed
     * before the next pair is solved.
     *
     * @param whole whether the solution needs whole tables
     */
    void solve(boolean whole, PairGroups groups, Empty empty, Solution solution) {
        List<Integer> tooLarge = new ArrayList<>();
        for (PairClass group : groups.classes()) {
            if (group.shape() == PairClass.EMPTY) {
                empty.solve(
                        groups.address(group.first()),
                        group.count(),
                        group.symbols().isWide() ? 1 : 0);
                continue;
            }
            int[] lengths = groups.lengths(group);
            int[] rows = groups.rows(group);
            for (int i = 0; i < group.count(); i++) {
                try (Scratch scratch = new Scratch()) {
                    long pair = groups.address(group.first() + i);
                    Optional<Sides> sides =
                            sides(whole, scratch, pair, group.symbols(), lengths[2 * i], lengths[2 * i + 1]);
                    if (sides.isPresent()) {
                        solution.solve(scratch, sides.get());
                    } else {
                        tooLarge.add(rows[i]);
                    }
                }
            }
        }
        groups.leaveToCpu(tooLarge);
    }

    /** Prepares a pair on the GPU; returns empty if the pair's tables are too large. */
    private Optional<Sides> sides(boolean whole, Scratch scratch, long pair, Symbols alphabet, int n, int m) {
        long mostBytes = GpuMemory.ofSession().perInstance();
        double cells = (n + 1.0) * (m + 1.0);
        if ((long) n + m >= Integer.MAX_VALUE || whole && (cells > MAX_CELLS || cells * Integer.BYTES > mostBytes)) {
            return Optional.empty();
        }
        int wide = alphabet.isWide() ? 1 : 0;
        // the size of a hash table of which at most half is used
        int values = wide == 0
                ? BYTE_VALUES
                : 4 * Integer.highestOneBit(Math.min(m, alphabet == Symbols.WIDE ? MAX_CODE_POINTS : MAX_CHARACTERS));
        DeviceMemoryBuffer numbers = scratch.zeroInts(values + 1);
        long keys = wide == 0 ? 0 : scratch.filled(4L * values, (byte) -1).getAddress();
        long count = numbers.getAddress() + 4L * values;
        DeviceMemoryBuffer x = scratch.allocateInts(n);
        DeviceMemoryBuffer y = scratch.allocateInts(m);
        int blocks = (int) Math.min(SYMBOL_BLOCKS, (Math.max(n, m) + BLOCK - 1L) / BLOCK);
        symbols.kernel("scs_mark").grid(blocks).block(BLOCK).launch(pair, wide, numbers.getAddress(), keys, values);
        symbols.kernel("scs_number")
                .grid(blocks)
                .block(BLOCK)
                .launch(pair, wide, numbers.getAddress(), keys, values, count);
        symbols.kernel("scs_translate")
                .grid(blocks)
                .block(BLOCK)
                .launch(pair, wide, numbers.getAddress(), keys, values, x.getAddress(), y.getAddress());
        int common = DeviceArrays.readInts(numbers, values, 1)[0];
        double places = (common + 1.0) * (m + 1.0);
        if (strategy != PaperStrategy.ANTI_DIAGONAL && (places > MAX_PLACES || places * Integer.BYTES > mostBytes)) {
            return Optional.empty();
        }
        return Optional.of(new Sides(pair, wide, n, m, x.getAddress(), y.getAddress(), common));
    }

    /**
     * Returns the address of the supersequence's length. Stores only the values that the next row or anti-diagonal
     * needs.
     */
    private long corner(Scratch scratch, Sides sides) {
        if (strategy == PaperStrategy.ANTI_DIAGONAL) {
            long width = Math.min(sides.n(), sides.m()) + 1L;
            long table = scratch.allocate(4 * DIAGONALS * width).getAddress();
            antiDiagonals(scratch, sides, table, 0);
            return table + 4 * width * ((sides.n() + sides.m()) % DIAGONALS);
        }
        if (strategy == PaperStrategy.ROW_WISE) {
            long table = scratch.allocate(8 * sides.columns()).getAddress();
            rows(scratch, sides, table, 1);
            return table + 4 * (sides.n() % 2 * sides.columns() + sides.m());
        }
        return persistentRows(scratch, sides, 0);
    }

    /** Returns the whole table, ordered by rows or by anti-diagonals. */
    DeviceMemoryBuffer whole(Scratch scratch, Sides sides) {
        DeviceMemoryBuffer table = scratch.allocate(4 * (sides.n() + 1L) * sides.columns());
        switch (strategy) {
            case ANTI_DIAGONAL -> antiDiagonals(scratch, sides, table.getAddress(), 1);
            case ROW_WISE -> rows(scratch, sides, table.getAddress(), -1);
            default -> {
                firstRow(sides, table.getAddress());
                persistentRows(scratch, sides, table.getAddress());
            }
        }
        return table;
    }

    private void antiDiagonals(Scratch scratch, Sides sides, long table, int whole) {
        long done = scratch.zeroInts(1).getAddress();
        Kernel kernel = tables.kernel("scs_anti_diagonal");
        long longest = Math.min(sides.n(), sides.m()) + 1L;
        series(kernel, done, sides.n() + sides.m() + 1, ofSeries -> kernel.threads(longest, BLOCK)
                .launch(sides.x(), sides.y(), sides.n(), sides.m(), table, whole, done, ofSeries));
    }

    private void rows(Scratch scratch, Sides sides, long table, int mask) {
        long done = scratch.zeroInts(1).getAddress();
        long places = lastPlaces(scratch, sides);
        Kernel kernel = tables.kernel("scs_row");
        firstRow(sides, table);
        series(kernel, done, sides.n(), ofSeries -> kernel.threads(sides.columns(), BLOCK)
                .launch(sides.x(), sides.n(), places, sides.columns(), table, mask, done, ofSeries));
    }

    /** Performs one launch of a series, given its number. */
    @FunctionalInterface
    private interface Step {
        void launch(int ofSeries);
    }

    private void series(Kernel kernel, long done, int steps, Step step) {
        int length = Math.min(steps, SERIES);
        Kernel last = tables.kernel("scs_series_done");
        try (LaunchSeries series = LaunchSeries.record(kernel.name(), () -> {
            for (int i = 0; i < length; i++) {
                step.launch(i);
            }
            last.grid(1).launch(done, length);
        })) {
            for (long launched = 0; launched < steps; launched += length) {
                series.launch();
            }
        }
    }

    private void firstRow(Sides sides, long table) {
        tables.kernel("scs_first_row").threads(sides.columns(), BLOCK).launch(table, sides.columns());
    }

    /**
     * Returns the address of the supersequence's length. Stores rows 1 and up in the table, unless the table's address
     * is 0.
     */
    private long persistentRows(Scratch scratch, Sides sides, long table) {
        long places = lastPlaces(scratch, sides);
        DeviceMemoryBuffer crossings = scratch.filled(16L * sides.n(), (byte) 0);
        long next = scratch.zeroInts(1).getAddress();
        long corner = scratch.allocateInts(1).getAddress();
        Kernel kernel = tables.kernel("scs_rows");
        int stripes = (int) ((sides.columns() + STRIPE - 1) / STRIPE);
        kernel.grid(Math.min(stripes, kernel.residentBlocks(STRIPE, 0)))
                .block(STRIPE)
                .launch(sides.x(), sides.n(), places, sides.m(), crossings.getAddress(), next, table, corner);
        return corner;
    }

    /** Returns the address of the paper's {@code A} (equation 8), where a row of zeros precedes the row of symbol 1. */
    private long lastPlaces(Scratch scratch, Sides sides) {
        DeviceMemoryBuffer places = scratch.allocate(4 * (sides.common() + 1L) * sides.columns());
        Cuda.asyncMemset(places.getAddress(), (byte) 0, 4 * sides.columns());
        symbols.kernel("scs_last_places")
                .grid(sides.common())
                .block(WIDE_BLOCK)
                .launch(sides.y(), sides.m(), places.getAddress());
        return places.getAddress();
    }
}
