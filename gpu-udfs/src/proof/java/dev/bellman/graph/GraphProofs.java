package dev.bellman.graph;

import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import java.util.List;

/**
 * Provides the textbook implementations and the test instances for the functions in {@link GraphFunctions}, for BIGINT
 * and DOUBLE weights.
 */
public final class GraphProofs implements Proofs {
    private static final int SMALL = 9;
    /** A size that is large enough for tiles, and for which the whole GPU solves one graph. */
    private static final int LARGE = 300;

    private static final InstanceGenerator LONGS = new InstanceGenerator(GraphInstances::longs, SMALL, LARGE, 3);
    private static final InstanceGenerator DOUBLES = new InstanceGenerator(GraphInstances::doubles, SMALL, LARGE, 3);

    @Override
    public List<Proof> list() {
        return List.of(
                new Proof("shortest_paths", 0, LONGS, GraphTextbook::lengthsOfLongs).with(GraphTextbook.LEEWAY),
                new Proof("shortest_paths", 1, DOUBLES, GraphTextbook::lengthsOfDoubles).with(GraphTextbook.LEEWAY),
                new Proof("shortest_path_next", 0, LONGS, GraphTextbook::nextOfLongs).with(GraphTextbook.LEEWAY),
                new Proof("shortest_path_next", 1, DOUBLES, GraphTextbook::nextOfDoubles).with(GraphTextbook.LEEWAY));
    }
}
