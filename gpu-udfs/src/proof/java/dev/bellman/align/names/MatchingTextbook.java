package dev.bellman.align.names;

import dev.bellman.align.Characters;
import dev.bellman.align.PairInstances;
import dev.bellman.align.distance.DistanceTextbook;
import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** Defines the functions that compare strings by their parts, and generates instances for them. */
final class MatchingTextbook {
    private static final int REJECTED = 200;

    private MatchingTextbook() {}

    static Object qgramSimilarity(InternalRow row) {
        int q = row.getInt(2);
        if (q < 1 || !List.of("jaccard", "dice", "cosine").contains(row.getString(3))) {
            throw Values.invalid();
        }
        Set<List<Integer>> a = grams(row.getUTF8String(0), q);
        Set<List<Integer>> b = grams(row.getUTF8String(1), q);
        if (a.isEmpty() && b.isEmpty()) {
            return 1.0;
        }
        Set<List<Integer>> both = new HashSet<>(a);
        both.retainAll(b);
        double common = both.size();
        double count = (double) a.size() * b.size();
        return switch (row.getString(3)) {
            case "jaccard" -> common / (a.size() + b.size() - common);
            case "dice" -> 2 * common / (a.size() + b.size());
            default -> count == 0 ? 0.0 : common / Math.sqrt(count);
        };
    }

    private static Set<List<Integer>> grams(UTF8String text, int q) {
        List<Integer> characters = Arrays.stream(Characters.of(text)).boxed().toList();
        Set<List<Integer>> grams = new HashSet<>();
        for (int i = 0; i <= characters.size() - q; i++) {
            grams.add(characters.subList(i, i + q));
        }
        if (grams.isEmpty() && !characters.isEmpty()) {
            grams.add(characters);
        }
        return grams;
    }

    static Object mongeElkan(InternalRow row) {
        String metric = row.getString(2);
        if (metric.contains("distance") || metric.contains("levenshtein")) {
            throw Values.invalid();
        }
        List<List<Integer>> a = RatioTextbook.words(RatioTextbook.text(row.getUTF8String(0), false));
        List<List<Integer>> b = RatioTextbook.words(RatioTextbook.text(row.getUTF8String(1), false));
        if (a.isEmpty() || b.isEmpty()) {
            return 0.0;
        }
        double sum = 0;
        for (List<Integer> word : a) {
            double most = 0;
            for (List<Integer> other : b) {
                most = Math.max(most, value(metric, word, other));
            }
            sum += most;
        }
        return sum / a.size();
    }

    /**
     * Fills three tables with the best scores of alignments: those that end with a pair of characters, those that end
     * with a character of only a, and those that end with a character of only b.
     */
    static Object affineGap(InternalRow row) {
        int[] a = Characters.of(row.getUTF8String(0));
        int[] b = Characters.of(row.getUTF8String(1));
        if (a.length == 0 || b.length == 0) {
            return 0.0;
        }
        double[][] pair = new double[a.length + 1][b.length + 1];
        double[][] ofA = new double[a.length + 1][b.length + 1];
        double[][] ofB = new double[a.length + 1][b.length + 1];
        for (int i = 0; i <= a.length; i++) {
            for (int j = 0; j <= b.length; j++) {
                double none = Double.NEGATIVE_INFINITY;
                pair[i][j] = i == 0 && j == 0 ? 0 : none;
                if (i > 0 && j > 0) {
                    double before = Math.max(pair[i - 1][j - 1], Math.max(ofA[i - 1][j - 1], ofB[i - 1][j - 1]));
                    pair[i][j] = before + (a[i - 1] == b[j - 1] ? 1 : 0);
                }
                ofA[i][j] = i == 0 ? none : Math.max(pair[i - 1][j] - 1, ofA[i - 1][j] - 0.5);
                ofB[i][j] = j == 0 ? none : Math.max(pair[i][j - 1] - 1, ofB[i][j - 1] - 0.5);
            }
        }
        return Math.max(pair[a.length][b.length], Math.max(ofA[a.length][b.length], ofB[a.length][b.length]));
    }

    static Object pairwise(InternalRow row, boolean least) {
        List<List<Integer>> a = texts(row.getArray(0));
        List<List<Integer>> b = texts(row.getArray(1));
        List<Double> values = new ArrayList<>();
        for (List<Integer> left : a) {
            for (List<Integer> right : b) {
                values.add(value(row.getString(2), left, right));
            }
        }
        return values.stream().reduce(least ? Math::min : Math::max).orElseThrow(Values::invalid);
    }

    private static List<List<Integer>> texts(ArrayData array) {
        if (array.numElements() == 0 || Values.hasNull(array)) {
            throw Values.invalid();
        }
        List<List<Integer>> texts = new ArrayList<>();
        for (int i = 0; i < array.numElements(); i++) {
            texts.add(RatioTextbook.text(array.getUTF8String(i), false));
        }
        return texts;
    }

    private static double value(String metric, List<Integer> a, List<Integer> b) {
        int[] left = a.stream().mapToInt(each -> each).toArray();
        int[] right = b.stream().mapToInt(each -> each).toArray();
        return switch (metric) {
            case "edit_distance" -> DistanceTextbook.editDistance(left, right);
            case "osa_distance" -> DistanceTextbook.osaDistance(left, right);
            case "damerau_levenshtein" -> DistanceTextbook.damerauLevenshtein(left, right);
            case "jaro_similarity" -> DistanceTextbook.jaro(left, right);
            case "jaro_winkler_similarity" -> DistanceTextbook.jaroWinkler(left, right);
            case "ratio" -> RatioTextbook.ratio(a, b);
            case "partial_ratio" -> RatioTextbook.partialRatio(a, b);
            case "token_sort_ratio" -> RatioTextbook.tokenSortRatio(a, b);
            case "token_set_ratio" -> RatioTextbook.tokenSetRatio(a, b);
            case "weighted_ratio" -> RatioTextbook.weightedRatio(a, b);
            default -> throw Values.invalid();
        };
    }

    static InternalRow qgramInstance(SplittableRandom random, int size) {
        InternalRow pair = PairInstances.pair(random, size);
        int q = random.nextInt(REJECTED) == 0 ? 0 : 1 + random.nextInt(random.nextInt(4) == 0 ? 20 : 4);
        String coefficient =
                random.nextInt(REJECTED) == 0 ? "tanimoto" : Values.oneOf(random, "jaccard", "dice", "cosine");
        return Values.row(
                pair.get(0, DataTypes.StringType),
                pair.get(1, DataTypes.StringType),
                Values.sometimesNull(random, q),
                Values.sometimesNull(random, UTF8String.fromString(coefficient)));
    }

    static InternalRow mongeElkanInstance(SplittableRandom random, int size) {
        InternalRow pair = RatioInstances.pair(random, size);
        return Values.row(
                pair.get(0, DataTypes.StringType), pair.get(1, DataTypes.StringType), metric(random, "edit_distance"));
    }

    private static Object metric(SplittableRandom random, String wrong) {
        String metric = random.nextInt(REJECTED) == 0
                ? wrong
                : Values.oneOf(
                        random,
                        "jaro_similarity",
                        "jaro_winkler_similarity",
                        "ratio",
                        "partial_ratio",
                        "token_sort_ratio",
                        "token_set_ratio",
                        "weighted_ratio");
        return Values.sometimesNull(random, UTF8String.fromString(metric));
    }

    static InternalRow pairwiseInstance(SplittableRandom random, int size) {
        boolean distance = random.nextInt(3) == 0;
        Object metric = distance
                ? UTF8String.fromString(Values.oneOf(random, "edit_distance", "osa_distance", "damerau_levenshtein"))
                : metric(random, "soundex");
        int count = 1 + random.nextInt(3);
        return Values.row(texts(random, size / count, count), texts(random, size / count, count), metric);
    }

    private static ArrayData texts(SplittableRandom random, int size, int most) {
        Object[] texts = new Object[random.nextInt(REJECTED) == 0 ? 0 : 1 + random.nextInt(most)];
        for (int i = 0; i < texts.length; i++) {
            Object text = null;
            while (text == null) {
                text = RatioInstances.pair(random, size).get(random.nextInt(2), DataTypes.StringType);
            }
            texts[i] = text;
        }
        return Values.sometimesNull(random, Values.arrayOf(texts), DataTypes.StringType);
    }

    /**
     * Follows Jaro's definition on UTF-16 code units, but does not round the number of transpositions to an integer.
     */
    static double jaroWithHalves(String a, String b) {
        if (a.isEmpty() || b.isEmpty()) {
            return a.equals(b) ? 1 : 0;
        }
        int window = Math.max(0, Math.max(a.length(), b.length()) / 2 - 1);
        boolean[] taken = new boolean[b.length()];
        StringBuilder ofA = new StringBuilder();
        for (int i = 0; i < a.length(); i++) {
            for (int j = Math.max(0, i - window); j < Math.min(b.length(), i + window + 1); j++) {
                if (!taken[j] && a.charAt(i) == b.charAt(j)) {
                    taken[j] = true;
                    ofA.append(a.charAt(i));
                    break;
                }
            }
        }
        double transpositions = 0;
        int k = 0;
        for (int j = 0; j < b.length(); j++) {
            if (taken[j]) {
                transpositions += ofA.charAt(k++) == b.charAt(j) ? 0 : 0.5;
            }
        }
        double m = ofA.length();
        return m == 0 ? 0 : (m / a.length() + m / b.length() + (m - transpositions) / m) / 3;
    }
}
