package dev.bellman.align.score;

import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import java.util.List;
import java.util.stream.Stream;

/**
 * The shapes of tables that solve pairs: packed tables first, then other tables, in the order of
 * {@code align_classify}.
 *
 * @param ofQuery whether packed tables are for pairs with a query: a string {@code a} that many rows share
 */
record Shapes(List<Shape> packed, boolean ofQuery, List<Shape> tables) {
    /** The number of lanes of a warp that solve a table, and the number of rows per lane. */
    record Shape(int lanes, int rows) {
        int height() {
            return lanes * rows;
        }

        /** Returns the maximum size in bytes of a query's profile, given the number of letters in a matrix. */
        int profileBytes(int letters) {
            CudaModule module = CudaModule.load("align/score/profile");
            int word = module.constant("PROFILE_WORD");
            int height = lanes * ((rows + word - 1) / word * word);
            boolean isWide =
                    lanes == module.constant("PROFILE_WIDE_LANES") && rows >= module.constant("PROFILE_WIDE_ROWS");
            // a profile of words has another letter
            return isWide
                    ? Integer.BYTES * (letters + 1) * height + module.constant("PROFILE_PLACES")
                    : letters * height;
        }

        @Override
        public String toString() {
            return lanes + "x" + rows;
        }
    }

    int count() {
        return packed.size() + tables.size() + 2;
    }

    int striped() {
        return packed.size() + tables.size();
    }

    int empty() {
        return striped() + 1;
    }

    /**
     * Returns these shapes, without packed ones whose query profile does not fit in a block's shared memory, given the
     * number of letters in a matrix.
     */
    Shapes within(int letters) {
        return new Shapes(
                packed.stream()
                        .filter(shape ->
                                shape.profileBytes(letters) <= Device.current().sharedMemoryPerBlock())
                        .toList(),
                ofQuery,
                tables);
    }

    Shape get(int shape) {
        return shape < packed.size() ? packed.get(shape) : tables.get(shape - packed.size());
    }

    int[] heights() {
        return Stream.concat(packed.stream(), tables.stream())
                .mapToInt(Shape::height)
                .toArray();
    }
}
