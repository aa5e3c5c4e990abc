package dev.bellman.align.linkage;

import dev.bellman.align.Text;
import dev.bellman.align.distance.EditDistance;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Clusters strings by edit distance. Each string starts as a separate cluster. Then the two clusters with the smallest
 * distance, as defined by {@link Linkage}, merge repeatedly, as long as this distance is at most a limit. Ties: the
 * clusters whose first strings come first merge first.
 */
public final class TextClusters {
    public static final String FUNCTION = "text_clusters";

    /** Both strategies return the same clusters. */
    public enum Strategy {
        /** Starts from the pairs of different strings whose distance is at most the limit. */
        AUTO,
        /**
         * Searches a table of all distances between clusters before each merge, as in Lance and Williams (1967).
         */
        SERIAL
    }

    /**
     * The cluster that a string belongs to.
     *
     * @param cluster the index of the cluster's first string, counted from 0
     * @param medoid the index of the string with the smallest sum of distances to the others; ties: the first such
     *     string
     * @param diameter the largest distance between two strings of the cluster, which may exceed the limit with single
     *     linkage
     * @param neighbours the number of other strings in the cluster whose distance to this string is at most the limit
     */
    public record Member(int cluster, int medoid, int diameter, int neighbours) {}

    private final List<Text> texts;
    private final int max;
    private final Strategy strategy;
    private final Cancellation cancellation = new Cancellation();

    private TextClusters(List<Text> texts, int max, Strategy strategy) {
        this.texts = texts;
        // no distance exceeds the length of the longest string
        this.max = Math.min(max, texts.stream().mapToInt(Text::length).max().orElse(0));
        this.strategy = strategy;
    }

    /**
     * Returns the clusters of the given strings, which may contain duplicates.
     *
     * @param max the limit, which must not be negative
     */
    public static List<Member> of(List<Text> texts, int max, Linkage linkage, Strategy strategy) {
        TextClusters clusters = new TextClusters(texts, max, strategy);
        return clusters.described(strategy == Strategy.SERIAL ? clusters.serial(linkage) : clusters.auto(linkage));
    }

    private int distance(int a, int b) {
        cancellation.count(texts.get(a).length());
        return EditDistance.distance(
                texts.get(a),
                texts.get(b),
                strategy == Strategy.SERIAL ? EditDistance.Strategy.SERIAL : EditDistance.Strategy.AUTO);
    }

    /** Returns, for each string, the index of the first string in its cluster. */
    private int[] auto(Linkage linkage) {
        // equal strings merge before all other strings, because their distance is 0
        Map<Text, Integer> places = new HashMap<>();
        int[] first = new int[texts.size()];
        for (int i = 0; i < first.length; i++) {
            Integer equal = places.putIfAbsent(texts.get(i), i);
            first[i] = equal == null ? i : equal;
        }
        Agglomeration agglomeration =
                new Agglomeration(FUNCTION, first, linkage == Linkage.AVERAGE, max, this::distance);
        Integer[] byLength = places.values().toArray(Integer[]::new);
        Arrays.sort(byLength, Comparator.comparing(i -> texts.get(i).length()));
        for (int i = 0; i < byLength.length; i++) {
            Text text = texts.get(byLength[i]);
            // the distance is at least the difference of the lengths
            for (int j = i - 1; j >= 0 && text.length() - texts.get(byLength[j]).length() <= max; j--) {
                int a = byLength[i];
                int b = byLength[j];
                cancellation.count(text.length());
                if (linkage == Linkage.SINGLE && root(first, a) == root(first, b)) {
                    continue;
                }
                int distance = EditDistance.distance(text, texts.get(b), max, EditDistance.Strategy.AUTO);
                if (distance >= 0 && linkage == Linkage.SINGLE) {
                    int one = root(first, a);
                    int other = root(first, b);
                    first[Math.max(one, other)] = Math.min(one, other);
                } else if (distance >= 0) {
                    agglomeration.add(a, b, distance);
                }
            }
        }
        return linkage == Linkage.SINGLE
                ? IntStream.range(0, first.length).map(i -> root(first, i)).toArray()
                : agglomeration.merged();
    }

    private static int root(int[] first, int i) {
        int root = i;
        while (first[root] != root) {
            // find the cluster's root, shortening the path on the way (path halving)
            first[root] = first[first[root]];
            root = first[root];
        }
        return root;
    }

    private int[] serial(Linkage linkage) {
        int n = texts.size();
        TaskMemory.take(FUNCTION, (long) Long.BYTES * n * n, "", () -> "the table for %,d strings".formatted(n));
        // for each pair of clusters: the sum of distances, or the smallest or largest distance
        long[][] table = new long[n][n];
        for (int a = 0; a < n; a++) {
            for (int b = 0; b < n; b++) {
                table[a][b] = distance(a, b);
            }
        }
        int[] first = IntStream.range(0, n).toArray();
        int[] sizes = new int[n];
        Arrays.fill(sizes, 1);
        while (true) {
            int[] closest = closest(table, first, sizes, linkage);
            if (closest.length == 0) {
                return first;
            }
            int into = closest[0];
            int from = closest[1];
            for (int c = 0; c < n; c++) {
                table[into][c] = switch (linkage) {
                    case SINGLE -> Math.min(table[into][c], table[from][c]);
                    case COMPLETE -> Math.max(table[into][c], table[from][c]);
                    case AVERAGE -> table[into][c] + table[from][c];
                };
                table[c][into] = table[into][c];
                first[c] = first[c] == from ? into : first[c];
            }
            sizes[into] += sizes[from];
        }
    }

    /** Returns the two clusters to merge, or an empty array if there are none. */
    private int[] closest(long[][] table, int[] first, int[] sizes, Linkage linkage) {
        int[] closest = {};
        long least = 0;
        long leastCount = 0;
        for (int a = 0; a < first.length; a++) {
            for (int b = a + 1; b < first.length && first[a] == a; b++) {
                cancellation.count(1);
                long count = linkage == Linkage.AVERAGE ? (long) sizes[a] * sizes[b] : 1;
                if (first[b] == b
                        && table[a][b] <= max * count
                        && (closest.length == 0
                                || Agglomeration.compareProducts(table[a][b], leastCount, least, count) < 0)) {
                    closest = new int[] {a, b};
                    least = table[a][b];
                    leastCount = count;
                }
            }
        }
        return closest;
    }

    private List<Member> described(int[] first) {
        Map<Integer, List<Integer>> clusters = new TreeMap<>();
        for (int i = 0; i < first.length; i++) {
            clusters.computeIfAbsent(first[i], none -> new ArrayList<>()).add(i);
        }
        Member[] members = new Member[first.length];
        clusters.forEach((cluster, places) -> {
            long[] sums = new long[places.size()];
            int[] neighbours = new int[places.size()];
            int diameter = 0;
            for (int i = 0; i < sums.length; i++) {
                for (int j = 0; j < i; j++) {
                    int distance = distance(places.get(i), places.get(j));
                    sums[i] += distance;
                    sums[j] += distance;
                    neighbours[i] += distance <= max ? 1 : 0;
                    neighbours[j] += distance <= max ? 1 : 0;
                    diameter = Math.max(diameter, distance);
                }
            }
            int medoid = 0;
            for (int i = 1; i < sums.length; i++) {
                medoid = sums[i] < sums[medoid] ? i : medoid;
            }
            for (int i = 0; i < sums.length; i++) {
                members[places.get(i)] = new Member(cluster, places.get(medoid), diameter, neighbours[i]);
            }
        });
        return List.of(members);
    }
}
