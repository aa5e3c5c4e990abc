package dev.bellman.job.text.csv;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import dev.bellman.job.text.ByteBuilder;
import dev.bellman.job.text.MalformedRecordException;
import dev.bellman.job.text.RecordParser;
import dev.bellman.job.text.TextInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.json.JSONOptions;
import org.apache.spark.sql.catalyst.json.JacksonParser;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Function1;
import scala.Function2;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Parses JSON objects: one object per line or, with {@code multiLine}, objects that span any number of lines, one after
 * another or in an array. Spark's own parser converts the values. On its own, Spark's parser would read only the first
 * object in a line and ignore the rest.
 */
public final class JsonParser implements RecordParser {
    private static final int SHOWN_CHARACTERS = 80;

    private final JacksonParser parser;
    private final StructField[] fields;
    private final Object[] values;
    private final boolean multiLine;
    private boolean inArray;
    private boolean followed;
    private int length;

    private final Function2<JsonFactory, byte[], com.fasterxml.jackson.core.JsonParser> opener = this::open;
    private final Function1<byte[], UTF8String> literal = record -> UTF8String.EMPTY_UTF8;

    public JsonParser(StructType schema, JSONOptions options, boolean multiLine) {
        this.parser = new JacksonParser(
                schema,
                options,
                false,
                CollectionConverters.asScala(java.util.List.<org.apache.spark.sql.sources.Filter>of())
                        .toSeq());
        this.fields = schema.fields();
        this.values = new Object[fields.length];
        this.multiLine = multiLine;
    }

    @Override
    public boolean read(TextInput input, ByteBuilder record) {
        if (multiLine) {
            return readValue(input, record);
        }
        input.readLine(record);
        for (int i = 0; i < record.length(); i++) {
            if (!isBlank(record.bytes()[i])) {
                return true;
            }
        }
        return false;
    }

    /**
     * Reads the next value, which is at the root or in an array at the root. Counts brackets without checking that they
     * match, because Spark's parser checks that.
     */
    private boolean readValue(TextInput input, ByteBuilder record) {
        int first = input.peek();
        if (isBlank(first) || first == ',' && inArray || first == '[' && !inArray || first == ']' && inArray) {
            if (first == '[' || first == ']') {
                inArray = first == '[';
            }
            input.readByte(null);
            if (inArray && input.peek() < 0) {
                throw input.malformedRecord("the file ends inside an array; it is truncated");
            }
            return false;
        }
        int depth = 0;
        int quote = 0;
        do {
            int next = input.peek();
            if (next < 0) {
                return true;
            }
            if (depth == 0 && quote == 0 && (isBlank(next) || next == ',' || next == ']')) {
                return true;
            }
            input.readByte(record);
            if (quote != 0) {
                if (next == '\\' && input.peek() >= 0) {
                    input.readByte(record);
                } else if (next == quote) {
                    quote = 0;
                }
            } else if (next == '"' || next == '\'') {
                quote = next;
            } else if (next == '{' || next == '[') {
                depth++;
            } else if (next == '}' || next == ']') {
                depth--;
            }
        } while (depth > 0 || quote != 0 || !endsValue(record));
        return true;
    }

    private static boolean endsValue(ByteBuilder record) {
        byte last = record.bytes()[record.length() - 1];
        return last == '}' || last == ']';
    }

    private static boolean isBlank(int character) {
        return character == ' ' || character == '\t' || character == '\n' || character == '\r';
    }

    @Override
    public Object[] parse(ByteBuilder record) throws MalformedRecordException {
        if (!record.isUtf8()) {
            throw new MalformedRecordException("the record is not UTF-8; set the encoding in the input options");
        }
        Iterator<InternalRow> rows;
        InternalRow row;
        followed = false;
        length = record.length();
        try {
            rows = CollectionConverters.asJava(
                    parser.parse(record.bytes(), opener, literal).iterator());
            row = rows.hasNext() ? rows.next() : null;
        } catch (Exception e) {
            // Scala code throws checked exceptions without declaring them
            throw new MalformedRecordException(
                    "found an incomplete JSON object, or a value whose type does not match the schema: " + reason(e));
        }
        if (row == null) {
            throw new MalformedRecordException("found no JSON object");
        }
        if (followed) {
            throw new MalformedRecordException("found text after the JSON object; expected "
                    + (multiLine ? "only JSON objects" : "one object per line, or the option multiLine: true"));
        }
        for (int i = 0; i < values.length; i++) {
            values[i] = row.isNullAt(i) ? null : row.get(i, fields[i].dataType());
        }
        return values;
    }

    private static String reason(Throwable failure) {
        Throwable innermost = failure;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        String message = innermost.getMessage();
        if (message == null || message.isBlank()) {
            return innermost.getClass().getSimpleName();
        }
        String line = message.lines().findFirst().orElseThrow().replaceFirst("^\\[[A-Z0-9_.]+\\] ", "");
        int state = line.indexOf(" SQLSTATE: ");
        return shown(state < 0 ? line : line.substring(0, state));
    }

    /** Returns the part of a string that a message shows. */
    static String shown(String text) {
        return text.length() <= SHOWN_CHARACTERS ? text : text.substring(0, SHOWN_CHARACTERS) + "...";
    }

    private com.fasterxml.jackson.core.JsonParser open(JsonFactory factory, byte[] record) {
        try {
            return new JsonParserDelegate(factory.createParser(record, 0, length)) {
                @Override
                public void close() throws IOException {
                    try {
                        followed = !isClosed() && nextToken() != null;
                    } catch (IOException e) {
                        followed = true;
                    } finally {
                        super.close();
                    }
                }
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
