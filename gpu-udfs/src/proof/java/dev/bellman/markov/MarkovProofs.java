package dev.bellman.markov;

import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Oracle;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import java.util.List;
import java.util.stream.Stream;

/**
 * Provides the textbook implementations and the test instances for the functions in {@link MarkovFunctions}: for
 * emissions by step and by symbol, for normally distributed values and points, for sequences to which models are
 * fitted, for frames, and for reads.
 */
public final class MarkovProofs implements Proofs {
    private static final int SMALL = 6;
    private static final int LARGE = 300;

    private static final InstanceGenerator STEPS = new InstanceGenerator(MarkovInstances::steps, SMALL, LARGE, 1);
    private static final InstanceGenerator SYMBOLS = new InstanceGenerator(MarkovInstances::symbols, SMALL, LARGE, 1);
    private static final InstanceGenerator VALUES = new InstanceGenerator(GaussianInstances::values, SMALL, LARGE, 1);

    private static final InstanceGenerator POINTS = new InstanceGenerator(GaussianInstances::points, SMALL, LARGE, 1);

    private static final InstanceGenerator READS = new InstanceGenerator(PairHmmInstances::reads, SMALL, LARGE, 2);
    private static final InstanceGenerator STATES = new InstanceGenerator(HmmInstances::states, SMALL, LARGE, 1);
    private static final InstanceGenerator MODELS = new InstanceGenerator(HmmInstances::models, SMALL, LARGE, 1);
    private static final InstanceGenerator STATES_OF_VALUES =
            new InstanceGenerator(GaussianInstances::states, SMALL, LARGE, 1);
    private static final InstanceGenerator MODELS_OF_VALUES =
            new InstanceGenerator(GaussianInstances::models, SMALL, LARGE, 1);
    private static final InstanceGenerator STATES_OF_POINTS =
            new InstanceGenerator(GaussianInstances::statesOfPoints, SMALL, LARGE, 1);
    private static final InstanceGenerator MODELS_OF_POINTS =
            new InstanceGenerator(GaussianInstances::modelsOfPoints, SMALL, LARGE, 1);

    private static final InstanceGenerator FRAMES = new InstanceGenerator(CtcInstances::frames, SMALL, LARGE, 1);

    @Override
    public List<Proof> list() {
        return Stream.of(
                        proofs(
                                "viterbi",
                                MarkovTextbook::viterbi,
                                GaussianTextbook::viterbi,
                                GaussianTextbook::viterbiOfPoints),
                        proofs(
                                "forward",
                                MarkovTextbook::forward,
                                GaussianTextbook::forward,
                                GaussianTextbook::forwardOfPoints),
                        proofs(
                                "posterior",
                                MarkovTextbook::posterior,
                                GaussianTextbook::posterior,
                                GaussianTextbook::posteriorOfPoints),
                        List.of(
                                new Proof("hmm_fit", 0, STATES, HmmTextbook::fromSeed),
                                new Proof("hmm_fit", 1, STATES_OF_VALUES, GaussianFitTextbook::fromSeed),
                                new Proof("hmm_fit", 2, STATES_OF_POINTS, GaussianFitTextbook::pointsFromSeed),
                                new Proof("hmm_refit", 0, MODELS, HmmTextbook::fromModel),
                                new Proof("hmm_refit", 1, MODELS_OF_VALUES, GaussianFitTextbook::fromModel),
                                new Proof("hmm_refit", 2, MODELS_OF_POINTS, GaussianFitTextbook::pointsFromModel)),
                        List.of(
                                new Proof("ctc_align", 0, FRAMES, CtcTextbook::align),
                                new Proof("ctc_score", 0, FRAMES, CtcTextbook::score),
                                new Proof("pair_hmm", 0, READS, PairHmmTextbook::solve)))
                .flatMap(List::stream)
                .toList();
    }

    private static List<Proof> proofs(String function, Oracle textbook, Oracle ofValues, Oracle ofPoints) {
        return List.of(
                new Proof(function, 0, STEPS, textbook),
                new Proof(function, 1, SYMBOLS, textbook),
                new Proof(function, 2, VALUES, ofValues),
                new Proof(function, 3, POINTS, ofPoints));
    }
}
