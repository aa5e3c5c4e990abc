package dev.bellman.large;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.udf;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.format.Format;
import dev.bellman.job.format.InputColumns;
import dev.bellman.job.input.Argument;
import dev.bellman.job.input.Attempt;
import dev.bellman.job.input.Condition;
import dev.bellman.job.input.InputReader;
import dev.bellman.job.output.OutputNames;
import dev.bellman.job.output.StagedOutput;
import dev.bellman.job.plan.Engine;
import dev.bellman.job.plan.EngineCheck;
import dev.bellman.job.report.Provenance;
import dev.bellman.job.rows.InstanceInput;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.JobKind;
import dev.bellman.job.spec.OnBadRow;
import dev.bellman.job.terminal.Failures;
import dev.bellman.job.text.RecordFormat;
import dev.bellman.large.grid.TileManifest;
import dev.bellman.large.grid.TileStore;
import dev.bellman.markov.FittedModel;
import dev.bellman.plan.training.DistributedTraining;
import dev.bellman.plan.training.SequenceType;
import dev.bellman.plan.training.StartModel;
import dev.bellman.plan.training.TrainedModel;
import dev.bellman.plan.training.TrainingGoal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSError;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Runs a job that fits a hidden Markov model to its rows. After each iteration, writes the model to a file next to the
 * output, so that {@code --resume} continues with the next iteration.
 */
final class TrainingRun extends SingleInstanceJob<TrainingRun.Work> {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CHECKPOINT = "model";
    private static final String SEQUENCE = RecordFormat.ADDED + "sequence";
    private static final String FAILED = RecordFormat.ADDED + "failed";

    private Optional<FittedModel> start = Optional.empty();
    private TrainedModel trained;
    private long quarantined;

    TrainingRun(JobKind.Request request) {
        super(request);
    }

    /**
     * The sequences, and their training.
     *
     * @param bad the bad rows, in the form in which they are quarantined
     */
    record Work(
            SequenceType<?> type,
            DistributedTraining<?> training,
            DistributedTraining.Sizes sizes,
            List<Dataset<Row>> bad) {}

    /** The id, the kept columns, the sequence, and whether the expression for the sequence failed. */
    private record Sequences(SequenceType<?> type, Dataset<Row> rows) {
        /** Returns the sequences of those rows for which the expression did not fail. */
        JavaRDD<InternalRow> evaluated() {
            return rows.where(col(FAILED).isNull())
                    .select(SEQUENCE)
                    .queryExecution()
                    .toRdd()
                    .toJavaRDD();
        }
    }

    /** The file next to the output that contains the model. */
    record Checkpoint(
            String fingerprint,
            double[] start,
            double[][] transitions,
            double[][] emissions,
            double... logProbabilities) {
        static Checkpoint of(String fingerprint, TrainedModel trained) {
            FittedModel model = trained.model();
            return new Checkpoint(
                    fingerprint, model.start(), model.transitions(), model.emissions(), trained.logProbabilities());
        }

        TrainedModel trained(SequenceType<?> type) {
            return new TrainedModel(type.model(start, transitions, emissions), logProbabilities);
        }
    }

    private TrainingGoal goal() {
        return new TrainingGoal(
                job.find(TrainingKind.STATES)
                        .orElseGet(() -> start.map(FittedModel::states).orElseThrow()),
                job.get(TrainingKind.ITERATIONS),
                job.find(TrainingKind.TOLERANCE).orElse(Double.NEGATIVE_INFINITY),
                job.get(TrainingKind.SEED),
                job.get(TrainingKind.MIN_VARIANCE));
    }

    @Override
    Work work() {
        if (job.get(JobKeys.ENGINE) == Engine.GPU) {
            EngineCheck.requirePlugin(spark);
        }
        Dataset<Row> read = InputReader.read(spark, job.input(), job.get(JobKeys.ON_BAD_ROW), this::note);
        boolean marked = InputColumns.marksMalformed(read);
        Dataset<Row> whole = marked
                ? InputColumns.unmarked(read.where(col(RecordFormat.MALFORMED).isNull()))
                : read;
        Sequences all = sequences(Condition.select(whole, job));
        start = TrainingKind.START
                .of(job)
                .map(source -> StartModel.of(InputReader.read(spark, source, OnBadRow.FAIL, this::note), all.type()));
        boolean skipsBad = job.get(JobKeys.ON_BAD_ROW) == OnBadRow.QUARANTINE;
        Sequences sequences = skipsBad ? new Sequences(fitting(all), all.rows()) : all;
        List<Dataset<Row>> bad = new ArrayList<>();
        if (skipsBad) {
            bad.add(invalid(sequences));
            if (marked) {
                bad.add(malformed(read, bad.get(0).schema()));
            }
        }
        DistributedTraining<?> training = DistributedTraining.of(sequences.type(), sequences.evaluated(), skipsBad);
        try {
            if (EngineCheck.hasPlugin(spark) && job.get(JobKeys.ENGINE) != Engine.CPU) {
                training.useGpu(goal().states(), start, job.get(JobKeys.ENGINE) == Engine.GPU);
            }
            return new Work(sequences.type(), training, training.sizes(), bad);
        } catch (Exception e) {
            training.close();
            throw Failures.explain(e);
        }
    }

    /** Returns the type of the sequences that are not quarantined. */
    private SequenceType<?> fitting(Sequences sequences) {
        return start.<SequenceType<?>>map(sequences.type()::fitting)
                .orElseGet(() -> sequences.type().ofMost(sequences.evaluated()));
    }

    private Sequences sequences(Dataset<Row> rows) {
        String argument = job.get(JobKeys.ARGUMENTS).get(0);
        Column expression = Argument.of(job, rows, argument);
        DataType type = rows.select(expression).schema().fields()[0].dataType();
        SequenceType<?> sequences = SequenceType.of(type)
                .orElseThrow(() -> new BellmanException(
                        ErrorCode.BELLMAN_INPUT_SCHEMA,
                        ("the argument '%s' is of type %s; it must be ARRAY<INT>, ARRAY<DOUBLE> or "
                                        + "ARRAY<ARRAY<DOUBLE>>. Cast it to one of these types")
                                .formatted(argument, type.sql())));
        List<String> kept = Stream.concat(
                        job.find(JobKeys.ID).or(() -> InputColumns.find(rows, "id")).stream(),
                        job.get(JobKeys.KEEP).stream())
                .toList();
        List<String> added =
                job.get(JobKeys.ON_BAD_ROW) == OnBadRow.QUARANTINE ? InstanceInput.BAD_ROW_COLUMNS : List.of();
        InputColumns.mustDiffer(
                "the table of quarantined rows", Stream.of(kept, added).flatMap(List::stream), "id and keep");
        boolean mayFail = job.get(JobKeys.ON_BAD_ROW) != OnBadRow.FAIL && Argument.mayFail(rows, expression);
        List<Column> all = new ArrayList<>();
        kept.forEach(name -> all.add(InputColumns.column(rows, name).as(name)));
        all.add((mayFail ? Attempt.of(expression) : expression).as(SEQUENCE));
        Dataset<Row> tried = rows.select(all.toArray(Column[]::new));
        Column value = mayFail ? Attempt.value(col(SEQUENCE)) : col(SEQUENCE);
        return new Sequences(
                sequences,
                tried.withColumn(
                                FAILED,
                                mayFail
                                        ? Attempt.failure(col(SEQUENCE))
                                        : lit(null).cast(DataTypes.StringType))
                        .withColumn(SEQUENCE, value.cast(sequences.column())));
    }

    /** Returns the rows that do not contain a valid sequence, with the reasons. */
    private Dataset<Row> invalid(Sequences sequences) {
        SequenceType<?> type = sequences.type();
        UDF1<Seq<?>, String> check = entries -> entries == null
                ? null
                : type.problem(entries.length(), i -> entry(entries.apply(i))).orElse(null);
        String problem = "[%s] ".formatted(ErrorCode.BELLMAN_INPUT_VALUE);
        Column reason = coalesce(
                Attempt.badRow(job.get(JobKeys.ARGUMENTS).get(0), col(FAILED)),
                concat(lit(problem), udf(check, DataTypes.StringType).apply(col(SEQUENCE))));
        return sequences
                .rows()
                .withColumn("arguments", struct(col(SEQUENCE).as("symbols")))
                .withColumn("record", lit(null).cast(DataTypes.StringType))
                .withColumn("reason", reason)
                .where(col("reason").isNotNull())
                .drop(SEQUENCE, FAILED);
    }

    /** Returns a point as a list, and other entries of a sequence as they are. */
    private static Object entry(Object entry) {
        return entry instanceof Seq<?> point ? CollectionConverters.asJava(point) : entry;
    }

    /** Returns the malformed records, with the same columns as {@link #invalid}. */
    private static Dataset<Row> malformed(Dataset<Row> read, StructType schema) {
        Column[] columns = Arrays.stream(schema.fields())
                .map(field -> switch (field.name()) {
                    case "record" -> col(RecordFormat.RECORD).as("record");
                    case "reason" -> col(RecordFormat.MALFORMED).as("reason");
                    default -> lit(null).cast(field.dataType()).as(field.name());
                })
                .toArray(Column[]::new);
        return read.where(col(RecordFormat.MALFORMED).isNotNull()).select(columns);
    }

    @Override
    StructType schema(Work work) {
        return TrainedModel.schema(job.get(JobKeys.RESULTS));
    }

    @Override
    boolean usesTiles(Work work) {
        return true;
    }

    @Override
    String size(Work work) {
        return String.format(
                Locale.ROOT,
                "%,d sequences with %s; a model with %,d states",
                work.sizes().sequences(),
                work.type().described(work.sizes()),
                goal().states());
    }

    @Override
    void close(Work work) {
        work.training().close();
    }

    @Override
    long solve(Work work, Provenance provenance, StagedOutput output) {
        try {
            DistributedTraining<?> training = work.training();
            TrainingGoal goal = goal();
            TileStore store = new TileStore(output.tiles(), hadoop());
            trained = phases.time(
                    "solve",
                    () -> counted("iterations", goal.iterations(), done -> {
                        TrainedModel model = resumed(work, store, provenance, output)
                                .or(() -> start.map(training::first))
                                .orElseGet(() -> training.first(goal));
                        done.add(model.logProbabilities().length);
                        while (!goal.isReached(model.logProbabilities())) {
                            model = training.next(model, goal);
                            write(store, Checkpoint.of(provenance.fingerprint(), model));
                            done.add(1);
                        }
                        return model;
                    }));
        } catch (Exception e) {
            throw Failures.explain(e);
        }
        quarantined = phases.time("bad rows", () -> quarantine(work.bad(), output));
        // each iteration may read the input again
        provenance.inputMustBeUnchanged();
        return phases.time(
                "write",
                () -> write(work, context.parallelize(List.of(trained.row(job.get(JobKeys.RESULTS))), 1), output));
    }

    private Optional<TrainedModel> resumed(Work work, TileStore store, Provenance provenance, StagedOutput output) {
        if (!store.exists(CHECKPOINT)) {
            return Optional.empty();
        }
        try {
            Checkpoint found = JSON.readValue(store.read(CHECKPOINT).array(), Checkpoint.class);
            if (!found.fingerprint().equals(provenance.fingerprint())) {
                throw TileManifest.otherTable(output.tiles());
            }
            note("continues after %,d iterations".formatted(found.logProbabilities().length));
            return Optional.of(found.trained(work.type()));
        } catch (IOException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_READ,
                    "cannot read the model in %s: %s; run without --resume to start from the beginning"
                            .formatted(output.tiles(), e.getMessage()),
                    e);
        }
    }

    private static void write(TileStore store, Checkpoint checkpoint) {
        try {
            store.replace(
                    CHECKPOINT,
                    ByteBuffer.wrap(JSON.writeValueAsString(checkpoint).getBytes(StandardCharsets.UTF_8)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void made(StagedOutput output, Provenance provenance) {
        // the earlier run was interrupted after its commit, but before its end
        output.removeTiles();
    }

    private static long quarantine(List<Dataset<Row>> bad, StagedOutput output) {
        Dataset<Row> all = bad.stream().reduce(Dataset::union).orElse(null);
        if (all == null || all.isEmpty()) {
            return 0;
        }
        try {
            return Format.PARQUET
                    .write(all, Map.of())
                    .to(output.folder() + "/" + OutputNames.QUARANTINE)
                    .rowsWritten()
                    .orElseGet(all::count);
        } catch (Exception | FSError e) {
            throw output.writeFailure(e).orElseGet(() -> Failures.explain(e));
        }
    }

    @Override
    long quarantined() {
        return quarantined;
    }

    @Override
    Map<String, Object> report(Work work) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("sequences", work.sizes().sequences());
        if (work.sizes().symbols() > 0) {
            report.put(work.type().nameOfSymbols(), work.sizes().symbols());
        }
        report.put("rowsWithNull", work.sizes().nulls());
        report.put("rowsQuarantined", quarantined);
        report.put("engine", (work.training().isOnGpu() ? Engine.GPU : Engine.CPU).toString());
        report.put("iterations", trained.logProbabilities().length);
        report.put("converged", goal().isConverged(trained.logProbabilities()));
        report.put("logProbabilities", trained.logProbabilities());
        return report;
    }

    @Override
    String summary(Work work) {
        double[] logs = trained.logProbabilities();
        return String.format(
                Locale.ROOT,
                "%,d states fitted to %,d sequences in %.2f s; log-probability %.6g before the last of %,d "
                        + "iterations%s",
                goal().states(),
                work.sizes().sequences(),
                phases.of("solve"),
                logs[logs.length - 1],
                logs.length,
                quarantined == 0 ? "" : "; %,d rows quarantined".formatted(quarantined));
    }
}
