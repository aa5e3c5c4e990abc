package dev.bellman.chain.tree;

import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import java.util.List;

/**
 * Provides the textbook implementations and the test instances for the functions in {@link TreeFunctions}, for BIGINT
 * and DOUBLE.
 */
public final class TreeProofs implements Proofs {
    /** A size for which the whole GPU solves each tree: more than 2,048 gaps. */
    private static final int LARGE_TREE = 2_200;

    private static final InstanceGenerator LONG_TREES =
            new InstanceGenerator(CostInstances::longTree, 8, LARGE_TREE, 3);
    private static final InstanceGenerator DOUBLE_TREES =
            new InstanceGenerator(CostInstances::doubleTree, 8, LARGE_TREE, 3);
    private static final InstanceGenerator LONG_RANGES = new InstanceGenerator(CostInstances::longRanges, 10, 400, 3);
    private static final InstanceGenerator DOUBLE_RANGES =
            new InstanceGenerator(CostInstances::doubleRanges, 10, 400, 3);

    @Override
    public List<Proof> list() {
        return List.of(
                new Proof("optimal_bst_cost", 0, LONG_TREES, SearchTreeTextbook::costOfLongs),
                new Proof("optimal_bst_cost", 1, DOUBLE_TREES, SearchTreeTextbook::costOfDoubles),
                new Proof("optimal_bst", 0, LONG_TREES, SearchTreeTextbook::treeOfLongs),
                new Proof("optimal_bst", 1, DOUBLE_TREES, SearchTreeTextbook::treeOfDoubles),
                new Proof("parenthesization", 0, LONG_RANGES, RangeCostTextbook::ofLongs),
                new Proof("parenthesization", 1, DOUBLE_RANGES, RangeCostTextbook::ofDoubles));
    }
}
