package dev.bellman.align.search;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairClass;
import dev.bellman.align.PairClass.Symbols;
import dev.bellman.align.PairGroups;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances.Classified;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists a pair of a pattern and a text for each element of the rows' arrays of patterns. The CPU solves rows with
 * characters that are not ASCII, with a pattern that does not fit in a warp, or with a text that could not be copied
 * for each pattern.
 */
final class PatternArrays {
    private static final int BLOCK = 256;

    /** The rows of a batch ({@code PatternRows} in {@code patterns.cu}). */
    record Rows(
            int rows,
            Classified rowsOf,
            long lists,
            long validity,
            long offsets,
            long bytes,
            long textOffsets,
            long textBytes,
            long limits,
            long iupac,
            long mostBytes) {}

    /** Addresses of one number for each element ({@code PatternElements} in {@code patterns.cu}). */
    record Elements(long keys, long rowOf, long patternOf, long limits, long iupac) {}

    private final CudaModule module = CudaModule.load("align/search/patterns");
    private final Batch batch;
    private final DeviceColumn lists;
    private final DeviceColumn patterns;
    private final PairGroups groups;
    private final Elements elements;
    private final Searches searches;

    /**
     * @param limits the address of the maximum distance for each row
     * @param iupac the address of a byte for each row: whether its letters are IUPAC codes; 0 if none are
     */
    PatternArrays(Batch batch, SolverCall call, long limits, long iupac) {
        this.batch = batch;
        lists = batch.lists(0, DType.STRING);
        patterns = lists.elements();
        DeviceColumn texts = batch.strings(1);
        groups = PairGroups.searches(batch, call, joined(), texts);
        Rows rows = new Rows(
                batch.rows(),
                groups.classified(),
                lists.offsets(),
                patterns.validity(),
                patterns.offsets(),
                patterns.values(),
                texts.offsets(),
                texts.values(),
                limits,
                iupac,
                GpuMemory.ofSession().perInstance());
        int[] places = count(rows);
        List<PairClass> classes = new ArrayList<>();
        int count = 0;
        for (int i = 0; i < places.length; i++) {
            int its = places[i];
            if (its > 0) {
                classes.add(new PairClass(Symbols.values()[i / PairClass.SHAPES], i % PairClass.SHAPES, 0, count, its));
            }
            places[i] = count;
            count += its;
        }
        elements = new Elements(
                allocate(Integer.BYTES),
                allocate(Integer.BYTES),
                allocate(Integer.BYTES),
                allocate(Integer.BYTES),
                iupac == 0 ? 0 : allocate(1));
        long pairs = batch.allocate((long) PairGroups.PAIR_BYTES * count).getAddress();
        module.kernel("patterns_list")
                .threads(batch.rows(), BLOCK)
                .launch(rows, DeviceArrays.writeInts(batch.scratch(), places).getAddress(), elements, pairs);
        searches = new Searches(
                patterns.rows(),
                count,
                classes,
                pairs,
                new Classified(elements.keys(), 0, 0),
                elements.limits(),
                elements.iupac(),
                elements.patternOf());
    }

    /** Returns the patterns of each row as one string. */
    private DeviceColumn joined() {
        DeviceMemoryBuffer offsets = batch.scratch().zeroInts(batch.rows() + 1L);
        if (patterns.rows() > 0) {
            module.kernel("patterns_join")
                    .threads(batch.rows() + 1L, BLOCK)
                    .launch(batch.rows(), lists.offsets(), patterns.offsets(), offsets.getAddress());
        }
        return new DeviceColumn(
                DType.STRING,
                batch.rows(),
                0,
                offsets.getAddress(),
                patterns.values(),
                patterns.valueBytes(),
                List.of());
    }

    /** Returns the number of patterns in each class of the kernel. */
    private int[] count(Rows rows) {
        int classes = module.constant("PATTERN_CLASSES");
        DeviceMemoryBuffer counts = batch.scratch().zeroInts(classes);
        module.kernel("patterns_count").threads(batch.rows(), BLOCK).launch(rows, counts.getAddress());
        return DeviceArrays.readInts(counts, 0, classes);
    }

    /** Allocates memory for all elements and returns its address. */
    private long allocate(int bytes) {
        return batch.allocate((long) bytes * patterns.rows()).getAddress();
    }

    /** Returns the pairs of patterns and texts. */
    Searches searches() {
        return searches;
    }

    /** Removes the counted matches of rows that are rejected or left to the CPU because of one of their patterns. */
    void settle(Matches matches) {
        if (searches.count() > 0) {
            module.kernel("patterns_settle")
                    .threads(searches.count(), BLOCK)
                    .launch(searches.pairs(), searches.count(), elements, groups.classified());
            module.kernel("patterns_clear")
                    .threads(searches.count(), BLOCK)
                    .launch(
                            searches.pairs(),
                            searches.count(),
                            elements,
                            groups.classified(),
                            matches.rowCounts(),
                            matches.counts());
        }
        groups.regroup();
    }

    /** Returns the offsets of the rows' matches. */
    Offsets offsets(Offsets ofElements) {
        DeviceMemoryBuffer offsets = batch.allocateInts(batch.rows() + 1L);
        module.kernel("patterns_offsets")
                .threads(batch.rows() + 1L, BLOCK)
                .launch(batch.rows(), lists.offsets(), ofElements.buffer().getAddress(), offsets.getAddress());
        return new Offsets(offsets, ofElements.total());
    }
}
