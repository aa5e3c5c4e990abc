package dev.bellman.job.text.csv;

import dev.bellman.BellmanException;
import dev.bellman.job.text.ByteBuilder;
import dev.bellman.job.text.MalformedRecordException;
import dev.bellman.job.text.RecordParser;
import dev.bellman.job.text.TextInput;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Parses CSV records according to RFC 4180 (2005), with any separator, quote and escape; without a quote, parses TSV
 * records. A field is quoted either completely or not at all, and every record has one field for each column.
 *
 * <p>Even with its strictest options, Spark's own parser accepts a quote within a field, drops blank records in a file
 * that has one column, and replaces bytes that are not UTF-8. For a malformed record, Spark's parser fails the query
 * without reporting the file and the line. This parser either returns such records unchanged or reports their position,
 * so a job can quarantine them.
 */
public final class CsvParser implements RecordParser {
    private final CsvDialect dialect;
    private final List<String> header;
    private final CsvValue[] values;
    private final Object[] parsed;
    private final boolean multiLine;
    private boolean headerExpected;

    /**
     * For each field in the record, the offset where it starts, not counting a quote. {@link #ends} and {@link #quotes}
     * contain the ends of the fields and how they are quoted.
     */
    private int[] starts = new int[16];

    private int[] ends = new int[16];
    private byte[] quotes = new byte[16];
    private int fields;
    private final ByteBuilder unescaped = new ByteBuilder();

    /** The start of the quoted field that was still open at the last line end. */
    private int openStart;

    private int openEnd;
    private byte openQuoting;

    private static final byte PLAIN = 0;
    private static final byte QUOTED = 1;
    private static final byte ESCAPED = 2;

    /** Converts a field to a value of its column's type. */
    public record CsvValue(int field, String column, scala.Function1<String, Object> converter) {}

    /** @param header the columns; if {@code headerExpected} is set, the first record in a file must list them */
    public CsvParser(
            CsvDialect dialect, List<String> header, boolean headerExpected, List<CsvValue> values, boolean multiLine) {
        this.dialect = dialect;
        this.header = header;
        this.headerExpected = headerExpected;
        this.values = values.toArray(CsvValue[]::new);
        this.parsed = new Object[values.size()];
        this.multiLine = multiLine;
    }

    /** Returns the fields of the first record in a file as text; empty if the file contains no record. */
    public static List<String> first(TextInput input, CsvDialect dialect, boolean multiLine) {
        CsvParser parser = new CsvParser(dialect, List.of(), false, List.of(), multiLine);
        ByteBuilder record = new ByteBuilder();
        input.skipToFirstLine();
        while (input.peek() >= 0) {
            record.clear();
            input.startRecord();
            if (parser.read(input, record)) {
                return parser.header(input, record);
            }
        }
        return List.of();
    }

    @Override
    public boolean read(TextInput input, ByteBuilder record) {
        boolean ended = input.readLine(record);
        boolean open = multiLine && opensQuote(record, false);
        while (open && ended) {
            record.append(input.lineEnd(), 0, input.lineEnd().length, Integer.MAX_VALUE);
            ended = input.readLine(record);
            open = opensQuote(record, true);
        }
        if (isBlank(record) || dialect.isComment(record)) {
            return false;
        }
        if (headerExpected) {
            headerExpected = false;
            List<String> found = dialect.columns(header(input, record));
            if (!dialect.same(found, header)) {
                throw input.malformedRecord(
                        ("the header is %s, but the first file has the header %s; use a separate job for files with "
                                        + "different columns")
                                .formatted(String.join(", ", found), String.join(", ", header)));
            }
            return false;
        }
        return true;
    }

    /**
     * Reports that a header is missing. Tasks that read other parts of the file rely on the header in the first part.
     */
    @Override
    public void end(TextInput input) {
        if (headerExpected && input.peek() >= 0) {
            throw input.malformed(
                    input.place(),
                    "the part of the file that the first task reads has no header; remove the blank "
                            + "lines and comments before the header");
        }
    }

    private List<String> header(TextInput input, ByteBuilder record) {
        try {
            split(record);
        } catch (MalformedRecordException e) {
            throw input.malformedRecord("in the header, " + e.getMessage());
        }
        String[] names = new String[fields];
        for (int i = 0; i < fields; i++) {
            UTF8String name = text(record, i);
            names[i] = name == null ? null : name.toString();
        }
        return Arrays.asList(names);
    }

    /**
     * Whether a record that should have several fields is empty or blank. If records have only one field, such a record
     * is valid: its value is NULL or the blanks.
     */
    private boolean isBlank(ByteBuilder record) {
        if (header.size() == 1 && !headerExpected) {
            return false;
        }
        for (int i = 0; i < record.length(); i++) {
            if (record.bytes()[i] != ' ') {
                return false;
            }
        }
        return true;
    }

    @Override
    public Object[] parse(ByteBuilder record) throws MalformedRecordException {
        split(record);
        if (fields != header.size()) {
            throw new MalformedRecordException("found %d field%s, expected %d (%s)"
                    .formatted(fields, fields == 1 ? "" : "s", header.size(), String.join(", ", header)));
        }
        for (int i = 0; i < values.length; i++) {
            CsvValue value = values[i];
            UTF8String text = text(record, value.field());
            parsed[i] = text;
            if (text != null && value.converter() != null) {
                parsed[i] = text.numBytes() == 0 ? null : convert(value, text.toString());
            }
        }
        return parsed;
    }

    private static Object convert(CsvValue value, String text) throws MalformedRecordException {
        try {
            return value.converter().apply(text);
        } catch (BellmanException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new MalformedRecordException(
                    "'%s' is not a valid value for the column %s".formatted(JsonParser.shown(text), value.column()));
        }
    }

    /** Returns the text of a field; NULL if the field is empty and not quoted, or if it equals the option for NULL. */
    private UTF8String text(ByteBuilder record, int field) {
        int start = starts[field];
        int end = ends[field];
        if (quotes[field] == PLAIN) {
            while (dialect.trimsStart() && start < end && record.bytes()[start] == ' ') {
                start++;
            }
            while (dialect.trimsEnd() && start < end && record.bytes()[end - 1] == ' ') {
                end--;
            }
            if (start == end) {
                return null;
            }
        }
        UTF8String text = quotes[field] == ESCAPED
                ? unescape(record.bytes(), start, end)
                : UTF8String.fromBytes(record.bytes(), start, end - start);
        if (text.numBytes() == 0) {
            text = dialect.emptyValue();
        }
        return text.equals(dialect.nullValue()) ? null : text;
    }

    private UTF8String unescape(byte[] bytes, int start, int end) {
        unescaped.clear();
        for (int i = start; i < end; i++) {
            if (bytes[i] == dialect.escape()
                    && i + 1 < end
                    && (bytes[i + 1] == dialect.quote() || bytes[i + 1] == dialect.escape())) {
                i++;
            }
            unescaped.append(bytes, i, 1, Integer.MAX_VALUE);
        }
        return unescaped.copy();
    }

    /**
     * Whether a quote is open at the end of the text that has been read so far. {@code resume} shows whether the quote
     * was already open before the last line.
     */
    private boolean opensQuote(ByteBuilder record, boolean resume) {
        try {
            return !scan(record, resume);
        } catch (MalformedRecordException e) {
            return false;
        }
    }

    private void split(ByteBuilder record) throws MalformedRecordException {
        if (!record.isUtf8()) {
            throw new MalformedRecordException("the record is not UTF-8; set the encoding in the input options");
        }
        if (!scan(record, false)) {
            throw new MalformedRecordException(
                    multiLine
                            ? "the file ends inside quotes"
                            : "the line ends inside quotes; if fields contain line breaks, set the "
                                    + "option multiLine: true, which limits reading to one task per file");
        }
    }

    /**
     * Finds the fields of a record; returns false if the record ends within quotes.
     *
     * @param resume whether the last call ended within quotes, and the record has grown since then
     */
    private boolean scan(ByteBuilder record, boolean resume) throws MalformedRecordException {
        byte[] bytes = record.bytes();
        int length = record.length();
        int at = 0;
        if (resume) {
            at = quoted(bytes, openEnd, length);
        } else {
            fields = 0;
            at = field(bytes, 0, length);
        }
        while (at >= 0 && at < length) {
            at = field(bytes, at + dialect.separatorLength(), length);
        }
        return at >= 0;
    }

    /**
     * Returns where the field that starts at {@code at} ends, which is at a separator or at the end of the record; -1
     * if the record ends within quotes.
     */
    private int field(byte[] bytes, int at, int length) throws MalformedRecordException {
        if (dialect.quotes()) {
            int first = at;
            while (dialect.trimsStart() && first < length && bytes[first] == ' ') {
                first++;
            }
            if (first < length && bytes[first] == dialect.quote()) {
                openStart = first + 1;
                openQuoting = QUOTED;
                return quoted(bytes, first + 1, length);
            }
        }
        int end = at;
        while (end < length && !dialect.separates(bytes, end, length)) {
            if (bytes[end] == 0) {
                throw nul();
            }
            if (dialect.quotes() && bytes[end] == dialect.quote()) {
                throw new MalformedRecordException(
                        ("field %d contains a quote but does not start with one; enclose such a field in quotes, or "
                                        + "set the option quote: '' to read quotes as ordinary characters")
                                .formatted(fields + 1));
            }
            end++;
        }
        add(at, end, PLAIN);
        return end;
    }

    /** Continues to read a quoted field. Returns where the field ends, or -1 if the record ends within quotes. */
    private int quoted(byte[] bytes, int from, int length) throws MalformedRecordException {
        int end = from;
        while (end < length) {
            byte next = bytes[end];
            if (next == 0) {
                throw nul();
            }
            boolean doubled = next == dialect.escape()
                    && end + 1 < length
                    && (bytes[end + 1] == dialect.quote() || next != dialect.quote());
            if (doubled) {
                openQuoting = ESCAPED;
                end += 2;
            } else if (next == dialect.quote()) {
                add(openStart, end, openQuoting);
                return afterQuote(bytes, end + 1, length);
            } else {
                end++;
            }
        }
        openEnd = end;
        return -1;
    }

    private int afterQuote(byte[] bytes, int from, int length) throws MalformedRecordException {
        int at = from;
        while (dialect.trimsEnd() && at < length && bytes[at] == ' ') {
            at++;
        }
        if (at < length && !dialect.separates(bytes, at, length)) {
            throw new MalformedRecordException(
                    ("field %d continues after its closing quote; escape quotes inside the field (by default, double "
                                    + "them)")
                            .formatted(fields));
        }
        return at;
    }

    private static MalformedRecordException nul() {
        return new MalformedRecordException("found a NUL byte; the file is damaged, or is not a text file");
    }

    private void add(int start, int end, byte quoting) {
        if (fields == starts.length) {
            starts = Arrays.copyOf(starts, 2 * fields);
            ends = Arrays.copyOf(ends, 2 * fields);
            quotes = Arrays.copyOf(quotes, 2 * fields);
        }
        starts[fields] = start;
        ends[fields] = end;
        quotes[fields] = quoting;
        fields++;
    }
}
