package dev.bellman.job.text;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;

/**
 * Reads the lines of a text file, as bytes. A line ends with {@code \n}, {@code \r\n} or {@code \r}. Each step examines
 * eight bytes, as a long {@code x}: the lowest set bit of {@code (x - 0x2121..) & ~x & 0x8080..} is the top bit of the
 * first byte that is at most a blank (Warren, Hacker's Delight, 2nd edition 2012, section 6-1). Thus, a single step
 * finds both line ends and stray blanks.
 */
public final class TextInput implements Closeable {
    private static final int BUFFER_BYTES = 1 << 18;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long TOPS = 0x8080_8080_8080_8080L;
    private static final long AFTER_BLANK = ONES * (' ' + 1);

    private static final byte[] LF = {'\n'};
    private static final byte[] CR = {'\r'};
    private static final byte[] CRLF = {'\r', '\n'};

    /** Opens the file again, at its first byte. */
    interface Opener {
        InputStream open() throws IOException;
    }

    private final InputStream source;
    private final String file;
    private final long start;
    private final boolean whole;
    private final int maximumRecordBytes;
    private final Opener opener;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;
    /** The offset in the text of the first byte in the buffer. */
    private long bufferOffset;

    private long line = 1;
    private long recordOffset;
    private long recordLine;
    private byte[] lineEnd = LF;
    /**
     * In the first part of a file, the offset at which the text starts. This part may be shorter than a byte order
     * mark.
     */
    private long firstOffset;

    private boolean closed;

    /**
     * Creates an input. The position of {@code source} is one byte before {@code start}, or the start of the text if
     * {@code start} is 0.
     *
     * @param whole whether the text can be read only from its start, because the file is compressed or has a different
     *     encoding
     */
    TextInput(InputStream source, String file, long start, boolean whole, int maximumRecordBytes, Opener opener) {
        this.source = source;
        this.file = file;
        this.start = start;
        this.whole = whole;
        this.maximumRecordBytes = maximumRecordBytes;
        this.opener = opener;
        this.bufferOffset = Math.max(0, start - 1);
    }

    String file() {
        return file;
    }

    boolean whole() {
        return whole;
    }

    /** Whether reading starts in the middle of the file. */
    public boolean startsInside() {
        return start > 0;
    }

    /** Returns the offset of the next byte in the text. */
    long offset() {
        return bufferOffset + position;
    }

    /** Returns the position of the next byte, for an error message. */
    public String place() {
        return place(line, offset());
    }

    /**
     * Returns the position of the record that was started last, for a message that does not end the job. The position
     * must be cheap to determine, so it is a byte offset if reading started in the middle of the file.
     */
    String recordPlace() {
        return startsInside() ? "byte " + recordOffset : "line " + recordLine;
    }

    /** Returns the next byte without moving past it; -1 at the end of the file. */
    public int peek() {
        return position < limit || fill() ? buffer[position] & 0xff : -1;
    }

    /** Skips a byte order mark, if there is one at the start of the file. */
    void skipByteOrderMark() {
        if (peek() == 0xef && limit >= 3 && buffer[1] == (byte) 0xbb && buffer[2] == (byte) 0xbf) {
            position = 3;
            firstOffset = 3;
        }
    }

    /** Whether there is a next byte before byte {@code end}, at which this part of the file ends. */
    boolean isBefore(long end) {
        return (offset() < end || offset() == firstOffset && !startsInside()) && peek() >= 0;
    }

    /** Moves to the first line that starts in this part of the file. */
    public void skipToFirstLine() {
        if (startsInside()) {
            skipLine();
        } else {
            skipByteOrderMark();
        }
    }

    /**
     * Appends the next byte to {@code target}; drops it if {@code target} is null. In both cases, moves past the byte.
     */
    public void readByte(ByteBuilder target) {
        if (target != null) {
            append(target, position, 1);
        }
        byte read = buffer[position++];
        if (read == '\n' || read == '\r' && peek() != '\n') {
            line++;
        }
    }

    /** Skips the rest of the line and its line end. */
    void skipLine() {
        readLine(null);
    }

    /**
     * Appends the rest of the line without its line end to {@code target}, unless that is null, and moves past the line
     * end.
     *
     * @return whether the line has a line end; only the last line of a file may have none
     */
    public boolean readLine(ByteBuilder target) {
        while (position < limit || fill()) {
            int end = indexOfLineEnd(position);
            if (target != null) {
                append(target, position, end - position);
            }
            position = end;
            if (end < limit) {
                skipLineEnd();
                return true;
            }
        }
        return false;
    }

    /** Returns the line end of the last line that was read. */
    public byte[] lineEnd() {
        return lineEnd;
    }

    /**
     * Appends the rest of the line without blanks and tabs; if {@code target} is null, only counts the letters. Moves
     * past the line end.
     *
     * @return the length of these letters in bytes
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_FORMAT} if the line contains a control character
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
                byte blank = buffer[end];
                if (blank == '\n' || blank == '\r') {
                    skipLineEnd();
                    return letters;
                }
                if (blank != ' ' && blank != '\t') {
                    throw malformed(
                            place(),
                            ("found the control character 0x%02x where letters are expected; the file is damaged, or "
                                            + "is not a text file")
                                    .formatted(blank));
                }
                position++;
            }
        }
        return letters;
    }

    /** Records that the next byte starts a record. */
    public void startRecord() {
        recordOffset = offset();
        recordLine = line;
    }

    /** Returns an error which reports that the most recently started record exceeds the maximum size. */
    BellmanException tooLarge() {
        return new BellmanException(
                ErrorCode.BELLMAN_LIMIT,
                file + ", " + place(recordLine, recordOffset) + ": the record has more than " + maximumRecordBytes
                        + " bytes; split the record, or increase the input option " + TextFormat.MAXIMUM_RECORD_BYTES
                        + ", whose default is a share of a task's memory");
    }

    int maximumRecordBytes() {
        return maximumRecordBytes;
    }

    /** Returns an error which reports that the most recently started record is malformed. */
    public BellmanException malformedRecord(String message) {
        return malformed(place(recordLine, recordOffset), message);
    }

    /** Returns an error which reports that the file is malformed at {@code place}. */
    public BellmanException malformed(String place, String message) {
        return new BellmanException(ErrorCode.BELLMAN_INPUT_FORMAT, file + ", " + place + ": " + message);
    }

    /** Returns an error which reports that a codec cannot continue to read {@code file}. */
    static BellmanException damaged(String file, long line, long offset, Exception failure) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_FORMAT,
                ("%s, line %d or later, after %d bytes of text: the compressed data is damaged or ends too early (%s); "
                                + "copy or compress the file again")
                        .formatted(file, line, offset, failure.getMessage()),
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

    private String place(long atLine, long atOffset) {
        return startsInside() ? lineOf(atOffset) : "line " + atLine;
    }

    /**
     * Describes the line that contains the byte at an offset; if the file cannot be read again, describes the offset.
     * This method is called only for errors, because it reads the file from its start.
     */
    private String lineOf(long atOffset) {
        try (TextInput again = new TextInput(opener.open(), file, 0, whole, maximumRecordBytes, opener)) {
            while (again.offset() < atOffset && again.readLine(null)) {
                // count the lines before the byte
            }
            return "line " + (again.offset() > atOffset ? again.line - 1 : again.line);
        } catch (IOException | RuntimeException e) {
            return "byte " + atOffset;
        }
    }

    private void append(ByteBuilder target, int from, int count) {
        if (count > maximumRecordBytes - target.length()) {
            throw tooLarge();
        }
        target.append(buffer, from, count, maximumRecordBytes);
    }

    private void skipLineEnd() {
        lineEnd = buffer[position++] == '\n' ? LF : CR;
        line++;
        if (lineEnd == CR && peek() == '\n') {
            lineEnd = CRLF;
            position++;
        }
    }

    private boolean fill() {
        bufferOffset += limit;
        position = 0;
        limit = 0;
        try {
            limit = source.readNBytes(buffer, 0, buffer.length);
        } catch (CharacterCodingException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_FORMAT,
                    "%s, line %d or later: the text is not in the encoding that the input options specify"
                            .formatted(file, line),
                    e);
        } catch (IOException | RuntimeException e) {
            // codecs also throw exceptions other than IOException
            if (whole) {
                throw damaged(file, line, bufferOffset, e);
            }
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_READ,
                    file + ", byte " + bufferOffset + ": the file cannot be read (" + e.getMessage() + ")",
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
            long eight = (long) LONGS.get(buffer, at);
            long found = zeros(eight ^ (ONES * '\n')) | zeros(eight ^ (ONES * '\r'));
            if (found != 0) {
                return at + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (at < limit && buffer[at] != '\n' && buffer[at] != '\r') {
            at++;
        }
        return at;
    }

    /**
     * Returns a word in which the top bit of the first zero byte is set, and possibly the top bits of some later bytes
     * as well.
     */
    private static long zeros(long eight) {
        return (eight - ONES) & ~eight & TOPS;
    }
}
