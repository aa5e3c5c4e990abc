package dev.bellman.job.cluster;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.least;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.sum;

import dev.bellman.join.components.TaskComponents;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Finds the connected components of a graph whose edges are rows. Nodes are numbers; a component is identified by its
 * smallest node.
 *
 * <p>Each task first reduces its edges to a forest ({@link TaskComponents}). If the remaining links fit in a single
 * task, this task finishes the work. Otherwise, rounds of <i>large-star</i> and <i>small-star</i> process the links
 * (Kiveris, Lattanzi, Mirrokni, Rastogi and Vassilvitskii, "Connected components in MapReduce and beyond", SoCC 2014).
 * Large-star links the larger neighbours of each node to the smallest node among the node and its neighbours;
 * small-star links the node itself and its smaller neighbours to this smallest node. Both operations leave the
 * components unchanged. The rounds end when every component is a star.
 *
 * <pre>
 * links 4-2, 4-3, 3-1
 * large-star  4: nothing is larger   3: 4 to 1   2: 4 to 2   1: 3 to 1    gives 4-1, 4-2, 3-1
 * small-star  4: 2 and 4 to 1        3: 3 to 1                            gives 2-1, 4-1, 3-1: a star
 * </pre>
 */
final class Components {
    private static final String NODE = "node";
    private static final String ROOT = "root";
    private static final String NEIGHBOURS = "neighbours";
    private static final StructType SCHEMA = new StructType()
            .add(NODE, DataTypes.LongType, false)
            .add(ROOT, DataTypes.LongType, false)
            .add(NEIGHBOURS, DataTypes.LongType, false);

    private final int maxNodes;

    /** @param maxNodes the maximum number of nodes that a single task may hold */
    Components(int maxNodes) {
        this.maxNodes = maxNodes;
    }

    /**
     * Finds the components of those nodes that have edges.
     *
     * @param edges two BIGINT columns, which contain the two nodes of each edge; these nodes differ, and each edge
     *     occurs once
     * @return the columns {@code node}, {@code root} (the smallest node of the node's component) and {@code neighbours}
     *     (the number of the node's edges)
     */
    Dataset<Row> of(Dataset<Row> edges) {
        Dataset<Row> partial = KeptData.checkpointed(reduced(edges));
        Dataset<Row> neighbours = partial.groupBy(NODE).agg(sum(NEIGHBOURS).as(NEIGHBOURS));
        Dataset<Row> links = partial.where(col(NODE).notEqual(col(ROOT))).select(NODE, ROOT);
        Dataset<Row> roots = links.count() < maxNodes / 2
                ? reduced(links.repartition(1)).where(col(NODE).notEqual(col(ROOT)))
                : stars(links);
        return neighbours
                .join(roots.select(NODE, ROOT), new String[] {NODE}, "left")
                .select(col(NODE), least(col(NODE), col(ROOT)).as(ROOT), col(NEIGHBOURS));
    }

    private Dataset<Row> reduced(Dataset<Row> edges) {
        int most = maxNodes;
        return edges.sparkSession()
                .createDataFrame(
                        edges.queryExecution()
                                .toRdd()
                                .toJavaRDD()
                                .mapPartitions(rows -> new TaskComponents(rows, most)),
                        SCHEMA);
    }

    /** Returns the same components as stars: each node is linked to the smallest node of its component. */
    private static Dataset<Row> stars(Dataset<Row> links) {
        Dataset<Row> current = links.distinct();
        while (true) {
            Dataset<Row> both =
                    current.union(current.select(col(ROOT).as(NODE), col(NODE).as(ROOT)));
            Dataset<Row> smallest = KeptData.checkpointed(both.groupBy(col(NODE).as("of"))
                    .agg(min(ROOT).as("smallest"), max(ROOT).as("largest")));
            // in a star, the centre has only larger neighbours, and each leaf has only one neighbour, which is smaller
            boolean settled = smallest.where(
                            col("smallest").lt(col("of")).and(col("smallest").lt(col("largest"))))
                    .isEmpty();
            if (settled) {
                return current;
            }
            Dataset<Row> large = both.where(col(ROOT).gt(col(NODE)))
                    .join(smallest, col(NODE).equalTo(col("of")))
                    .select(
                            col(ROOT).as(NODE),
                            least(col("of"), col("smallest")).as(ROOT));
            Dataset<Row> lowest =
                    large.groupBy(col(NODE).as("of")).agg(min(ROOT).as("smallest"));
            Dataset<Row> small = large.join(lowest, col(NODE).equalTo(col("of")))
                    .where(col(ROOT).notEqual(col("smallest")))
                    .select(col(ROOT).as(NODE), col("smallest").as(ROOT));
            current = KeptData.checkpointed(small.union(
                            lowest.select(col("of").as(NODE), col("smallest").as(ROOT)))
                    .distinct());
        }
    }
}
