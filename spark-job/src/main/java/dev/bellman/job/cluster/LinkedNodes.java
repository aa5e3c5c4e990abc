package dev.bellman.job.cluster;

import static org.apache.spark.sql.functions.array_sort;
import static org.apache.spark.sql.functions.call_function;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.collect_list;
import static org.apache.spark.sql.functions.get;
import static org.apache.spark.sql.functions.inline;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.transform;

import dev.bellman.align.linkage.Linkage;
import dev.bellman.align.linkage.TextClusters;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Divides connected components into clusters by a linkage.
 *
 * @param max the maximum number of edits between close strings
 */
public record LinkedNodes(Linkage linkage, int max) {
    private static final String MEMBERS = "members";

    /**
     * Returns the same nodes with new roots and new numbers of neighbours, and also with the medoid and diameter of
     * each cluster.
     */
    Dataset<Row> of(Dataset<Row> components) {
        Column member = struct(col(Clusters.SMALLEST), col(Clusters.NODE), col(Clusters.STRING), col(Clusters.ROWS));
        Column members = col(MEMBERS);
        Column clusters = call_function(
                TextClusters.FUNCTION, members.getField(Clusters.STRING), lit(max), lit(linkage.sqlName()));
        Column nodes = transform(
                clusters,
                (cluster, i) -> struct(
                        field(get(members, i), Clusters.SMALLEST),
                        field(get(members, i), Clusters.NODE),
                        field(get(members, i), Clusters.STRING),
                        field(get(members, i), Clusters.ROWS),
                        get(members, cluster.getField("cluster"))
                                .getField(Clusters.NODE)
                                .as(Clusters.ROOT),
                        cluster.getField("neighbours").cast("bigint").as(Clusters.NEIGHBOURS),
                        get(members, cluster.getField("medoid"))
                                .getField(Clusters.STRING)
                                .as(Clusters.REPRESENTATIVE),
                        field(cluster, Clusters.DIAMETER)));
        return components
                .groupBy(Clusters.ROOT)
                .agg(array_sort(collect_list(member)).as(MEMBERS))
                .select(inline(nodes));
    }

    private static Column field(Column struct, String name) {
        return struct.getField(name).as(name);
    }
}
