package dev.bellman.function;

import dev.bellman.align.distance.DistanceFunctions;
import dev.bellman.align.gap.GapFunctions;
import dev.bellman.align.linkage.LinkageFunctions;
import dev.bellman.align.names.MatchingFunctions;
import dev.bellman.align.names.RatioFunctions;
import dev.bellman.align.score.ScoreFunctions;
import dev.bellman.align.search.SearchFunctions;
import dev.bellman.align.subsequence.SubsequenceFunctions;
import dev.bellman.chain.matrix.MatrixChainFunctions;
import dev.bellman.chain.tree.TreeFunctions;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Problem;
import dev.bellman.fold.FoldFunctions;
import dev.bellman.fold.rna.RnaFunctions;
import dev.bellman.grammar.GrammarFunctions;
import dev.bellman.graph.GraphFunctions;
import dev.bellman.knapsack.KnapsackFunctions;
import dev.bellman.linear.LinearFunctions;
import dev.bellman.markov.MarkovFunctions;
import dev.bellman.markov.profile.ProfileFunctions;
import dev.bellman.order.JoinFunctions;
import dev.bellman.recurrence.RecurrenceFunctions;
import dev.bellman.series.SeriesFunctions;
import java.util.List;
import java.util.stream.Stream;

/**
 * Every function, once. Registration, {@code bellman functions}, the table of functions and {@code bellman check} all
 * use this list of the families' lists.
 */
public final class Catalogue {
    private static final List<BellmanFunction<?>> FUNCTIONS = Stream.of(
                    DistanceFunctions.list(),
                    RatioFunctions.list(),
                    SearchFunctions.list(),
                    MatchingFunctions.list(),
                    LinkageFunctions.list(),
                    SubsequenceFunctions.list(),
                    GapFunctions.list(),
                    ScoreFunctions.list(),
                    MatrixChainFunctions.list(),
                    TreeFunctions.list(),
                    LinearFunctions.list(),
                    FoldFunctions.list(),
                    RnaFunctions.list(),
                    RecurrenceFunctions.list(),
                    GraphFunctions.list(),
                    SeriesFunctions.list(),
                    KnapsackFunctions.list(),
                    MarkovFunctions.list(),
                    ProfileFunctions.list(),
                    JoinFunctions.list(),
                    GrammarFunctions.list())
            .flatMap(List::stream)
            .toList();

    private Catalogue() {}

    public static List<BellmanFunction<?>> functions() {
        return FUNCTIONS;
    }

    /** The problems, in the order of their first function. */
    public static List<Problem<?>> problems() {
        return FUNCTIONS.stream()
                .<Problem<?>>map(BellmanFunction::problem)
                .distinct()
                .toList();
    }
}
