package dev.bellman.job.format;

import static org.apache.spark.sql.functions.col;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Suggestion;
import dev.bellman.job.text.RecordFormat;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.RowOrdering;

/** Finds an input's columns by their names in a job, ignoring case unless the session is case-sensitive. */
public final class InputColumns {
    private InputColumns() {}

    /** Returns the column's name as the input spells it. */
    public static Optional<String> find(Dataset<Row> rows, String name) {
        boolean exact = Boolean.parseBoolean(rows.sparkSession().conf().get("spark.sql.caseSensitive"));
        return Arrays.stream(rows.columns())
                .filter(column -> exact ? column.equals(name) : column.equalsIgnoreCase(name))
                .findFirst();
    }

    /** Whether the rows have the columns with which {@link RecordFormat} marks malformed records. */
    public static boolean marksMalformed(Dataset<Row> rows) {
        return Arrays.asList(rows.columns()).contains(RecordFormat.MALFORMED);
    }

    /** Returns the rows without the columns that mark malformed records. */
    public static Dataset<Row> unmarked(Dataset<Row> rows) {
        return rows.drop(RecordFormat.MALFORMED, RecordFormat.RECORD);
    }

    /**
     * Returns the column that has this name.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_SCHEMA} if there is no such column
     */
    public static Column column(Dataset<Row> rows, String name) {
        return column(find(rows, name).orElseThrow(() -> missing(rows, name)));
    }

    /** Returns a column by name. The name may contain any characters. */
    public static Column column(String name) {
        return col(quoted(name));
    }

    public static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    /**
     * Checks that the input has ids, and that their type is orderable.
     *
     * @param why the reason why ids are needed, such as {@code ties are broken by id}
     */
    public static void mustHaveOrderedId(String why, Dataset<Row> rows, Optional<String> id) {
        String name = id.orElseThrow(() -> new BellmanException(
                ErrorCode.BELLMAN_INPUT_SCHEMA,
                why + ", but the input has no column id; set id (--id) to the column that identifies a row"));
        find(rows, name)
                .map(found -> rows.schema().apply(found).dataType())
                .filter(type -> !RowOrdering.isOrderable(type))
                .ifPresent(type -> {
                    throw new BellmanException(
                            ErrorCode.BELLMAN_INPUT_SCHEMA,
                            ("%s, but '%s' is of type %s, whose values cannot be sorted; choose a different column "
                                            + "with id (--id)")
                                    .formatted(why, name, type.sql()));
                });
    }

    /**
     * Checks that no two columns have the same name, ignoring case.
     *
     * @param owner what would have the columns, such as {@code the output}
     * @param keys the keys that choose the columns
     */
    public static void mustDiffer(String owner, Stream<String> names, String keys) {
        Set<String> seen = new HashSet<>();
        names.filter(name -> !seen.add(name.toLowerCase(Locale.ROOT)))
                .findFirst()
                .ifPresent(twice -> {
                    throw new BellmanException(
                            ErrorCode.BELLMAN_JOB_FILE,
                            "%s would have two columns named '%s'; check %s".formatted(owner, twice, keys));
                });
    }

    public static BellmanException missing(Dataset<Row> rows, String name) {
        return missing("the input has", rows, name);
    }

    /** @param has the subject of the message, such as {@code the input has} */
    public static BellmanException missing(String has, Dataset<Row> rows, String name) {
        return missing(has, Arrays.asList(unmarked(rows).columns()), name);
    }

    /** @param columns the existing columns */
    public static BellmanException missing(String has, List<String> columns, String name) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_SCHEMA,
                "%s no column '%s'; %s %s%s"
                        .formatted(
                                has,
                                name,
                                has.endsWith("have") ? "they have" : "it has",
                                String.join(", ", columns),
                                Suggestion.hint(name, columns)));
    }
}
