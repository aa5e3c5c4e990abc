package dev.bellman.align.linkage;

import dev.bellman.align.distance.DistanceTextbook;
import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntBinaryOperator;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** Defines the clusters by comparing all pairs of clusters before each merge. */
final class LinkageTextbook {
    private static final int REJECTED = 60;

    private LinkageTextbook() {}

    static Object clusters(InternalRow row) {
        ArrayData array = row.getArray(0);
        int max = row.getInt(1);
        String linkage = row.getString(2);
        if (Values.hasNull(array)
                || max < 0
                || !List.of("single", "complete", "average").contains(linkage)) {
            throw Values.invalid();
        }
        int[][] texts = IntStream.range(0, array.numElements())
                .mapToObj(i -> array.getUTF8String(i).toString().codePoints().toArray())
                .toArray(int[][]::new);
        int[][] distances = new int[texts.length][texts.length];
        for (int i = 0; i < texts.length; i++) {
            for (int j = 0; j < texts.length; j++) {
                distances[i][j] = DistanceTextbook.editDistance(texts[i], texts[j]);
            }
        }
        List<List<Integer>> clusters = new ArrayList<>();
        IntStream.range(0, texts.length).forEach(i -> clusters.add(new ArrayList<>(List.of(i))));
        boolean merged = true;
        while (merged) {
            merged = merge(clusters, (a, b) -> linkage(linkage, a, b, distances), max);
        }
        InternalRow[] members = new InternalRow[texts.length];
        for (List<Integer> cluster : clusters) {
            IntBinaryOperator distance = (a, b) -> distances[a][b];
            int medoid = cluster.stream()
                    .min(Comparator.comparing(a -> cluster.stream()
                            .mapToInt(b -> distance.applyAsInt(a, b))
                            .sum()))
                    .orElseThrow();
            int diameter = cluster.stream()
                    .flatMap(a -> cluster.stream().map(b -> distance.applyAsInt(a, b)))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            for (int a : cluster) {
                long neighbours = cluster.stream()
                        .filter(b -> b != a && distance.applyAsInt(a, b) <= max)
                        .count();
                members[a] = Values.row(cluster.get(0), medoid, diameter, (int) neighbours);
            }
        }
        return Values.arrayOf((Object[]) members);
    }

    /** Merges the two closest clusters if they are close enough. */
    private static boolean merge(
            List<List<Integer>> clusters, ToDoubleBiFunction<List<Integer>, List<Integer>> linkage, int max) {
        double least = max;
        int[] closest = null;
        for (int a = 0; a < clusters.size(); a++) {
            for (int b = a + 1; b < clusters.size(); b++) {
                double value = linkage.applyAsDouble(clusters.get(a), clusters.get(b));
                if (value < least || closest == null && value == least) {
                    least = value;
                    closest = new int[] {a, b};
                }
            }
        }
        if (closest != null) {
            clusters.get(closest[0]).addAll(clusters.remove(closest[1]));
            clusters.get(closest[0]).sort(Comparator.naturalOrder());
        }
        return closest != null;
    }

    /**
     * Returns the distance between two clusters. An average is a quotient of small integers, so equal averages are
     * equal doubles.
     */
    private static double linkage(String linkage, List<Integer> a, List<Integer> b, int[][] distances) {
        IntStream across = a.stream().flatMapToInt(i -> b.stream().mapToInt(j -> distances[i][j]));
        return switch (linkage) {
            case "single" -> across.min().orElseThrow();
            case "complete" -> across.max().orElseThrow();
            default -> across.average().orElseThrow();
        };
    }

    /**
     * Draws the arguments of a call. The strings use a small alphabet, so many distances are equal; some strings are
     * edited copies of the previous string.
     */
    static InternalRow instance(SplittableRandom random, int size) {
        String alphabet = Values.oneOf(random, "ab", "abcdef", "éß日😀");
        int[] letters = alphabet.codePoints().toArray();
        Object[] texts = new Object[Values.size(random, size)];
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < texts.length; i++) {
            if (random.nextInt(3) == 0) {
                text.setLength(0);
                random.ints(random.nextInt(9), 0, letters.length).forEach(at -> text.appendCodePoint(letters[at]));
            } else if (random.nextInt(4) > 0) {
                text.appendCodePoint(letters[random.nextInt(letters.length)]);
            } else if (text.length() > 0) {
                text.delete(0, text.offsetByCodePoints(0, 1));
            }
            texts[i] = UTF8String.fromString(text.toString());
        }
        String linkage = random.nextInt(REJECTED) == 0 ? "ward" : Values.oneOf(random, "single", "complete", "average");
        return Values.row(
                Values.sometimesNull(random, Values.arrayOf(texts), DataTypes.StringType),
                Values.sometimesNull(random, random.nextInt(REJECTED) == 0 ? -1 : random.nextInt(6)),
                Values.sometimesNull(random, UTF8String.fromString(linkage)));
    }
}
