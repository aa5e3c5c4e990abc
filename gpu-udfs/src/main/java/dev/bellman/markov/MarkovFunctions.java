package dev.bellman.markov;

import static org.apache.spark.sql.types.DataTypes.BooleanType;
import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.LongType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.columns.Solver;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.markov.HiddenMarkov.Strategy;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** Defines the functions on hidden Markov models, on the frames of a recording, and on sequenced reads. */
public final class MarkovFunctions {
    private static final DataType WEIGHTS = DataTypes.createArrayType(DoubleType);
    private static final DataType MATRIX = DataTypes.createArrayType(WEIGHTS);

    private static final Parameter START = new Parameter("start", WEIGHTS);
    private static final Parameter TRANSITIONS = new Parameter("transitions", MATRIX);
    private static final Parameter EMISSIONS = new Parameter("emissions", MATRIX);
    private static final Parameter SYMBOLS = new Parameter("symbols", DataTypes.createArrayType(IntegerType));

    private static final Parameter VALUES = new Parameter("values", WEIGHTS);
    private static final Parameter POINTS = new Parameter("values", MATRIX);

    private static final Parameter LOGARITHMS =
            setting("logarithms", BooleanType).orElse(false);

    private static final Problem<Strategy> PROBLEM = new Problem<>("viterbi", Strategy.class, Strategy.SERIAL);

    private static final String REJECTS = "an entry that is NULL or NaN; a probability or density that is negative or "
            + "infinite; with `logarithms`, a logarithm that is Infinity, or finite and beyond 1e9 in magnitude; with "
            + "`values`, a probability above 1 (logarithm above 0), a number or a mean beyond 1e100 in magnitude, or a "
            + "variance below 1e-80 or above 1e200; a model without states or a sequence without steps; arrays of "
            + "different lengths; a symbol without emissions";
    private static final String IMPOSSIBLE = "; a sequence that is impossible in the model";

    /**
     * The problem of training a model on all rows of an input. It has no functions, because a function sees only one
     * row.
     */
    public static final Problem<?> TRAINING_OF_ROWS =
            new Problem<>("hidden_markov_training", Strategy.class, Strategy.SERIAL);

    private static final Problem<Strategy> TRAINING = new Problem<>("hmm_fit", Strategy.class, Strategy.SERIAL);

    private static final Parameter SEQUENCES =
            new Parameter("sequences", DataTypes.createArrayType(DataTypes.createArrayType(IntegerType)));
    private static final Parameter SEQUENCES_OF_VALUES = new Parameter("sequences", MATRIX);
    private static final Parameter SEQUENCES_OF_POINTS = new Parameter("sequences", DataTypes.createArrayType(MATRIX));
    private static final Parameter STATES = atLeastOne("states");
    private static final Parameter SEED = setting("seed", LongType).orElse(0L);
    private static final Parameter MIN_VARIANCE = Parameter.setting(
                    "min_variance",
                    DoubleType,
                    (function, value) -> GaussianTraining.minVariance(function, (Double) value))
            .orElse(1e-3);
    private static final Parameter ITERATIONS = atLeastOne("iterations").orElse(10);

    private static final String SEQUENCE =
            "an array without sequences; a sequence that is NULL or empty; a symbol that is NULL, negative or "
                    + "without emissions; a number that is NULL, NaN or beyond 1e100 in magnitude; points without "
                    + "coordinates or with different numbers of coordinates; `iterations` below 1; a `min_variance` "
                    + "below 1e-80 or above 1e200; a sequence that is impossible in one of the models; a sequence "
                    + "of symbols that has a step with a probability below 1e-290";

    private static final Problem<Ctc.Strategy> ALIGNMENT =
            new Problem<>("ctc_align", Ctc.Strategy.class, Ctc.Strategy.SERIAL);

    private static final Problem<PairHmm.Strategy> PAIR_HMM =
            new Problem<>("pair_hmm", PairHmm.Strategy.class, PairHmm.Strategy.SERIAL);

    private static final String FRAMES = "an array without frames; frames of different lengths; a log-probability (of "
            + "the blank or of a token) that is NULL, NaN, or outside the range -1e9 to 1e9, except -Infinity; a "
            + "blank or a token that is not a valid index into a frame; a token that is NULL or equal to the blank";
    private static final String FRAMES_OF_EXAMPLE = "array(array(ln(0.2), ln(0.6), ln(0.2)), "
            + "array(ln(0.5), ln(0.4), ln(0.1)), array(ln(0.1), ln(0.1), ln(0.8))), array(1, 2)";

    private static final String MODEL = "array(0.6, 0.4), array(array(0.7, 0.3), array(0.4, 0.6)), "
            + "array(array(0.5, 0.4, 0.1), array(0.1, 0.3, 0.6)), array(0, 1, 2)";

    private MarkovFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(viterbi(), forward(), posterior(), hmmFit(), hmmRefit(), ctcAlign(), ctcScore(), pairHmm());
    }

    private static BellmanFunction<?> viterbi() {
        return entry("viterbi", MarkovSolvers.PATH, MarkovSolvers::viterbi, MarkovSolvers::gaussianViterbi)
                .description("Returns the most likely state sequence of a hidden Markov model, with states counted "
                        + "from 0, and the natural logarithm of its probability. `start` contains a probability for "
                        + "each state; `transitions` contains an array for each state, with the probability of each "
                        + "next state. `emissions` contains an array for each step, with the probability of the "
                        + "observation in each state. If `symbols` is given, it contains the 0-based index of the "
                        + "symbol at each step, and `emissions` instead contains an array for each state, with the "
                        + "probability of each symbol. The numbers need not sum to 1: densities are also valid. If "
                        + "`values` is given, it contains the number that was observed at each step. Each state then "
                        + "emits normally distributed numbers, and `emissions` contains an array for each state, with "
                        + "the mean and the variance. `values` may also contain points, which are arrays of "
                        + "coordinates. The coordinates are independent, and `emissions` contains an array for each "
                        + "state, with the mean and the variance of the first coordinate, then of the second "
                        + "coordinate, and so on. Integers are interpreted as `symbols` unless the argument is named "
                        + "`values`. If `logarithms` is true, all numbers are natural logarithms instead, such as "
                        + "those of probabilities too small for DOUBLE, or scores of a conditional random field. "
                        + "-Infinity then represents a probability of 0. With `values`, only `start` and "
                        + "`transitions` contain logarithms. Ties: the smallest last state, then the smallest state "
                        + "before it, and so on.")
                .rejects(REJECTS + IMPOSSIBLE)
                .example("viterbi(" + MODEL + ")", "{-4.19173690823075, [0, 0, 1]}")
                .function();
    }

    private static BellmanFunction<?> forward() {
        return entry("forward", DoubleType, MarkovSolvers::forward, MarkovSolvers::gaussianForward)
                .description("Returns the natural logarithm of the probability of a sequence in a hidden Markov "
                        + "model, summed over all state sequences. Returns -Infinity if the probability is 0. "
                        + "Arguments are as in `viterbi`.")
                .rejects(REJECTS)
                .example("forward(" + MODEL + ")", "-3.316488653735201")
                .function();
    }

    private static BellmanFunction<?> posterior() {
        return entry("posterior", MATRIX, MarkovSolvers::posterior, MarkovSolvers::gaussianPosterior)
                .description("Returns the probability of each state of a hidden Markov model at each step, given the "
                        + "whole sequence. Arguments are as in `viterbi`. Probabilities below 1e-300 are returned as "
                        + "0.")
                .rejects(REJECTS + IMPOSSIBLE)
                .example(
                        "posterior(array(0.5, 0.5), array(array(1, 0), array(0, 1)), array(array(0.25, 0.75)))",
                        "[[0.25, 0.75]]")
                .function();
    }

    private static BellmanFunction<?> hmmFit() {
        return Entry.of("hmm_fit", TRAINING)
                .signature(List.of(SEQUENCES, STATES, ITERATIONS, SEED), HmmTraining.MODEL, HmmTraining::fromSeed)
                .signature(
                        List.of(SEQUENCES_OF_VALUES, STATES, ITERATIONS, SEED, MIN_VARIANCE),
                        HmmTraining.MODEL,
                        GaussianTraining::fromSeed)
                .signature(
                        List.of(SEQUENCES_OF_POINTS, STATES, ITERATIONS, SEED, MIN_VARIANCE),
                        HmmTraining.MODEL,
                        GaussianTraining::pointsFromSeed)
                .kernels(Strategy.AUTO)
                .description("Fits a hidden Markov model to sequences of symbols (0-based) with the Baum-Welch "
                        + "algorithm. The first model has `states` states, as many symbols as `sequences` requires, "
                        + "and random probabilities that depend on `seed`. Each iteration makes the sequences at least "
                        + "as likely as before. The result contains the last model: `start`, `transitions` and "
                        + "`emissions` are arguments of `viterbi`, `forward` and `posterior`. `log_probabilities` "
                        + "contains the natural logarithm of the probability of all sequences before each iteration. A "
                        + "state that no sequence reaches keeps its emissions, and a state that no sequence leaves "
                        + "keeps its transitions. If the sequences are arrays of DOUBLE or DECIMAL instead of "
                        + "integers, each state emits normally distributed numbers, and `emissions` contains the mean "
                        + "and the variance of each state. In the first model, each variance is the variance of all "
                        + "numbers. To choose the means, the sorted numbers are divided into `states` parts of equal "
                        + "size, and one number is drawn at random from each part. If the sequences contain points, "
                        + "which are arrays of coordinates, `emissions` is as in `viterbi`. In the first model, the "
                        + "variance of each coordinate is that of all its values, and the means of a state are the "
                        + "coordinates of one point, which is chosen from the sorted points in the same way. Points "
                        + "are sorted by their first coordinate, then by their second coordinate, and so on. A "
                        + "variance below `min_variance` is replaced with `min_variance`, so that a state cannot "
                        + "shrink to a single number. To start with a given model, use `hmm_refit`.")
                .rejects(SEQUENCE + "; `states` below 1")
                .example(
                        "hmm_fit(array(array(0, 0, 1), array(1, 0)), 1, 1)",
                        "{[1.0], [[1.0]], [[0.6, 0.4]], [-14.686304191911725]}")
                .function();
    }

    /** Returns the parameters of {@code hmm_refit} for sequences of normally distributed numbers or points. */
    private static List<Parameter> refitting(Parameter sequences) {
        return List.of(sequences, START, TRANSITIONS, EMISSIONS, ITERATIONS, LOGARITHMS, MIN_VARIANCE);
    }

    private static BellmanFunction<?> hmmRefit() {
        return Entry.of("hmm_refit", new Problem<>("hmm_refit", Strategy.class, Strategy.SERIAL))
                .signature(
                        List.of(SEQUENCES, START, TRANSITIONS, EMISSIONS, ITERATIONS, LOGARITHMS),
                        HmmTraining.MODEL,
                        HmmTraining::fromModel)
                .signature(refitting(SEQUENCES_OF_VALUES), HmmTraining.MODEL, GaussianTraining::fromModel)
                .signature(refitting(SEQUENCES_OF_POINTS), HmmTraining.MODEL, GaussianTraining::pointsFromModel)
                .kernels(Strategy.AUTO)
                .description("Like `hmm_fit`, but starts with a given model. If `logarithms` is true, `start`, "
                        + "`transitions` and, unless the sequences are numbers or points, `emissions` contain "
                        + "natural logarithms of probabilities, in the arguments and in the result. Probabilities "
                        + "too small for DOUBLE are then valid, and -Infinity represents a probability of 0.")
                .rejects(SEQUENCE
                        + " (unless `logarithms` is true); a probability that is NULL or outside the range 0 to 1, or "
                        + "whose logarithm is outside the range -1e9 to 0, except -Infinity; a mean beyond 1e100 in "
                        + "magnitude; a variance below 1e-80 or above 1e200; a model without states; arrays "
                        + "of the model whose lengths do not match")
                .example(
                        "hmm_refit(array(array(0, 0, 1), array(1, 0)), array(1), array(array(1)), "
                                + "array(array(0.5, 0.5)), 1)",
                        "{[1.0], [[1.0]], [[0.6, 0.4]], [-3.465735902799726]}")
                .function();
    }

    private static Parameter atLeastOne(String name) {
        return Parameter.setting(
                name, IntegerType, (function, value) -> HmmTraining.atLeastOne(function, name, (Integer) value));
    }

    private static Parameter setting(String name, DataType type) {
        return Parameter.setting(name, type, (function, value) -> {});
    }

    private static BellmanFunction<?> ctcAlign() {
        return ctc("ctc_align", MarkovSolvers.ALIGNMENT, MarkovSolvers::ctcAlign)
                .kernels(Ctc.Strategy.AUTO)
                .description("Aligns tokens with the frames of a recording (forced alignment), given the output of a "
                        + "model trained with connectionist temporal classification (CTC). `log_probabilities` "
                        + "contains an array for each frame, with the natural logarithm of the probability of each "
                        + "token; `blank` is the index of the blank. The result contains the `path` with the largest "
                        + "sum of log-probabilities, and this sum as `score`. `path` contains a token for each frame. "
                        + "Merging consecutive equal tokens of `path` and then removing blanks yields `tokens`. "
                        + "`spans` contains the first frame (0-based) and the end frame (exclusive) of each token. "
                        + "Ties are broken from the last frame to the first. In the last frame, the last token is "
                        + "preferred to a blank; in each earlier frame, the latest possible position in the sequence "
                        + "of tokens and blanks is preferred.")
                .rejects(FRAMES + "; tokens that do not fit any path with a probability above 0")
                .example(
                        "ctc_align(" + FRAMES_OF_EXAMPLE + ")",
                        "{-1.4271163556401456, [1, 0, 2], [{1, 0, 1}, {2, 2, 3}]}")
                .function();
    }

    private static BellmanFunction<?> ctcScore() {
        return ctc("ctc_score", DoubleType, MarkovSolvers::ctcScore)
                .kernels(Ctc.Strategy.AUTO)
                .description("Returns the natural logarithm of the probability that the frames of a recording contain "
                        + "the given tokens, summed over all alignments: the negative of the CTC loss. Returns "
                        + "-Infinity if the probability is 0. Arguments are as in `ctc_align`.")
                .rejects(FRAMES)
                .example("ctc_score(" + FRAMES_OF_EXAMPLE + ")", "-0.5978370007556204")
                .function();
    }

    private static Entry<Ctc.Strategy> ctc(String name, DataType result, Solver<Ctc.Strategy> solver) {
        return Entry.of(name, ALIGNMENT)
                .signature(
                        List.of(
                                new Parameter("log_probabilities", MATRIX),
                                new Parameter("tokens", DataTypes.createArrayType(IntegerType)),
                                Parameter.optional("blank", IntegerType, 0)),
                        result,
                        solver);
    }

    private static BellmanFunction<?> pairHmm() {
        return Entry.of("pair_hmm", PAIR_HMM)
                .signature(
                        List.of(
                                new Parameter("read", StringType),
                                new Parameter("qualities", StringType),
                                new Parameter("haplotype", StringType),
                                Parameter.optional("insertion_qualities", StringType, UTF8String.fromString("N")),
                                Parameter.optional("deletion_qualities", StringType, UTF8String.fromString("N")),
                                Parameter.optional("continuation", StringType, UTF8String.fromString("+"))),
                        DoubleType,
                        MarkovSolvers::pairHmm)
                .kernels(PairHmm.Strategy.AUTO)
                .description("Returns the base-10 logarithm of the likelihood of a sequenced read given a haplotype, "
                        + "computed with the pair hidden Markov model of GATK's HaplotypeCaller. `qualities` contains "
                        + "a character for each base, as in FASTQ and SAM: `!` for quality 0 to `~` for 93. "
                        + "`insertion_qualities` and `deletion_qualities` are the qualities for opening a gap at each "
                        + "base; `continuation` contains the qualities for extending a gap. Each of these three "
                        + "strings has one character for each base, or one character for all bases. The defaults are "
                        + "GATK's: 45 (`N`) and 10 (`+`). Case is ignored, and the base `N` matches every base. The "
                        + "function uses the qualities unchanged, whereas GATK first lowers some of them. Returns "
                        + "-Infinity if the likelihood is 0.")
                .rejects("an empty read or haplotype; a base that is not a letter from A to Z; `qualities` with "
                        + "a different number of characters than the read; gap qualities with neither one character "
                        + "nor as many as the read; a quality that is not a character from `!` "
                        + "to `~`")
                .example("pair_hmm('ACGT', 'IIII', 'TTACGTTT')", "-0.9490747698024166")
                .function();
    }

    /**
     * Creates an entry with four signatures: the first takes the emissions of each step, the second takes symbols, and
     * the others take normally distributed numbers and points.
     */
    private static Entry<Strategy> entry(
            String name, DataType result, Solver<Strategy> solver, MarkovSolvers.Gaussian gaussian) {
        return Entry.of(name, PROBLEM)
                .signature(List.of(START, TRANSITIONS, EMISSIONS, LOGARITHMS), result, solver)
                .signature(List.of(START, TRANSITIONS, EMISSIONS, SYMBOLS, LOGARITHMS), result, solver)
                .signature(
                        List.of(START, TRANSITIONS, EMISSIONS, VALUES, LOGARITHMS),
                        result,
                        MarkovSolvers.solver(gaussian, false))
                .signature(
                        List.of(START, TRANSITIONS, EMISSIONS, POINTS, LOGARITHMS),
                        result,
                        MarkovSolvers.solver(gaussian, true))
                .kernels(Strategy.AUTO);
    }
}
