package dev.bellman.job.sequence;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Lines of a sequence file as bytes. Eight bytes are looked at in one step: with {@code x} the eight as a long, {@code (x -
 * 0x2121..) & ~x & 0x8080..} has the top bit of the first byte that is at most a blank (Warren, Hacker's Delight, 2nd edition
 * 2012, section 6-1), which finds line ends and stray blanks at once.
 */
final class SequenceInput implements Closeable {
    /** What a row of Spark can hold, less some room for its own fields. */
    static final int MAXIMUM_RECORD_BYTES = Integer.MAX_VALUE - 1024;

    private static final int BUFFER_BYTES = 1 << 18;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long TOPS = 0x8080_8080_8080_8080L;
    private static final long AFTER_BLANK = ONES * (' ' + 1);

    private final InputStream source;
    private final String file;
    private final long start;
    private final boolean compressed;
    private final int maximumRecordBytes;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;
    /** The offset in the file of the first byte of the buffer. */
    private long bufferOffset;

    private long line = 1;
    private String recordPlace = "";
    private boolean closed;

    /** {@code source} stands one byte before {@code start}, or at the start of the file when that is 0. */
    SequenceInput(InputStream source, String file, long start, boolean compressed) {
        this(source, file, start, compressed, MAXIMUM_RECORD_BYTES);
    }

    SequenceInput(InputStream source, String file, long start, boolean compressed, int maximumRecordBytes) {
        this.source = source;
        this.file = file;
        this.start = start;
        this.compressed = compressed;
        this.maximumRecordBytes = maximumRecordBytes;
        this.bufferOffset = Math.max(0, start - 1);
    }

    boolean compressed() {
        return compressed;
    }

    /** Whether reading starts inside the file. */
    boolean startsInside() {
        return start > 0;
    }

    /** The offset in the file, after decompression, of the next byte. */
    long offset() {
        return bufferOffset + position;
    }

    /** The number of the line that the next byte is in, counted from 1; of use only when reading started with the file. */
    long line() {
        return line;
    }

    /** Where the next byte is, for an error message. */
    String place() {
        return startsInside() ? "byte " + offset() : "line " + line;
    }

    /** The next byte, which stays the next; -1 at the end of the file. */
    int peek() {
        return position < limit || fill() ? buffer[position] & 0xff : -1;
    }

    /** Steps over a byte order mark at the start of the file. */
    void skipByteOrderMark() {
        if (peek() == 0xef && limit >= 3 && buffer[1] == (byte) 0xbb && buffer[2] == (byte) 0xbf) {
            position = 3;
        }
    }

    /** Steps over the rest of the line and its end. */
    void skipLine() {
        while (position < limit || fill()) {
            int end = indexOfLineEnd(position);
            if (end < limit) {
                position = end + 1;
                line++;
                return;
            }
            position = limit;
        }
    }

    /** Appends the rest of the line without its end ({@code \n} or {@code \r\n}), and steps over both. */
    void readLine(ByteBuilder target) {
        while (position < limit || fill()) {
            int end = indexOfLineEnd(position);
            append(target, position, end - position);
            if (end < limit) {
                position = end + 1;
                line++;
                break;
            }
            position = limit;
        }
        if (target.length() > 0 && target.bytes()[target.length() - 1] == '\r') {
            target.dropLast();
        }
    }

    /**
     * Appends the rest of the line without blanks and control characters, or only counts them where {@code target} is null,
     * and steps over the end of the line.
     *
     * @return how many bytes that were
     */
    long readLetters(ByteBuilder target) {
        long letters = 0;
        while (position < limit || fill()) {
            int end = indexOfBlank(position);
            letters += end - position;
            if (target != null) {
                append(target, position, end - position);
            }
            position = end;
            if (end < limit) {
                position++;
                if (buffer[end] == '\n') {
                    line++;
                    return letters;
                }
            }
        }
        return letters;
    }

    /** The next byte starts a record. */
    void startRecord() {
        recordPlace = place();
    }

    /** The record that was started last is larger than a row can be. */
    BellmanException tooLarge() {
        return new BellmanException(
                ErrorCode.BELLMAN_LIMIT,
                file + ", " + recordPlace + ": the record has more than " + maximumRecordBytes
                        + " bytes, the most that a row can hold; cut it into windows before it is read");
    }

    int maximumRecordBytes() {
        return maximumRecordBytes;
    }

    /** The header of the record that was started last is malformed. */
    BellmanException malformedRecord(String message) {
        return malformed(recordPlace, message);
    }

    /** The file is malformed at {@code place}. */
    BellmanException malformed(String place, String message) {
        return new BellmanException(ErrorCode.BELLMAN_INPUT_FORMAT, file + ", " + place + ": " + message);
    }

    /** A codec cannot read the file {@code file} on from line {@code line}. */
    static BellmanException damaged(String file, long line, IOException failure) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_FORMAT,
                file + ", line " + line + " or later: the compressed data is damaged or ends too early ("
                        + failure.getMessage() + "); copy or compress the file again",
                failure);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            source.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void append(ByteBuilder target, int from, int count) {
        if (count > maximumRecordBytes - target.length()) {
            throw tooLarge();
        }
        target.append(buffer, from, count, maximumRecordBytes);
    }

    private boolean fill() {
        bufferOffset += limit;
        position = 0;
        limit = 0;
        try {
            limit = source.readNBytes(buffer, 0, buffer.length);
        } catch (IOException e) {
            if (compressed) {
                throw damaged(file, line, e);
            }
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_READ,
                    file + ", " + place() + ": the file cannot be read (" + e.getMessage() + ")",
                    e);
        }
        return limit > 0;
    }

    private int indexOfBlank(int from) {
        int at = from;
        for (; at <= limit - Long.BYTES; at += Long.BYTES) {
            long eight = (long) LONGS.get(buffer, at);
            long found = (eight - AFTER_BLANK) & ~eight & TOPS;
            if (found != 0) {
                return at + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (at < limit && (buffer[at] & 0xff) > ' ') {
            at++;
        }
        return at;
    }

    private int indexOfLineEnd(int from) {
        int at = from;
        for (; at <= limit - Long.BYTES; at += Long.BYTES) {
            long eight = (long) LONGS.get(buffer, at) ^ (ONES * '\n');
            long found = (eight - ONES) & ~eight & TOPS;
            if (found != 0) {
                return at + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (at < limit && buffer[at] != '\n') {
            at++;
        }
        return at;
    }
}
