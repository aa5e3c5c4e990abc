package dev.bellman.job.text;

import dev.bellman.job.text.RecordFormat.OnMalformed;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/** Converts records to rows, which contain the values and, if requested, the text and the problem of the record. */
final class RecordRows implements RowSource {
    private final TextInput input;
    private final long end;
    private final RecordParser parser;
    private final RecordFormat.Columns columns;
    private final OnMalformed onMalformed;
    private final ByteBuilder record = new ByteBuilder();
    private final Object[] values;
    private final InternalRow row;
    private boolean started;

    RecordRows(TextInput input, long end, RecordParser parser, RecordFormat.Columns columns, OnMalformed onMalformed) {
        this.input = input;
        this.end = end;
        this.parser = parser;
        this.columns = columns;
        this.onMalformed = onMalformed;
        this.values = new Object[columns.count()];
        this.row = new GenericInternalRow(values);
    }

    @Override
    public boolean next() {
        if (!started) {
            started = true;
            input.skipToFirstLine();
        }
        while (input.isBefore(end)) {
            record.clear();
            input.startRecord();
            if (parser.read(input, record) && parse()) {
                return true;
            }
        }
        parser.end(input);
        return false;
    }

    @Override
    public InternalRow row() {
        return row;
    }

    /** Fills the row. Returns false if the record should be skipped. */
    private boolean parse() {
        String problem = null;
        try {
            Object[] parsed = parser.parse(record);
            for (int i = 0; i < values.length; i++) {
                int position = columns.positions()[i];
                values[i] = position >= 0 ? parsed[position] : null;
            }
        } catch (MalformedRecordException e) {
            switch (onMalformed) {
                case FAIL ->
                    throw input.malformedRecord(
                            e.getMessage() + "; correct the record or, in jobs on rows, set onBadRow: quarantine to "
                                    + "write such records to a separate folder");
                case DROP -> {
                    return false;
                }
                case MARK, NULL -> {
                    problem = e.getMessage();
                    Arrays.fill(values, null);
                }
            }
        }
        if (columns.record() >= 0) {
            values[columns.record()] = record.isUtf8()
                    ? record.view()
                    : UTF8String.fromString(record.view().toValidString());
        }
        if (columns.malformed() >= 0 && problem != null) {
            values[columns.malformed()] =
                    UTF8String.fromString("%s, %s: %s".formatted(input.file(), input.recordPlace(), problem));
        }
        return true;
    }
}
