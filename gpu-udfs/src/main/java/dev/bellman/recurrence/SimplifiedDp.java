package dev.bellman.recurrence;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Cancellation;
import dev.bellman.recurrence.instance.Element;
import dev.bellman.recurrence.instance.Fold;
import dev.bellman.recurrence.instance.Instance;
import dev.bellman.recurrence.instance.Operator;
import dev.bellman.recurrence.paper.PaperStrategy;
import dev.bellman.recurrence.paper.StepModel;
import java.util.Optional;

/**
 * Solves the simplified dynamic-programming problem (S-DP) by Matsumae and Miyazaki, "Solving dynamic programming
 * problem by pipeline implementation on GPU" (2018): {@code ST[i] = ST[i - a_1] (x) ST[i - a_2] (x) ... (x) ST[i -
 * a_k]} for offsets {@code a_1 > ... > a_k > 0} and an associative operator, which need not commute.
 *
 * <p>Two extensions go beyond the paper. There may be more initial values than {@code a_1}; the recurrence starts after
 * them. With minimum or maximum, each offset may have a weight that is added to the element at this offset, as in coin
 * change, word break and the unbounded knapsack.
 *
 * <p>Sums of doubles are evaluated from left to right, and strategies with a different order reject such sums. A sum of
 * BIGINT is exact: it overflows only if its final value does not fit. With weights, each candidate must also fit in 64
 * bits.
 */
public final class SimplifiedDp {
    /**
     * All strategies return the same table. On a CPU, the paper's strategies are simulated step by step in one thread.
     */
    public enum Strategy {
        /** Uses {@link #BLOCKED}. */
        AUTO,
        /** Computes element by element, offset by offset, as in Fig. 1 of the paper. */
        SEQUENTIAL(PaperStrategy.SEQUENTIAL),
        /** Computes each element by a tournament among its candidates, in O(log k) steps. */
        TOURNAMENT(PaperStrategy.TOURNAMENT),
        /**
         * Computes each element with several threads, each of which folds a share of the candidates; then one thread
         * folds their results.
         */
        NAIVE_PARALLEL(PaperStrategy.NAIVE_PARALLEL),
        /** Runs a pipeline in which k stages work on k consecutive elements, as in Fig. 2 of the paper. */
        PIPELINE(PaperStrategy.PIPELINE),
        /**
         * Runs the pipeline with two offsets per stage, so that a run of consecutive offsets does not make all stages
         * read the same element. The paper names the technique and assigns two computations to each thread; the rest is
         * our reconstruction: stage {@code m} folds the offsets {@code 2m - 1} and {@code 2m} of the element {@code i -
         * m + 1}.
         */
        PIPELINE_2X2(PaperStrategy.PIPELINE_2X2),
        /**
         * Computes tile by tile: first the contributions of earlier tiles, offset by offset over the whole tile, then
         * the contributions of the tile itself. For {@code min}, {@code max}, {@code and} and {@code or} with many
         * offsets, searches blocks of elements and skips blocks that cannot change the result. If there are very many
         * offsets, computes a sum modulo a number as a quotient of power series.
         */
        BLOCKED;

        private final PaperStrategy paper;

        Strategy() {
            this(null);
        }

        Strategy(PaperStrategy paper) {
            this.paper = paper;
        }

        /** Returns the corresponding strategy of the paper, or empty if there is none. */
        public Optional<PaperStrategy> paper() {
            return Optional.ofNullable(paper);
        }
    }

    /**
     * The quantities that the paper analyses for a parallel strategy.
     *
     * @param steps the number of steps of the whole computation
     * @param maxReaders the maximum number of threads that read one element in a step; if such reads are serialized,
     *     the step takes this many times as long
     */
    public record Steps(long steps, int maxReaders) {}

    private static final int TILE = 1024;

    /**
     * Searching pays off if there are at least this many offsets, and if at least one in {@link #SEARCHED_SPARSITY}
     * distances is an offset.
     */
    private static final int SEARCHED_OFFSETS = 128;

    private static final int SEARCHED_SPARSITY = 32;

    /** The minimum number of offsets for which a sum modulo a number is computed as a series. */
    private static final int SERIES_OFFSETS = 3_000;

    private SimplifiedDp() {}

    /**
     * Computes the table.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_OVERFLOW} if a value does not fit in 64 bits, {@link
     *     ErrorCode#BELLMAN_CONFIGURATION} if the strategy adds doubles in a different order
     */
    static long[] solve(Instance instance, Strategy strategy) {
        if (instance.length() <= instance.start()) {
            return instance.table();
        }
        checkOrder(instance, strategy);
        return switch (strategy) {
            case SEQUENTIAL -> sequential(instance);
            case AUTO, BLOCKED -> blocked(instance);
            case TOURNAMENT, NAIVE_PARALLEL, PIPELINE, PIPELINE_2X2 -> {
                StepModel model = new StepModel(instance, strategy.paper().orElseThrow());
                if (model.overflowed()) {
                    yield sequential(instance);
                }
                yield model.table();
            }
        };
    }

    /** Counts the steps of one of the paper's parallel strategies on a table of {@code n} elements. */
    public static Steps steps(int[] offsets, int n, Strategy strategy) {
        Instance instance =
                Instance.of("s_dp", Element.LONG, new long[offsets[0]], offsets, null, n, Operator.Kind.MIN.text());
        StepModel model = new StepModel(instance, strategy.paper().orElseThrow());
        return new Steps(model.steps(), model.maxReaders());
    }

    /** Returns the number of bytes that a strategy takes per element of the table. */
    static long bytesOfAnElement(Instance instance, Strategy strategy) {
        return switch (strategy) {
            case SEQUENTIAL -> Long.BYTES;
            // an accumulator of two words and a counter of readers
            case TOURNAMENT, NAIVE_PARALLEL, PIPELINE, PIPELINE_2X2 -> 3 * Long.BYTES + Integer.BYTES;
            case AUTO, BLOCKED -> isSeries(instance) ? ModularSeries.BYTES_OF_AN_ELEMENT : Long.BYTES + 1;
        };
    }

    private static boolean isSeries(Instance instance) {
        return instance.operator().kind() == Operator.Kind.SUM_MOD
                && instance.offsets().length >= SERIES_OFFSETS
                && instance.length() <= ModularSeries.MAX_ELEMENTS;
    }

    /** Returns the total number of candidates for the elements of the table. */
    static long candidates(Instance instance) {
        return (long) (instance.length() - instance.start()) * instance.stages();
    }

    static boolean addsDoubles(Element element, Operator operator, boolean weighted) {
        return element == Element.DOUBLE && operator.kind() == Operator.Kind.SUM && !weighted;
    }

    /** Whether a strategy folds candidates in an order that differs from the order of the definition. */
    static boolean reorders(Strategy strategy) {
        return strategy == Strategy.TOURNAMENT || strategy == Strategy.NAIVE_PARALLEL;
    }

    private static void checkOrder(Instance instance, Strategy strategy) {
        if (reorders(strategy) && addsDoubles(instance.element(), instance.operator(), false)) {
            throw reordered(instance.function(), strategy);
        }
    }

    private static BellmanException reordered(String function, Strategy strategy) {
        return new BellmanException(
                ErrorCode.BELLMAN_CONFIGURATION,
                ("%s: the strategy %s adds doubles in a different order, which can change the result; use auto, "
                                + "sequential, pipeline, pipeline-2x2 or blocked")
                        .formatted(function, dev.bellman.Strategies.name(strategy)));
    }

    private static long[] sequential(Instance instance) {
        long[] table = instance.table();
        int[] offsets = instance.offsets();
        Fold fold = Fold.of(instance, 1);
        Cancellation cancellation = new Cancellation();
        for (int i = instance.start(); i < table.length; i++) {
            cancellation.count(offsets.length);
            fold.begin(0, 1, table, i - offsets[0], 0);
            fold.fold(0, table, i, offsets, 1, offsets.length);
            table[i] = fold.value(0);
            if (fold.overflowed()) {
                throw instance.overflow(i);
            }
        }
        return table;
    }

    private static long[] blocked(Instance instance) {
        int[] offsets = instance.offsets();
        int stages = offsets.length;
        if (LatticeSearch.serves(instance)
                && stages >= SEARCHED_OFFSETS
                && offsets[0] - offsets[stages - 1] < (long) stages * SEARCHED_SPARSITY) {
            return new LatticeSearch(instance).table();
        }
        if (isSeries(instance)) {
            return new ModularSeries(instance).table();
        }
        long[] table = instance.table();
        // limit the size of the tile, so that no position reads from its own tile through the first offset
        int tile = Math.min(TILE, offsets[0]);
        Fold fold = Fold.of(instance, tile);
        Cancellation cancellation = new Cancellation();
        for (int begin = instance.start(); begin < table.length; begin += tile) {
            int count = Math.min(tile, table.length - begin);
            fold.begin(0, count, table, begin - offsets[0], 0);
            for (int j = 1; j < stages; j++) {
                cancellation.count(count);
                fold.fold(Math.min(count, offsets[j]), table, begin - offsets[j], j);
            }
            int own = stages;
            for (int q = 0; q < count; q++) {
                while (own > 0 && offsets[own - 1] <= q) {
                    own--;
                }
                fold.fold(q, table, begin + q, offsets, own, stages);
                table[begin + q] = fold.value(q);
            }
            if (fold.overflowed()) {
                // compute the table sequentially, to find the first index that overflows
                return sequential(instance);
            }
        }
        return table;
    }
}
