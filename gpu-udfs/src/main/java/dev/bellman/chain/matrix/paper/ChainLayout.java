package dev.bellman.chain.matrix.paper;

/**
 * The position at which a paper's strategy stores the cost of the product of the matrices {@code start} to {@code end},
 * counted from 0: {@code byStart * start + byEnd * end - triangle * d (d - 1) / 2} for {@code d = end - start}.
 * {@code Layout} in {@code chain/matrix/paper/strategies.cu} uses the same formula.
 */
public record ChainLayout(long byStart, long byEnd, long triangle) {
    public static ChainLayout of(PaperStrategy strategy, long matrices) {
        return switch (strategy) {
            case SOLOMON, ADAPTIVE_TYPE_0 -> new ChainLayout(1, matrices, 0);
            case SOLOMON_COALESCED, ADAPTIVE_TYPE_1 -> new ChainLayout(1 - matrices, matrices, 0);
            case ADAPTIVE -> new ChainLayout(matrices - 1, 1, 0);
            case DIAGONAL -> new ChainLayout(matrices, 1, 0);
            case PIPELINE, PIPELINE_DELAYED -> new ChainLayout(1 - matrices, matrices, 1);
        };
    }

    public long index(long start, long end) {
        long d = end - start;
        return byStart * start + byEnd * end - triangle * (d * (d - 1) / 2);
    }

    /** Returns the number of cells in the table. */
    public long cells(long matrices) {
        return triangle == 0 ? matrices * matrices : matrices * (matrices + 1) / 2;
    }
}
