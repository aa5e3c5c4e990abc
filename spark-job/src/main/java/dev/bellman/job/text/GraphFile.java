package dev.bellman.job.text;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.graph.Graph;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringTokenizer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * A graph in its own file: {@code .gr} of the 9th DIMACS Implementation Challenge, or MatrixMarket's coordinate format. Vertices are
 * numbered from 1 in the file and from 0 here. One of {@code longs} and {@code doubles} is null.
 *
 * <p>In {@code .gr}, {@code p sp NODES ARCS} comes before the arcs, {@code a FROM TO WEIGHT}; lines that start with {@code c} are comments. A square
 * MatrixMarket matrix of integer or real numbers has an edge for each entry; a symmetric one has an edge in each direction.
 */
public record GraphFile(int nodes, int[] sources, int[] targets, long[] longs, double[] doubles) {
    /** Reads the lines of a file, and knows its position. */
    private static final class Lines {
        private final BufferedReader reader;
        private final Path path;
        private String line;
        private long number;

        Lines(BufferedReader reader, Path path) {
            this.reader = reader;
            this.path = path;
        }

        boolean next() throws IOException {
            number++;
            line = reader.readLine();
            return line != null;
        }

        BellmanException malformed(String message) {
            return new BellmanException(
                    ErrorCode.BELLMAN_INPUT_FORMAT, "%s, line %d: %s".formatted(path, number, message));
        }

        int vertex(String text, int nodes) {
            long vertex = whole(text);
            if (vertex < 1 || vertex > nodes) {
                throw malformed("the vertex is %s; it must be from 1 to %d".formatted(text, nodes));
            }
            return (int) vertex - 1;
        }

        long whole(String text) {
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException e) {
                throw malformed("found '%s' where a whole number of 64 bits is expected".formatted(text));
            }
        }

        /** A count that the file gives. */
        int count(String text) {
            long count = whole(text);
            if (count < 0 || count > Integer.MAX_VALUE / 2) {
                throw malformed("the number is %s; it must be from 0 to %d".formatted(text, Integer.MAX_VALUE / 2));
            }
            return (int) count;
        }

        double real(String text) {
            double value;
            try {
                // Java also reads 2f, 2d and 0x1p1
                value = text.matches("[-+.0-9eE]*") ? Double.parseDouble(text) : Double.NaN;
            } catch (NumberFormatException e) {
                value = Double.NaN;
            }
            if (!Graph.isWeight(value)) {
                throw malformed("found '%s' where a number of at most %s in magnitude is expected"
                        .formatted(text, Graph.MOST_WEIGHT));
            }
            return value;
        }

        /** Refuses a graph that cannot fit the heap, before its arrays are allocated. */
        void checkMemory(int nodes, long edges) {
            long bytes = nodes * (long) (Long.BYTES + 2 * Integer.BYTES) + edges * (2L * Integer.BYTES + Long.BYTES);
            long heap = Runtime.getRuntime().maxMemory();
            if (bytes > heap) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_LIMIT,
                        "%s, line %d: %,d vertices and %,d edges take more than %,d bytes; the heap has %,d. Use more memory (BELLMAN_DRIVER_MEMORY)"
                                .formatted(path, number, nodes, edges, bytes, heap));
            }
        }

        List<String> words() {
            List<String> words = new ArrayList<>();
            for (StringTokenizer tokens = new StringTokenizer(line); tokens.hasMoreTokens(); ) {
                words.add(tokens.nextToken());
            }
            return words;
        }
    }

    /**
     * Reads a file, compressed or not.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_FORMAT} for a malformed line, {@link ErrorCode#BELLMAN_INPUT_READ} for a file
     *     that cannot be read to the end
     */
    public static GraphFile read(Configuration configuration, Path path, boolean matrix) {
        Optional<Codec> codec = Codec.of(path.getName());
        try (InputStream file = path.getFileSystem(configuration).open(path);
                InputStream text = codec.isPresent() ? codec.get().open(file) : file;
                BufferedReader reader = new BufferedReader(new InputStreamReader(text, StandardCharsets.UTF_8))) {
            Lines lines = new Lines(reader, path);
            return matrix ? matrix(lines) : arcs(lines);
        } catch (EOFException e) {
            throw unreadable(path, "it ends too early", e);
        } catch (IOException e) {
            throw unreadable(path, String.valueOf(e.getMessage()), e);
        }
    }

    private static BellmanException unreadable(Path path, String reason, IOException failure) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_READ, "cannot read the input %s: %s".formatted(path, reason), failure);
    }

    private static GraphFile arcs(Lines lines) throws IOException {
        int nodes = -1;
        int[] sources = {};
        int[] targets = {};
        long[] weights = {};
        int count = 0;
        while (lines.next()) {
            List<String> words = lines.words();
            String kind = words.isEmpty() ? "c" : words.get(0);
            if (kind.equals("c")) {
                continue;
            }
            if (kind.equals("p")
                    && nodes < 0
                    && words.size() == 4
                    && words.get(1).equals("sp")) {
                nodes = lines.count(words.get(2));
                int arcs = lines.count(words.get(3));
                lines.checkMemory(nodes, arcs);
                sources = new int[arcs];
                targets = new int[arcs];
                weights = new long[arcs];
            } else if (kind.equals("a") && nodes >= 0 && words.size() == 4) {
                if (count == weights.length) {
                    throw lines.malformed("there are more arcs than the %d of line p".formatted(count));
                }
                sources[count] = lines.vertex(words.get(1), nodes);
                targets[count] = lines.vertex(words.get(2), nodes);
                weights[count++] = lines.whole(words.get(3));
            } else {
                throw lines.malformed("found '%s'; expected a comment, %s"
                        .formatted(lines.line, nodes < 0 ? "then p sp NODES ARCS" : "or a FROM TO WEIGHT"));
            }
        }
        if (nodes < 0 || count < weights.length) {
            throw lines.malformed(
                    nodes < 0
                            ? "the file ends without a line p sp NODES ARCS"
                            : "the file ends after %d of %d arcs; it was cut off".formatted(count, weights.length));
        }
        return new GraphFile(nodes, sources, targets, weights, null);
    }

    private static GraphFile matrix(Lines lines) throws IOException {
        if (!lines.next()) {
            throw lines.malformed("the file is empty");
        }
        List<String> banner = lines.words().stream()
                .map(word -> word.toLowerCase(Locale.ROOT))
                .toList();
        boolean known = banner.size() == 5
                && banner.subList(0, 3).equals(List.of("%%matrixmarket", "matrix", "coordinate"))
                && List.of("integer", "real").contains(banner.get(3))
                && List.of("general", "symmetric").contains(banner.get(4));
        if (!known) {
            throw lines.malformed(
                    "found '%s'; expected %%%%MatrixMarket matrix coordinate, integer or real, general or symmetric"
                            .formatted(lines.line));
        }
        boolean integers = banner.get(3).equals("integer");
        boolean symmetric = banner.get(4).equals("symmetric");
        List<String> sizes = List.of();
        while (sizes.isEmpty()) {
            if (!lines.next()) {
                throw lines.malformed("the file ends without its line of sizes");
            }
            sizes = lines.line.startsWith("%") ? List.of() : lines.words();
        }
        if (sizes.size() != 3 || !sizes.get(0).equals(sizes.get(1))) {
            throw lines.malformed("found '%s'; expected NODES NODES ENTRIES: rows, as many columns, and entries"
                    .formatted(lines.line));
        }
        return entries(lines, lines.count(sizes.get(0)), lines.count(sizes.get(2)), integers, symmetric);
    }

    private static GraphFile entries(Lines lines, int nodes, int entries, boolean integers, boolean symmetric)
            throws IOException {
        int each = symmetric ? 2 : 1;
        lines.checkMemory(nodes, (long) each * entries);
        int[] sources = new int[each * entries];
        int[] targets = new int[each * entries];
        long[] longs = integers ? new long[each * entries] : null;
        double[] doubles = integers ? null : new double[each * entries];
        int read = 0;
        while (lines.next()) {
            List<String> words = lines.words();
            if (words.isEmpty()) {
                continue;
            }
            if (words.size() != 3 || read == entries) {
                throw lines.malformed(
                        read == entries
                                ? "there are more entries than the %d of the line of sizes".formatted(entries)
                                : "found '%s'; expected ROW COLUMN VALUE".formatted(lines.line));
            }
            int row = lines.vertex(words.get(0), nodes);
            int column = lines.vertex(words.get(1), nodes);
            for (int copy = 0; copy < each; copy++) {
                int at = each * read + copy;
                sources[at] = copy == 0 ? row : column;
                targets[at] = copy == 0 ? column : row;
                if (integers) {
                    longs[at] = lines.whole(words.get(2));
                } else {
                    doubles[at] = lines.real(words.get(2));
                }
            }
            read++;
        }
        if (read < entries) {
            throw lines.malformed("the file ends after %d of %d entries; it was cut off".formatted(read, entries));
        }
        return new GraphFile(nodes, sources, targets, longs, doubles);
    }
}
