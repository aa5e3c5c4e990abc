package dev.bellman.job.cluster;

import dev.bellman.job.progress.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Statistics about a run's clusters.
 *
 * @param rows the number of input rows
 * @param clusters the number of clusters, including those of a single row
 * @param single the number of clusters that have one row
 * @param sizes how many clusters have at most 1, 2, 4, 8, ... rows; each number excludes the clusters that a smaller
 *     size already counts
 * @param largest the largest clusters with several rows, in descending order of size
 * @param chaining the extent of chaining, if the diameters are known
 */
public record ClusterSummary(
        long rows,
        long clusters,
        long single,
        Map<Long, Long> sizes,
        List<Cluster> largest,
        Optional<Chaining> chaining) {
    /**
     * The extent of chaining: chains connect distant strings through close ones.
     *
     * @param clusters the number of clusters in which some strings are not close to each other
     * @param diameter the largest diameter of any cluster
     */
    public record Chaining(long clusters, int diameter) {}

    /**
     * One cluster.
     *
     * @param id its smallest id
     * @param strings the number of distinct strings
     * @param pairs the number of pairs of close strings among the distinct strings
     * @param hubs the strings that have the most neighbours, in descending order
     */
    public record Cluster(String id, long rows, long strings, long pairs, List<Hub> hubs) {}

    /**
     * One of the strings that have the most neighbours in a cluster.
     *
     * @param text the first characters of the string, for display
     * @param neighbours the number of distinct strings that are close to this string
     * @param rows the number of rows that contain this string
     */
    public record Hub(String text, long neighbours, long rows) {}

    /** Whether there are clusters in {@link #largest}, and all their ids are integers. */
    public boolean hasNumbers() {
        return !largest.isEmpty()
                && largest.stream().allMatch(cluster -> cluster.id().matches("-?\\d+"));
    }

    private static String text(Chaining chains) {
        return chains.clusters() == 0
                ? String.format(
                        Locale.ROOT, "; strings in the same cluster are at most %,d edits apart", chains.diameter())
                : String.format(
                        Locale.ROOT,
                        " and %,d with distant strings (up to %,d edits apart)",
                        chains.clusters(),
                        chains.diameter());
    }

    public Map<String, Object> describe() {
        Map<String, Object> description = new LinkedHashMap<>();
        description.put("rows", rows);
        description.put("clusters", clusters);
        description.put("single", single);
        List<Object> bySize = new ArrayList<>();
        sizes.forEach((upTo, count) -> bySize.add(Map.of("upTo", upTo, "clusters", count)));
        description.put("sizes", bySize);
        description.put(
                "largest", largest.stream().map(ClusterSummary::describe).toList());
        chaining.ifPresent(chains ->
                description.put("chaining", Map.of("clusters", chains.clusters(), "diameter", chains.diameter())));
        return description;
    }

    private static Map<String, Object> describe(Cluster cluster) {
        Map<String, Object> description = new LinkedHashMap<>();
        description.put("cluster", cluster.id());
        description.put("rows", cluster.rows());
        description.put("strings", cluster.strings());
        description.put("pairs", cluster.pairs());
        description.put(
                "hubs",
                cluster.hubs().stream()
                        .map(hub -> Map.of("text", hub.text(), "neighbours", hub.neighbours(), "rows", hub.rows()))
                        .toList());
        return description;
    }

    /**
     * Returns a one-line summary: the number of clusters, how many have a single row, the extent of chaining if known,
     * and the size and the main hub of the largest cluster.
     */
    @Override
    public String toString() {
        String counts = String.format(
                        Locale.ROOT, "%s, including %,d with a single row", Quantity.count(clusters, "cluster"), single)
                + chaining.map(ClusterSummary::text).orElse("");
        if (largest.isEmpty()) {
            return counts;
        }
        Cluster first = largest.get(0);
        Hub hub = first.hubs().get(0);
        return counts
                + String.format(Locale.ROOT, "; the largest has %,d rows", first.rows())
                + (first.strings() == 1
                        ? String.format(Locale.ROOT, " with the string '%s'", hub.text())
                        : String.format(
                                Locale.ROOT,
                                " with %,d strings; '%s' is close to %,d of them",
                                first.strings(),
                                hub.text(),
                                hub.neighbours()));
    }
}
