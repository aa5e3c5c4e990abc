package dev.bellman.job.format;

import static org.apache.spark.sql.functions.when;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Prepares rows for CSV or TSV files, whose fields are untyped strings. */
final class TextColumns {
    private final Format format;
    private final Dataset<Row> rows;

    TextColumns(Format format, Dataset<Row> rows) {
        this.format = format;
        this.rows = rows;
    }

    /** Implements {@link Format#fitted}. */
    Dataset<Row> fitted() {
        List<Column> columns = new ArrayList<>();
        for (StructField field : rows.schema().fields()) {
            columns.add(fitted(field).as(field.name()));
        }
        return rows.select(columns.toArray(Column[]::new));
    }

    private Column fitted(StructField field) {
        if (field.dataType() instanceof ArrayType
                || field.dataType() instanceof MapType
                || field.dataType() instanceof StructType) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE,
                    ("output.format %s cannot hold column '%s' of type %s; write parquet, orc or json, or "
                                    + "drop the column")
                            .formatted(format, field.name(), field.dataType().sql()));
        }
        Column column = InputColumns.column(field.name());
        if (format == Format.TSV && field.dataType().equals(DataTypes.StringType)) {
            column = refusing(
                    column,
                    column.rlike("[\t\r\n]"),
                    field,
                    "a tab or a line break, but a string in column '%s' contains one; write csv or parquet");
        }
        if (rows.columns().length == 1) {
            // Spark drops empty lines
            boolean isTsv = format == Format.TSV;
            Column blank =
                    isTsv ? column.isNull().or(column.cast(DataTypes.StringType).equalTo("")) : column.isNull();
            column = refusing(
                    column,
                    blank,
                    field,
                    (isTsv ? "NULL or an empty string" : "NULL")
                            + " in a file with a single column, but column '%s' contains one; add a second column "
                            + "with keep, or write parquet");
        }
        return column;
    }

    /**
     * Returns the same column, except that it fails for rows for which {@code condition} is true.
     *
     * @param value describes the column, and the value that the format cannot represent
     */
    private Column refusing(Column column, Column condition, StructField field, String value) {
        String message = "output.format %s cannot hold %s".formatted(format, value.formatted(field.name()));
        return when(condition, Refusal.of(ErrorCode.BELLMAN_JOB_FILE, message, field.dataType()))
                .otherwise(column);
    }
}
