package dev.bellman.large.file;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * Reads a matrix of integers or real numbers from a MatrixMarket file, entry by entry. In the format {@code array}, the
 * file lists all entries, column by column; in the format {@code coordinate}, it lists entries with their positions,
 * and all other entries are zero. The file of a symmetric matrix lists only the entries on and below the diagonal.
 */
public final class MatrixFile implements Iterator<MatrixStrip>, AutoCloseable {
    private final NumberLines lines;
    private final MatrixHeader header;
    private long read;
    /** In the format {@code array}, the position of the next entry. */
    private int row;

    private int column;
    private MatrixStrip next;
    /** The mirror image of a symmetric entry, or null. */
    private MatrixStrip mirrored;

    /**
     * Opens a file, which may be compressed.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_FORMAT} if a line is malformed, both here and while
     *     entries are read; {@link ErrorCode#BELLMAN_INPUT_READ} if the file cannot be read to its end
     */
    public MatrixFile(Configuration configuration, Path path) {
        lines = NumberLines.open(configuration, path);
        try {
            header = MatrixHeader.read(lines, false);
            if (header.symmetric() && header.rows() != header.columns()) {
                throw lines.malformed("the matrix is symmetric, but has %d rows and %d columns"
                        .formatted(header.rows(), header.columns()));
            }
        } catch (RuntimeException | Error e) {
            lines.close();
            throw e;
        }
    }

    public int rows() {
        return header.rows();
    }

    public int columns() {
        return header.columns();
    }

    /** Whether the file contains all entries. If it does not, the missing entries are zero. */
    public boolean isComplete() {
        return header.array();
    }

    @Override
    public boolean hasNext() {
        if (next == null) {
            next = mirrored != null ? mirrored : parse();
            mirrored = next == mirrored || next == null || !header.symmetric() || next.row() == next.column()
                    ? null
                    : new MatrixStrip(next.column(), next.row(), next.values());
        }
        return next != null;
    }

    @Override
    public MatrixStrip next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        MatrixStrip strip = next;
        next = null;
        return strip;
    }

    private MatrixStrip parse() {
        while (lines.next()) {
            List<String> words = lines.words();
            if (words.isEmpty() || words.get(0).startsWith("%")) {
                continue;
            }
            if (read == header.entries()) {
                throw lines.malformed("the file has more entries than the header declares (%d)".formatted(read));
            }
            if (words.size() != (header.array() ? 1 : 3)) {
                throw lines.malformed("found '%s'; expected %s"
                        .formatted(lines.line(), header.array() ? "one VALUE" : "ROW COLUMN VALUE"));
            }
            read++;
            return header.array() ? following(words.get(0)) : placed(words);
        }
        if (read < header.entries()) {
            throw lines.malformed(
                    "the file ends after %d of %d entries; it is truncated".formatted(read, header.entries()));
        }
        return null;
    }

    private MatrixStrip following(String value) {
        MatrixStrip strip = strip(row, column, value);
        row++;
        if (row == header.rows()) {
            column++;
            row = header.symmetric() ? column : 0;
        }
        return strip;
    }

    private MatrixStrip placed(List<String> words) {
        return strip(
                lines.index("row", words.get(0), header.rows()),
                lines.index("column", words.get(1), header.columns()),
                words.get(2));
    }

    private MatrixStrip strip(int atRow, int atColumn, String text) {
        double value = NumberLines.real(text);
        if (!(Math.abs(value) <= Double.MAX_VALUE)) {
            throw lines.malformed("found '%s' where a finite number is expected".formatted(text));
        }
        return new MatrixStrip(atRow, atColumn, new double[] {value});
    }

    @Override
    public void close() {
        lines.close();
    }
}
