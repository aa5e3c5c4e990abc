package dev.bellman.chain.matrix.paper;

/**
 * The adaptive thread mapping by Wu, Ke, Lin and Feng, "Optimizing dynamic programming on graphics processing units via
 * adaptive thread-level parallelism" (2011). Determines how many GPU threads work on each product of a phase, so that
 * all multiprocessors are busy. In phase {@code P}, a chain of {@code n} matrices has only {@code n - P + 1} products,
 * each of {@code P} matrices.
 *
 * <p>The number of blocks is the number of multiprocessors, or the number of products if there are fewer products. If a
 * block has at most as many products as it may have threads, each product gets a group of threads: as many subthreads
 * as the block has room for, but no more than the product has splits. Otherwise, each thread computes several products
 * in turn.
 *
 * @param multiprocessors the number of multiprocessors of the GPU: 30 on the paper's Tesla C1060
 * @param blockThreads the maximum number of threads in a block: 512 in the paper
 * @param firstSharedPhase the first phase in which a product gets more than one thread; a value of 1 is the fastest
 */
public record AdaptiveMapping(int multiprocessors, int blockThreads, int firstSharedPhase) {
    /** The name of a call parameter with which the paper's benchmark sets the first shared phase. */
    public static final String FIRST_SHARED_PHASE = "first_shared_phase";

    /**
     * The launch of a phase.
     *
     * @param products the total number of products
     * @param blocks the number of blocks, which share the products evenly
     * @param groups the number of groups per block, each of which works on one product at a time
     * @param subthreads the number of threads per group
     */
    public record Phase(int products, int blocks, int groups, int subthreads) {
        /** Returns the number of threads per block. */
        public int block() {
            return groups * subthreads;
        }

        /** Returns the number of threads in the phase that have a product to work on. */
        public long threads() {
            return Math.min(products, (long) blocks * groups) * subthreads;
        }
    }

    /**
     * The cost of finding minima: in each step, a thread computes the smaller of two values.
     *
     * @param steps the number of steps until all products have their minimum
     * @param utilization the fraction of threads that are busy, over all steps
     */
    public record Reduction(int steps, double utilization) {}

    public Phase phase(int matrices, int phase) {
        int products = matrices - phase + 1;
        int blocks = Math.min(multiprocessors, products);
        int most = (products + blocks - 1) / blocks;
        if (most > blockThreads) {
            return new Phase(products, blocks, blockThreads, 1);
        }
        int subthreads = phase < firstSharedPhase ? 1 : Math.min(blockThreads / most, phase - 1);
        return new Phase(products, blocks, most, Math.max(1, subthreads));
    }

    /**
     * Returns the costs of the two methods of Fig. 5, in which a block of {@code threads} finds the minima of several
     * products.
     *
     * @param splits the number of splits of each product
     * @param together whether the products share the threads; otherwise, they take turns using all threads
     */
    public static Reduction reduction(int products, int splits, int threads, boolean together) {
        int own = together ? Math.max(1, threads / products) : threads;
        int turns = together ? (products * own + threads - 1) / threads : products;
        int steps = 0;
        long worked = 0;
        for (int values = splits; values > 1; steps++) {
            int pairs = Math.min(own, values / 2);
            worked += (long) pairs * products;
            values -= pairs;
        }
        return new Reduction(steps * turns, (double) worked / ((long) steps * turns * threads));
    }
}
