package dev.bellman.function;

import dev.bellman.align.consensus.ConsensusFunctions;
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
import dev.bellman.schedule.ScheduleFunctions;
import dev.bellman.segment.SegmentFunctions;
import dev.bellman.series.SeriesFunctions;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The list of all functions except the table-valued ones ({@link TableFunctions}), combined from the families' lists.
 * Registration, {@code bellman functions}, the function
 * pages and {@code bellman check} all use it.
 */
public final class Catalogue {
    private static final List<Family> FAMILIES = List.of(
            family(
                    "distances",
                    "Distances and similarities",
                    "Functions that measure the distance or similarity between two strings.",
                    List.of(DistanceFunctions.list())),
            family(
                    "names",
                    "Names and records",
                    "Functions that match names, addresses and titles. [Names and records](../names.md) explains"
                            + " words, normalization, searches and metrics.",
                    List.of(
                            RatioFunctions.list(),
                            SearchFunctions.list(),
                            MatchingFunctions.list(),
                            LinkageFunctions.list())),
            family(
                    "alignments",
                    "Alignments and subsequences",
                    "[Alignments](../alignment.md) explains modes, scorings and E-values.",
                    List.of(
                            SubsequenceFunctions.list(),
                            GapFunctions.list(),
                            ScoreFunctions.list(),
                            ConsensusFunctions.list())),
            family(
                    "folding",
                    "RNA and protein folding",
                    "[RNA](../rna.md) explains sequences, options and energies.",
                    List.of(FoldFunctions.list(), RnaFunctions.list())),
            family(
                    "series",
                    "Time series",
                    "Distances between series of numbers or points, change points, and fits. [Numerics and "
                            + "ties](../numerics.md#time-series) defines bands and rounding.",
                    List.of(SeriesFunctions.list(), SegmentFunctions.list())),
            family(
                    "models",
                    "Hidden Markov models and parsing",
                    "[Numerics and ties](../numerics.md#hidden-markov-models) gives the recurrences; [HMMER "
                            + "profiles](../profiles.md) explains `profile_score`.",
                    List.of(MarkovFunctions.list(), ProfileFunctions.list(), GrammarFunctions.list())),
            family(
                    "graphs",
                    "Graphs, matrices and trees",
                    "A single graph, matrix or chain that exceeds a task's memory needs a [tiled "
                            + "job](../large-instances.md).",
                    List.of(
                            MatrixChainFunctions.list(),
                            TreeFunctions.list(),
                            LinearFunctions.list(),
                            GraphFunctions.list())),
            family(
                    "optimization",
                    "Knapsacks, plans and recurrences",
                    "[Numerics and ties](../numerics.md#ties) defines which optimal solution is returned.",
                    List.of(
                            KnapsackFunctions.list(),
                            ScheduleFunctions.list(),
                            JoinFunctions.list(),
                            RecurrenceFunctions.list())));

    private static final List<BellmanFunction<?>> FUNCTIONS =
            FAMILIES.stream().flatMap(family -> family.functions().stream()).toList();

    private Catalogue() {}

    private static Family family(String page, String title, String introduction, List<List<BellmanFunction<?>>> lists) {
        return new Family(
                page, title, introduction, lists.stream().flatMap(List::stream).toList());
    }

    /** Returns the functions by family, in the order of {@link #functions()}. */
    public static List<Family> families() {
        return FAMILIES;
    }

    public static List<BellmanFunction<?>> functions() {
        return FUNCTIONS;
    }

    /** Returns the problems, ordered by the first function of each. */
    public static List<Problem<?>> problems() {
        return FUNCTIONS.stream()
                .<Problem<?>>map(BellmanFunction::problem)
                .distinct()
                .toList();
    }

    /** Returns the function with this name, or the function whose {@code try_} variant has this name. */
    public static Optional<BellmanFunction<?>> named(String name) {
        return FUNCTIONS.stream()
                .filter(each -> each.name().equals(name) || each.tryName().equals(name))
                .findFirst();
    }

    /**
     * Returns the name of the strategy that a session configures. This is the value of the problem's
     * {@link Problem#strategyKey} or, if that is not set, the value of the same key for one of the problem's functions;
     * {@code auto} if neither is set.
     *
     * @param configuration returns the value that a key has in the session; null if the key is not set
     */
    public static String strategy(Problem<?> problem, UnaryOperator<String> configuration) {
        return Stream.concat(
                        Stream.of(problem.name()),
                        FUNCTIONS.stream()
                                .filter(each -> each.problem().equals(problem))
                                .map(BellmanFunction::name))
                .map(name -> configuration.apply(Problem.strategyKey(name)))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("auto");
    }
}
