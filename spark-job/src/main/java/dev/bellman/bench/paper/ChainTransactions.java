package dev.bellman.bench.paper;

import dev.bellman.chain.matrix.paper.AdaptiveMapping;
import dev.bellman.chain.matrix.paper.ChainLayout;
import dev.bellman.chain.matrix.paper.PaperStrategy;
import java.util.Arrays;

/**
 * Counts the memory transactions that the memory layouts of Wu et al. aim to reduce. The threads of a warp (on the
 * paper's GPU, of a half-warp) read costs simultaneously. Each memory segment that contains at least one of their
 * addresses counts as a transaction. Ignores caches.
 *
 * @param requests the number of read requests, in each of which the threads of a warp read simultaneously
 * @param transactions the number of transactions for these reads
 */
public record ChainTransactions(long requests, long transactions) {
    /**
     * Counts the transactions in all phases of a chain by following each thread; takes O(n^3) time for n matrices.
     *
     * @param strategy a strategy by Wu et al. or by Solomon and Thulasiraman
     * @param mapping the thread mapping of the adaptive strategies
     * @param lanes the number of threads that read simultaneously: 16 on the paper's GPU, 32 on newer GPUs
     * @param segment the number of int32 costs in a segment: 32 on the paper's GPU, 8 on newer GPUs
     */
    public static ChainTransactions count(
            int matrices, PaperStrategy strategy, AdaptiveMapping mapping, int lanes, int segment) {
        boolean adaptive =
                switch (strategy) {
                    case ADAPTIVE, ADAPTIVE_TYPE_0, ADAPTIVE_TYPE_1 -> true;
                    default -> false;
                };
        Counter counter = new Counter(ChainLayout.of(strategy, matrices), matrices, lanes, segment);
        for (int length = 2; length <= matrices; length++) {
            int products = matrices - length + 1;
            AdaptiveMapping.Phase phase =
                    adaptive ? mapping.phase(matrices, length) : new AdaptiveMapping.Phase(products, 1, products, 1);
            for (long block = 0; block < phase.blocks(); block++) {
                int begin = (int) (products * block / phase.blocks());
                int end = (int) (products * (block + 1) / phase.blocks());
                for (int from = begin; from < end; from += phase.groups()) {
                    counter.countBlock(from, Math.min(end - from, phase.groups()), phase.subthreads(), length);
                }
            }
        }
        return new ChainTransactions(counter.requests, counter.transactions);
    }

    public double perRequest() {
        return (double) transactions / requests;
    }

    private static final class Counter {
        private final ChainLayout layout;
        private final int lanes;
        private final int segment;
        /** For each segment, the last request that touched it. */
        private final long[] touched;

        private long requests;
        private long transactions;

        Counter(ChainLayout layout, int matrices, int lanes, int segment) {
            this.layout = layout;
            this.lanes = lanes;
            this.segment = segment;
            touched = new long[(int) (layout.cells(matrices) / segment) + 1];
            Arrays.fill(touched, -1);
        }

        /**
         * Counts the reads of a block's threads for {@code groups} products, of which the first begins at matrix
         * {@code first} and each later one at the next matrix.
         */
        void countBlock(int first, int groups, int subthreads, int length) {
            int threads = groups * subthreads;
            for (int warp = 0; warp < threads; warp += lanes) {
                int last = Math.min(threads, warp + lanes);
                for (int turn = 1; turn < length; turn += subthreads) {
                    countRequest(first, warp, last, subthreads, turn, length, true);
                    countRequest(first, warp, last, subthreads, turn, length, false);
                }
            }
        }

        private void countRequest(int first, int warp, int last, int subthreads, int turn, int length, boolean left) {
            boolean any = false;
            for (int thread = warp; thread < last; thread++) {
                int start = first + thread / subthreads;
                int split = turn + thread % subthreads;
                if (split < length) {
                    long index = left
                            ? layout.index(start, start + split - 1)
                            : layout.index(start + split, start + length - 1);
                    int at = (int) (index / segment);
                    if (touched[at] != requests) {
                        touched[at] = requests;
                        transactions++;
                    }
                    any = true;
                }
            }
            if (any) {
                requests++;
            }
        }
    }
}
