package dev.bellman.align.names;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.CellCounter;
import dev.bellman.align.PairGroups;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import java.util.Arrays;
import java.util.List;

/**
 * For each row of a batch, a pair of strings: the chosen words of the row's two strings, joined by spaces. The CPU
 * solves rows with strings that have many words, are long or are not valid UTF-8.
 *
 * @param sets the {@code WordSets} of each row, if the selected words are {@link Chosen#OTHER}
 * @param cells the number of cells in the tables of the original strings
 * @param left the rows that the CPU solves, whose pairs are empty
 */
record Tokens(DeviceColumn a, DeviceColumn b, DeviceMemoryBuffer sets, long cells, List<Integer> left) {
    private static final int BLOCK = 256;

    /** Determines which words of a string are joined with spaces. */
    enum Chosen {
        /** All words, in ascending order. */
        SORTED,
        /** Each word that the other string lacks, without duplicates. */
        OTHER
    }

    static Tokens of(Batch batch, Chosen chosen) {
        CudaModule module = CudaModule.load("align/names/tokens");
        int rows = batch.rows();
        boolean ofSets = chosen == Chosen.OTHER;
        Texts a = Texts.of(batch.strings(0));
        Texts b = Texts.of(batch.strings(1));
        DeviceMemoryBuffer aLengths = batch.allocateInts(rows + 1L);
        DeviceMemoryBuffer bLengths = batch.allocateInts(rows + 1L);
        DeviceMemoryBuffer left = batch.scratch().zeroInts(rows + 1L);
        DeviceMemoryBuffer cells = batch.scratch().filled(Long.BYTES, (byte) 0);
        DeviceMemoryBuffer sets = batch.allocate(ofSets ? (long) module.constant("SETS_BYTES") * rows : 0);
        module.kernel("token_lengths")
                .threads(rows, BLOCK)
                .launch(
                        rows,
                        batch.validity(),
                        a,
                        b,
                        module.constant(chosen.name()),
                        aLengths.getAddress(),
                        bLengths.getAddress(),
                        left.getAddress(),
                        cells.getAddress(),
                        sets.getAddress());
        Offsets aOffsets = batch.offsets(aLengths);
        Offsets bOffsets = batch.offsets(bLengths);
        DeviceMemoryBuffer aJoined = batch.allocate(aOffsets.total());
        DeviceMemoryBuffer bJoined = batch.allocate(bOffsets.total());
        module.kernel(ofSets ? "token_join_others" : "token_join")
                .threads(ofSets ? rows : 2L * rows, BLOCK)
                .launch(
                        rows,
                        a,
                        b,
                        aOffsets.buffer().getAddress(),
                        aJoined.getAddress(),
                        bOffsets.buffer().getAddress(),
                        bJoined.getAddress());
        return new Tokens(
                DeviceColumn.strings(rows, aOffsets, aJoined),
                DeviceColumn.strings(rows, bOffsets, bJoined),
                sets,
                DeviceArrays.readLongs(cells, 0, 1)[0],
                list(left));
    }

    private static List<Integer> list(DeviceMemoryBuffer counted) {
        int count = DeviceArrays.readInts(counted, 0, 1)[0];
        return count == 0
                ? List.of()
                : Arrays.stream(DeviceArrays.readInts(counted, 1, count))
                        .boxed()
                        .toList();
    }

    /** Returns the pairs. The kernels do not count cells for these pairs, even if the CPU solves them. */
    PairGroups pairs(Batch batch, SolverCall call) {
        return PairGroups.scores(batch, call.options().with(CellCounter.NONE), call::onCpu, a, b);
    }

    /** Counts the cells of the original strings as soon as the result is complete. */
    void count(Batch batch, SolverCall call) {
        batch.whenDone(() -> call.options().cells().add(cells));
    }
}
