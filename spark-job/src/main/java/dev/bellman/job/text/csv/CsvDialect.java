package dev.bellman.job.text.csv;

import dev.bellman.job.text.ByteBuilder;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.spark.sql.catalyst.csv.CSVOptions;
import org.apache.spark.sql.execution.datasources.csv.CSVUtils;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The syntax of CSV records, as configured by Spark's options. The quote, the escape and the comment mark are ASCII
 * characters; 0 means that there is none.
 */
public final class CsvDialect implements Serializable {
    private static final long serialVersionUID = 1L;

    private final CSVOptions options;
    private final boolean caseSensitive;
    private final byte[] separator;
    private final byte quote;
    private final byte escape;
    private final byte comment;
    private final UTF8String nullValue;
    private final UTF8String emptyValue;

    public CsvDialect(CSVOptions options, boolean caseSensitive) {
        this.options = options;
        this.caseSensitive = caseSensitive;
        this.separator = options.delimiter().getBytes(StandardCharsets.UTF_8);
        this.quote = (byte) options.quote();
        this.escape = (byte) options.escape();
        this.comment = (byte) options.comment();
        this.nullValue = UTF8String.fromString(options.nullValue());
        this.emptyValue = UTF8String.fromString(options.emptyValueInRead());
    }

    CSVOptions options() {
        return options;
    }

    boolean quotes() {
        return quote != 0;
    }

    byte quote() {
        return quote;
    }

    byte escape() {
        return escape;
    }

    boolean trimsStart() {
        return options.ignoreLeadingWhiteSpaceInRead();
    }

    boolean trimsEnd() {
        return options.ignoreTrailingWhiteSpaceInRead();
    }

    UTF8String nullValue() {
        return nullValue;
    }

    UTF8String emptyValue() {
        return emptyValue;
    }

    int separatorLength() {
        return separator.length;
    }

    /** Whether a separator starts at {@code at}. */
    boolean separates(byte[] bytes, int at, int length) {
        if (bytes[at] != separator[0] || at + separator.length > length) {
            return false;
        }
        for (int i = 1; i < separator.length; i++) {
            if (bytes[at + i] != separator[i]) {
                return false;
            }
        }
        return true;
    }

    boolean isComment(ByteBuilder record) {
        return comment != 0 && record.length() > 0 && record.bytes()[0] == comment;
    }

    /**
     * Returns the column names in a header; names that are repeated or missing are replaced in the same way as in
     * Spark.
     */
    public List<String> columns(List<String> header) {
        return List.of(CSVUtils.makeSafeHeader(header.toArray(String[]::new), caseSensitive, options));
    }

    /**
     * Whether a header contains exactly the expected columns, in the expected order. With {@code enforceSchema},
     * compares only their number.
     */
    boolean same(List<String> found, List<String> expected) {
        if (options.enforceSchema()) {
            return found.size() == expected.size();
        }
        if (found.size() != expected.size()) {
            return false;
        }
        for (int i = 0; i < found.size(); i++) {
            boolean same = caseSensitive
                    ? found.get(i).equals(expected.get(i))
                    : found.get(i).equalsIgnoreCase(expected.get(i));
            if (!same) {
                return false;
            }
        }
        return true;
    }
}
