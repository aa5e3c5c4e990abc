package dev.bellman.job.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The distribution of some values.
 *
 * @param name the quantity
 * @param values the sorted values
 * @param nulls the number of rows that have no value
 */
public record Histogram(String name, List<Double> values, long nulls) {
    private static final int BINS = 40;

    /** Computes the distribution of the values that are not null; NaN counts as null. */
    public static Histogram of(String name, List<Double> values) {
        List<Double> sorted = values.stream()
                .filter(value -> value != null && !value.isNaN())
                .sorted()
                .toList();
        return new Histogram(name, sorted, values.size() - sorted.size());
    }

    /**
     * Counts the values in bins of equal width. If all values are integers in a small range, each integer has its own
     * bin.
     */
    public Map<String, Object> describe() {
        Map<String, Object> description = new LinkedHashMap<>();
        description.put("name", name);
        description.put("rows", values.size() + nulls);
        description.put("nulls", nulls);
        if (values.isEmpty()) {
            description.put("bins", List.of());
            return description;
        }
        double min = values.get(0);
        double max = values.get(values.size() - 1);
        description.put("min", min);
        description.put("median", values.get(values.size() / 2));
        description.put("max", max);
        boolean isInteger = values.stream().allMatch(value -> value == Math.rint(value));
        double width = (max - min) / BINS;
        if (isInteger) {
            width = Math.max(1, Math.ceil((max - min + 1) / BINS));
        } else if (width == 0 || Double.isInfinite(width)) {
            width = 1;
        }
        int count = (int) Math.min(BINS, Math.floor((max - min) / width) + 1);
        long[] counts = new long[count];
        for (double value : values) {
            counts[(int) Math.min(count - 1, (value - min) / width)]++;
        }
        description.put("from", min);
        description.put("width", width);
        description.put("isInteger", isInteger);
        description.put("bins", new ArrayList<>(Arrays.stream(counts).boxed().toList()));
        return description;
    }
}
