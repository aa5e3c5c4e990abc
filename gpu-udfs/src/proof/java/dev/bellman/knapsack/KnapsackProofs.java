package dev.bellman.knapsack;

import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Oracle;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import java.util.List;

/** Provides the textbook implementations and the test instances for the functions in {@link KnapsackFunctions}. */
public final class KnapsackProofs implements Proofs {
    private static final int SMALL = 12;
    private static final int LARGE = 300;

    @Override
    public List<Proof> list() {
        return List.of(
                proof("knapsack", KnapsackInstances::items, KnapsackTextbook::knapsack),
                real("knapsack", KnapsackInstances::realItems, RealKnapsackTextbook::knapsack),
                proof("bounded_knapsack", KnapsackInstances::counts, KnapsackTextbook::bounded),
                real("bounded_knapsack", KnapsackInstances::realCounts, RealKnapsackTextbook::bounded),
                proof("subset_sum", KnapsackInstances::weights, KnapsackTextbook::subsetSum),
                proof("multiple_choice_knapsack", KnapsackInstances::classes, KnapsackTextbook::multipleChoice),
                real("multiple_choice_knapsack", KnapsackInstances::realClasses, RealKnapsackTextbook::multipleChoice));
    }

    private static Proof real(String function, InstanceGenerator.Draw draw, Oracle textbook) {
        return new Proof(function, 1, new InstanceGenerator(draw, SMALL, LARGE, 2), textbook);
    }

    private static Proof proof(String function, InstanceGenerator.Draw draw, Oracle textbook) {
        return new Proof(function, new InstanceGenerator(draw, SMALL, LARGE, 2), textbook);
    }
}
