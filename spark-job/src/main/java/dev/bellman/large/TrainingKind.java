package dev.bellman.large;

import dev.bellman.entry.Problem;
import dev.bellman.job.format.Format;
import dev.bellman.job.spec.JobDocument;
import dev.bellman.job.spec.JobKey;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.KeyType;
import dev.bellman.job.spec.OnBadRow;
import dev.bellman.job.spec.SourceKeys;
import dev.bellman.markov.GaussianModel;
import dev.bellman.markov.MarkovFunctions;
import dev.bellman.plan.training.TrainedModel;
import java.util.ArrayList;
import java.util.List;

/** Jobs that fit a single hidden Markov model to all rows. */
public final class TrainingKind extends LargeKind {
    private static final List<JobKey<?>> KEYS = new ArrayList<>();

    static final JobKey<Integer> STATES = JobKey.ofKind("states", KeyType.count(), "COUNT", KEYS::add)
            .optional("required without `start`", "for `hidden_markov_training`: the number of states of the model");

    static final JobKey<Integer> ITERATIONS = JobKey.ofKind("iterations", KeyType.count(), "COUNT", KEYS::add)
            .defaultsTo(10, "the maximum number of iterations");

    static final JobKey<Double> TOLERANCE = JobKey.ofKind(
                    "tolerance", KeyType.number(Integer.MAX_VALUE), "INCREASE", KEYS::add)
            .optional(
                    "all iterations run",
                    "stops after an iteration that increases the log-probability of the sequences by less than this "
                            + "value");

    static final JobKey<Integer> SEED = JobKey.ofKind(
                    "seed", KeyType.wholeNumber(Integer.MIN_VALUE), "NUMBER", KEYS::add)
            .defaultsTo(0, "determines the random model with which training starts");

    static final JobKey<Double> MIN_VARIANCE = JobKey.ofKind(
                    "minVariance", KeyType.number(Integer.MAX_VALUE), "NUMBER", KEYS::add)
            .defaultsTo(1e-3, "the minimum variance of a state, for sequences of numbers or points");

    /** The keys for the model with which training starts. */
    static final SourceKeys START = SourceKeys.ofKind(
            "start",
            "the model with which training starts: a table with one row and the columns `start`, `transitions` and "
                    + "`emissions`, such as the output of an earlier run. The default is a random model",
            KEYS::add);

    @Override
    public Problem<?> problem() {
        return MarkovFunctions.TRAINING_OF_ROWS;
    }

    @Override
    public List<JobKey<?>> keys() {
        return List.copyOf(KEYS);
    }

    @Override
    public List<JobKey<?>> shares() {
        return List.of(JobKeys.ID, JobKeys.KEEP, JobKeys.ON_BAD_ROW);
    }

    @Override
    public List<SourceKeys> inputs() {
        return List.of(START);
    }

    @Override
    void rules(JobDocument job) {
        columns(job, List.of(TrainedModel.SCHEMA.fieldNames()), List.of(TrainedModel.SCHEMA.fieldNames()));
        arguments(job, JobKeys.ARGUMENTS, problem().name(), List.of("symbols"));
        boolean hasStart = job.hasSection(START.path());
        if (hasStart == job.given(STATES).isPresent()) {
            job.problem(
                    STATES,
                    hasStart
                            ? "the start model determines the number of states; remove states"
                            : "hidden_markov_training requires the number of states; set states (--states), or "
                                    + "start.path (--start) to start with a trained model");
        }
        if (job.is(START.format(), format -> format.isInstance() || format.sequences())) {
            job.problem(
                    START.format(),
                    "start.format must be a format with rows, such as parquet or json, because a model is a row");
        }
        if (job.is(MIN_VARIANCE, minVariance -> !GaussianModel.isVariance(minVariance))) {
            job.problem(
                    MIN_VARIANCE,
                    "minVariance is '%s'; it must be at least 1e-80"
                            .formatted(job.word(MIN_VARIANCE).orElseThrow()));
        }
        if (job.is(JobKeys.ON_BAD_ROW, OnBadRow.NULL::equals)) {
            job.problem(
                    JobKeys.ON_BAD_ROW,
                    "onBadRow must not be null, because hidden_markov_training returns no result for each row; use "
                            + "fail or quarantine");
        }
        if (job.is(JobKeys.INPUT_FORMAT, Format::isInstance)) {
            noRows(job);
        }
    }

    @Override
    public Run run(Request request) {
        return new TrainingRun(request);
    }
}
