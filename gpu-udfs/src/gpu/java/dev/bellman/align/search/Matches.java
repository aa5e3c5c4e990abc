package dev.bellman.align.search;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairClass;
import dev.bellman.align.PairClass.Symbols;
import dev.bellman.align.PairGroups;
import dev.bellman.align.search.EditSearchKernel.Search;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Instances.Classified;
import dev.bellman.columns.Offsets;
import dev.bellman.cuda.CudaModule;
import java.util.List;

/** Finds all matches of pairs: counts them, lists them, and finds where they begin. */
final class Matches {
    private static final int BLOCK = 256;
    private static final int SPAN_BYTES = 2 * Integer.BYTES;

    /** The arguments of a launch ({@code SearchAll} in {@code edit_search_all.cu}). */
    record SearchAll(
            Classified rows,
            long limits,
            long iupac,
            long rowCounts,
            long counts,
            long spans,
            long firsts,
            long places,
            int place,
            long turned,
            long distances,
            long ends,
            long begins,
            long patterns,
            long patternOf,
            long matches) {}

    /**
     * The matches of all rows or elements in turn.
     *
     * @param patterns the index of each match's pattern; null if rows have one pattern
     */
    record Found(
            Offsets offsets,
            DeviceMemoryBuffer distances,
            DeviceMemoryBuffer begins,
            DeviceMemoryBuffer ends,
            DeviceMemoryBuffer patterns) {}

    private final CudaModule module = CudaModule.load("align/search/edit_search_all");
    private final Batch batch;
    private final Searches searches;
    private final DeviceMemoryBuffer rowCounts;
    private final DeviceMemoryBuffer counts;
    private final long spans;
    private final long turned;

    Matches(Batch batch, Searches searches) {
        this.batch = batch;
        this.searches = searches;
        rowCounts = batch.scratch().zeroInts(searches.rows() + 1L);
        counts = batch.scratch().zeroInts(searches.count() + 1L);
        spans = batch.allocate((long) SPAN_BYTES * searches.count()).getAddress();
        turned = batch.allocate((long) PairGroups.PAIR_BYTES * searches.count()).getAddress();
    }

    /** Returns the address of the number of matches of each row or element. */
    long rowCounts() {
        return rowCounts.getAddress();
    }

    /** Returns the address of the number of matches of each pair. This number is 0 if the pair's pattern is empty. */
    long counts() {
        return counts.getAddress();
    }

    /**
     * Counts the matches. Also rejects invalid rows, and assigns rows with IUPAC codes to the CPU if their
     * pattern is long or a string is not ASCII.
     */
    void count() {
        for (PairClass group : searches.classes()) {
            SearchAll search = search(group);
            if (group.shape() == PairClass.EMPTY) {
                module.kernel("edit_search_all_count_empty")
                        .threads(group.count(), BLOCK)
                        .launch(searches.pairs(group), group.count(), search);
            } else if (group.shape() != PairClass.STRIPED) {
                for (String letters : letters(group)) {
                    module.kernel("edit_search_all_count_" + shape(group, letters))
                            .threads((long) group.lanes() * group.count(), group.block())
                            .launch(searches.pairs(group), group.count(), search);
                }
            }
        }
    }

    /** Lists the matches after they have been counted. */
    Found list() {
        Offsets offsets = batch.offsets(rowCounts, searches.rows());
        long bytes = (long) Integer.BYTES * offsets.total();
        Found found = new Found(
                offsets,
                batch.allocate(bytes),
                batch.allocate(bytes),
                batch.allocate(bytes),
                searches.patternOf() == 0 ? null : batch.allocate(bytes));
        if (offsets.total() > 0) {
            DeviceMemoryBuffer places = batch.offsets(counts, searches.count()).buffer();
            for (PairClass group : searches.classes()) {
                if (group.shape() == PairClass.EMPTY) {
                    module.kernel("edit_search_all_list_empty")
                            .warps(group.count(), BLOCK)
                            .launch(searches.pairs(group), group.count(), search(group, found, places, 0, 0));
                } else if (group.shape() != PairClass.STRIPED) {
                    list(group, found, places);
                }
            }
        }
        return found;
    }

    private void list(PairClass group, Found found, DeviceMemoryBuffer places) {
        int place = DeviceArrays.readInts(places, group.first(), 1)[0];
        int count = DeviceArrays.readInts(places, group.first() + group.count(), 1)[0] - place;
        if (count == 0) {
            return;
        }
        DeviceMemoryBuffer matches = batch.allocate((long) PairGroups.PAIR_BYTES * count);
        SearchAll search = search(group, found, places, place, matches.getAddress());
        DeviceMemoryBuffer room = turn(group, search);
        for (String letters : letters(group)) {
            module.kernel("edit_search_all_list_" + shape(group, letters))
                    .threads((long) group.lanes() * group.count(), group.block())
                    .launch(searches.pairs(group), group.count(), search, symbolBytes(group));
        }
        Search backward = new Search(0, 1, 0, search.distances(), search.ends(), search.begins());
        for (String letters : letters(group)) {
            EditSearchKernel.solve(group, letters, true, matches.getAddress(), count, backward);
        }
        batch.scratch().free(room);
        batch.scratch().free(matches);
    }

    /** Reverses the pairs that have matches. Returns the memory of their symbols. */
    private DeviceMemoryBuffer turn(PairClass group, SearchAll search) {
        DeviceMemoryBuffer offsets = batch.allocateLongs(group.count());
        DeviceMemoryBuffer symbols = batch.scratch().filled(Long.BYTES, (byte) 0);
        module.kernel("edit_search_all_room")
                .threads(group.count(), BLOCK)
                .launch(searches.pairs(group), group.count(), search, offsets.getAddress(), symbols.getAddress());
        DeviceMemoryBuffer room = batch.allocate(symbolBytes(group) * DeviceArrays.readLongs(symbols, 0, 1)[0]);
        module.kernel("edit_search_all_turn")
                .warps(group.count(), BLOCK)
                .launch(
                        searches.pairs(group),
                        group.count(),
                        group.symbols().isWide() ? 1 : 0,
                        search,
                        offsets.getAddress(),
                        room.getAddress());
        batch.scratch().free(symbols);
        batch.scratch().free(offsets);
        return room;
    }

    private static int symbolBytes(PairClass group) {
        return group.symbols().isWide() ? Integer.BYTES : 1;
    }

    /** Returns the arguments for counting. */
    private SearchAll search(PairClass group) {
        return new SearchAll(
                searches.classified(),
                searches.limits(),
                iupac(group),
                rowCounts.getAddress(),
                counts.getAddress() + (long) Integer.BYTES * group.first(),
                spans + (long) SPAN_BYTES * group.first(),
                0,
                0,
                0,
                turned + (long) PairGroups.PAIR_BYTES * group.first(),
                0,
                0,
                0,
                0,
                searches.patternOf(),
                0);
    }

    /**
     * Returns the arguments for listing.
     *
     * @param places the index of each pair's first match
     * @param place the index of the class's first match
     * @param matches the address of the class's matches
     */
    private SearchAll search(PairClass group, Found found, DeviceMemoryBuffer places, int place, long matches) {
        SearchAll counted = search(group);
        return new SearchAll(
                counted.rows(),
                counted.limits(),
                counted.iupac(),
                counted.rowCounts(),
                counted.counts(),
                counted.spans(),
                found.offsets().buffer().getAddress(),
                places.getAddress() + (long) Integer.BYTES * group.first(),
                place,
                counted.turned(),
                found.distances().getAddress(),
                found.ends().getAddress(),
                found.begins().getAddress(),
                found.patterns() == null ? 0 : found.patterns().getAddress(),
                counted.patternOf(),
                matches);
    }

    /**
     * Returns the address of the flags for IUPAC codes; 0 for pairs of A, C, G and T, because without ambiguous
     * letters, IUPAC codes are compared like other letters.
     */
    private long iupac(PairClass group) {
        return group.symbols() == Symbols.NUCLEOTIDES ? 0 : searches.iupac();
    }

    /**
     * Returns the alphabets of the kernels that together solve the pairs of a class. A kernel for IUPAC codes runs
     * last, and replaces the beginnings that the other kernel has found for pairs with such codes.
     */
    private List<String> letters(PairClass group) {
        String letters = EditSearchKernel.letters(group);
        boolean hasCodes = group.symbols() == Symbols.ASCII && group.lanes() == 1 && searches.iupac() != 0;
        return hasCodes ? List.of(letters, "iupac") : List.of(letters);
    }

    private static String shape(PairClass group, String letters) {
        return "%s_%sx%s".formatted(letters, group.lanes(), group.words());
    }
}
