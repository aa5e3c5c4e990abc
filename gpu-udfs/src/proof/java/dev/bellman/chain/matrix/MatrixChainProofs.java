package dev.bellman.chain.matrix;

import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Oracle;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import java.util.List;

/** Provides the textbook implementations and the test instances for the functions in {@link MatrixChainFunctions}. */
public final class MatrixChainProofs implements Proofs {
    /** Generates chains whose lengths range over several tiles and several groups of lengths. */
    private static final InstanceGenerator CHAINS = new InstanceGenerator(ChainInstances::chain, 12, 1_500, 3);

    @Override
    public List<Proof> list() {
        return List.of(
                proof("matrix_chain_cost", ChainTextbook::cost),
                proof("matrix_chain_order", ChainTextbook::order).with(ChainOrderTextbook.ORDER),
                proof("matrix_chain", ChainTextbook::chain).with(ChainOrderTextbook.CHAIN),
                proof("triangulation_cost", PolygonTextbook::cost),
                proof("triangulation", PolygonTextbook::triangulation).with(ChainOrderTextbook.TRIANGULATION));
    }

    private static Proof proof(String function, Oracle textbook) {
        return new Proof(function, CHAINS, textbook);
    }
}
