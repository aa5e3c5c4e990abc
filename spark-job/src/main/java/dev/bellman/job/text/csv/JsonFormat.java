package dev.bellman.job.text.csv;

import dev.bellman.job.text.RecordFormat;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.json.JSONOptions;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Map;

/**
 * JSON with one object per line, with most options of Spark's reader. With {@code multiLine}, objects may span any
 * number of lines, either one after another or in an array, and each file is read by a single task.
 */
public final class JsonFormat extends RecordFormat {
    private static final long serialVersionUID = 1L;

    public JsonFormat() {
        super("json");
    }

    @Override
    public boolean splits(Map<String, String> options) {
        return !flag(options, "multiLine");
    }

    /** Returns the schema that Spark infers from the records, except malformed ones. */
    @Override
    public StructType schema(SparkSession spark, Map<String, String> options, List<FileStatus> files) {
        refuse(options, "lineSep", "columnNameOfCorruptRecord");
        return spark.read()
                .options(options)
                .option("mode", "DROPMALFORMED")
                .json(marked(spark, new StructType(), options, files)
                        .where(functions.col(MALFORMED).isNull())
                        .select(RECORD)
                        .as(Encoders.STRING()))
                .schema();
    }

    @Override
    public Parsers parsers(SparkSession spark, StructType schema, StructType wanted, Map<String, String> options) {
        refuse(options, "lineSep", "columnNameOfCorruptRecord");
        JSONOptions json = new JSONOptions(
                options.removed("encoding").removed("charset"),
                spark.conf().get("spark.sql.session.timeZone"),
                "_bellman_unused");
        boolean multiLine = flag(options, "multiLine");
        return input -> new JsonParser(wanted, json, multiLine);
    }
}
