package dev.bellman.large.file;

import java.util.List;
import java.util.Locale;

/**
 * The beginning of a MatrixMarket file: a line such as {@code %%MatrixMarket matrix coordinate real general}, comments,
 * and a line with the sizes.
 *
 * @param array whether the file lists all entries, column by column; otherwise, it lists entries with their positions
 * @param pattern whether the file contains no values, which means that all entries are 1
 * @param integers whether the entries are integers; true for a pattern
 * @param entries the number of entries in the file; for a symmetric matrix, these are the entries on and below the
 *     diagonal
 */
record MatrixHeader(
        boolean array, boolean pattern, boolean integers, boolean symmetric, int rows, int columns, long entries) {
    /** @param graph whether the matrix represents a graph; the file of a graph may be a pattern, but not an array */
    static MatrixHeader read(NumberLines lines, boolean graph) {
        if (!lines.next()) {
            throw lines.malformed("the file is empty");
        }
        List<String> banner = lines.words().stream()
                .map(word -> word.toLowerCase(Locale.ROOT))
                .toList();
        boolean known = banner.size() == 5
                && banner.subList(0, 2).equals(List.of("%%matrixmarket", "matrix"))
                && (banner.get(2).equals("coordinate")
                        || !graph && banner.get(2).equals("array"))
                && (List.of("integer", "real").contains(banner.get(3))
                        || graph && banner.get(3).equals("pattern"))
                && List.of("general", "symmetric").contains(banner.get(4));
        if (!known) {
            throw lines.malformed(("found '%s'; expected '%%%%MatrixMarket matrix FORMAT TYPE SYMMETRY', where "
                            + "FORMAT is %s, TYPE is %s, and SYMMETRY is general or symmetric")
                    .formatted(
                            lines.line(),
                            graph ? "coordinate" : "coordinate or array",
                            graph ? "integer, real or pattern" : "integer or real"));
        }
        boolean array = banner.get(2).equals("array");
        List<String> sizes = List.of();
        while (sizes.isEmpty()) {
            if (!lines.next()) {
                throw lines.malformed("the file ends without its size line");
            }
            sizes = lines.line().startsWith("%") ? List.of() : lines.words();
        }
        if (sizes.size() != (array ? 2 : 3)) {
            throw lines.malformed(
                    "found '%s'; expected ROWS COLUMNS%s".formatted(lines.line(), array ? "" : " ENTRIES"));
        }
        int rows = lines.count(sizes.get(0));
        int columns = lines.count(sizes.get(1));
        boolean symmetric = banner.get(4).equals("symmetric");
        long all = symmetric ? (long) rows * (rows + 1) / 2 : (long) rows * columns;
        long entries = array ? all : lines.count(sizes.get(2));
        boolean pattern = banner.get(3).equals("pattern");
        boolean integers = pattern || banner.get(3).equals("integer");
        return new MatrixHeader(array, pattern, integers, symmetric, rows, columns, entries);
    }
}
