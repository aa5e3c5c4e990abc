package dev.bellman.align.names;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.Text;
import dev.bellman.columns.TaskMemory;
import java.lang.ref.SoftReference;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The costs of edits. Characters for which substitutions have individual costs are numbered from 1; all other
 * characters have the number 0.
 */
final class EditCosts {
    /** Stands for the cost of substitutions that have no individual cost; see {@link #listed}. */
    private static final double UNLISTED = -1;

    private static final double MIN_UNIT = 1.0 / (1 << 20);

    /** The maximum number of different characters in {@code costs}, so that the table fits in an array. */
    private static final int MAX_CHARACTERS = 46_339;

    /** The number of bytes that parsing needs per letter of {@code costs}. */
    private static final int BYTES_OF_A_LETTER = 80;

    /** The number of bytes per entry of the table: for a cost and its number of units. */
    private static final int BYTES_OF_A_CELL = Double.BYTES + Integer.BYTES;

    private static final ThreadLocal<SoftReference<EditCosts>> LAST = new ThreadLocal<>();

    private final double insert;
    private final double delete;
    private final double substitute;
    private final String own;
    private final Map<Integer, Integer> numbers = new HashMap<>();
    /**
     * The costs of substitutions, indexed by the first character's number times {@link #count} plus the second
     * character's number.
     */
    private final double[] substitutions;

    private final int[] inUnits;

    private final double unit;
    private final double largest;

    private EditCosts(String function, double insert, double delete, double substitute, String own) {
        this.insert = insert;
        this.delete = delete;
        this.substitute = substitute;
        this.own = own;
        long bytes = (long) BYTES_OF_A_LETTER * own.length();
        TaskMemory.take(function, bytes, "", () -> "costs with %,d letters".formatted(own.length()));
        double[][] entries = entries(function);
        take(function);
        substitutions = new double[count() * count()];
        Arrays.fill(substitutions, substitute);
        for (double[] entry : entries) {
            substitutions[(int) entry[0] * count() + (int) entry[1]] = entry[2];
            substitutions[(int) entry[1] * count() + (int) entry[0]] = entry[2];
        }
        largest = Math.max(
                Math.max(insert, delete), Arrays.stream(substitutions).max().orElseThrow());
        unit = unit(substitutions, unit(new double[] {insert, delete}, 1));
        inUnits = unit == 0 ? null : new int[substitutions.length];
        for (int at = 0; unit != 0 && at < inUnits.length; at++) {
            inUnits[at] = (int) (substitutions[at] / unit);
        }
        TaskMemory.release(bytes);
    }

    /** Reserves memory for the table with the costs of all pairs of characters. */
    private void take(String function) {
        long count = count();
        TaskMemory.take(
                function,
                BYTES_OF_A_CELL * count * count,
                "fewer characters in costs, ",
                () -> "the cost table for %,d characters".formatted(count - 1));
        if (count * count > Integer.MAX_VALUE - 8) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: costs has %,d different characters; the maximum is %,d"
                            .formatted(function, count - 1, MAX_CHARACTERS));
        }
    }

    /**
     * Returns the costs for a call. Reuses the object of this thread's previous call if that had equal costs and the
     * object is still in memory.
     *
     * @param own the substitutions with individual costs, each as two characters and a cost, all separated by white
     *     space; a cost applies in both directions
     * @throws BellmanException if {@code own} is malformed or a cost is invalid
     */
    static EditCosts of(String function, double insert, double delete, double substitute, String own) {
        return cached(
                function,
                check(function, "insert", insert),
                check(function, "delete", delete),
                check(function, "substitute", substitute),
                own);
    }

    /** Returns only the substitutions with individual costs; the costs of all other substitutions are negative. */
    static EditCosts listed(String function, String own) {
        return cached(function, 0, 0, UNLISTED, own);
    }

    private static EditCosts cached(String function, double insert, double delete, double substitute, String own) {
        SoftReference<EditCosts> reference = LAST.get();
        EditCosts last = reference == null ? null : reference.get();
        if (last == null
                || last.insert != insert
                || last.delete != delete
                || last.substitute != substitute
                || !last.own.equals(own)) {
            last = new EditCosts(function, insert, delete, substitute, own);
            LAST.set(new SoftReference<>(last));
        } else {
            last.take(function);
        }
        return last;
    }

    /** Returns the numbers of both characters and the cost for each entry of the string. */
    private double[][] entries(String function) {
        List<Text> words = Words.inOrder(Text.of(own).characters());
        double[][] entries = new double[(words.size() + 2) / 3][];
        for (int i = 0; i < words.size(); i += 3) {
            List<Text> entry = words.subList(i, Math.min(i + 3, words.size()));
            if (entry.size() < 3 || entry.get(0).length() != 1 || entry.get(1).length() != 1) {
                String found = entry.stream().map(Text::toString).collect(Collectors.joining(" "));
                throw wrong(function, "'%s' is not a substitution".formatted(found));
            }
            entries[i / 3] = new double[] {
                number(words.get(i)),
                number(words.get(i + 1)),
                cost(function, words.get(i + 2).toString())
            };
        }
        return entries;
    }

    private int number(Text character) {
        return numbers.computeIfAbsent(character.characters()[0], key -> numbers.size() + 1);
    }

    private static double cost(String function, String number) {
        try {
            return check(function, "a cost in costs", Double.parseDouble(number));
        } catch (NumberFormatException e) {
            throw wrong(function, "'%s' is not a number".formatted(number));
        }
    }

    private static BellmanException wrong(String function, String found) {
        return BellmanException.inSetting(
                function,
                "in costs, %s; write each substitution as two characters and a cost, such as o 0 0.2 l 1 0.3"
                        .formatted(found));
    }

    /** @throws BellmanException if the cost is negative, NaN or infinite */
    static double check(String function, String name, double cost) {
        if (!(cost >= 0 && cost <= Double.MAX_VALUE)) {
            throw BellmanException.inSetting(
                    function, "%s is %s; it must be a finite, nonnegative number".formatted(name, cost));
        }
        return cost;
    }

    /** Returns the largest power of two, up to {@code most}, that divides all costs; 0 if that power is too small. */
    private static double unit(double[] costs, double most) {
        double unit = most;
        for (double cost : costs) {
            while (unit >= MIN_UNIT && cost % unit != 0) {
                unit /= 2;
            }
        }
        return unit >= MIN_UNIT ? unit : 0;
    }

    double insert() {
        return insert;
    }

    double delete() {
        return delete;
    }

    double largest() {
        return largest;
    }

    /** Returns a power of two that divides all costs; 0 if that power would be too small. */
    double unit() {
        return unit;
    }

    /** Returns the number of different character numbers, including 0. */
    int count() {
        return numbers.size() + 1;
    }

    /** Returns the costs of substitutions, at the first character's number times {@link #count} plus the second's. */
    double[] substitutions() {
        return substitutions;
    }

    /** Returns {@link #substitutions} as multiples of {@link #unit}, or null if the unit is 0. */
    int[] inUnits() {
        return inUnits;
    }

    /** Returns the number of each character for which substitutions have individual costs. */
    Map<Integer, Integer> numbers() {
        return Collections.unmodifiableMap(numbers);
    }

    int[] numbers(int[] text) {
        int[] result = new int[text.length];
        if (count() > 1) {
            for (int i = 0; i < text.length; i++) {
                result[i] = numbers.getOrDefault(text[i], 0);
            }
        }
        return result;
    }
}
