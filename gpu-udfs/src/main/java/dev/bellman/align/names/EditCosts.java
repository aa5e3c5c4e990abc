package dev.bellman.align.names;

import dev.bellman.BellmanException;
import dev.bellman.align.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * The costs of edits. A character that occurs in a substitution with a cost of its own has a number from 1; all others
 * are 0.
 */
final class EditCosts {
    private static final double MIN_UNIT = 1.0 / (1 << 20);

    private static final ThreadLocal<EditCosts> LAST = new ThreadLocal<>();

    private final double insert;
    private final double delete;
    private final double substitute;
    private final String own;
    private final Map<Integer, Integer> numbers = new HashMap<>();
    /** At the number of the first character times {@link #count} plus the number of the second. */
    private final double[] substitutions;

    private final int[] inUnits;

    private final double unit;
    private final double largest;

    private EditCosts(String function, double insert, double delete, double substitute, String own) {
        this.insert = check(function, "insert", insert);
        this.delete = check(function, "delete", delete);
        this.substitute = check(function, "substitute", substitute);
        this.own = own;
        List<double[]> entries = entries(function);
        substitutions = new double[count() * count()];
        Arrays.fill(substitutions, substitute);
        for (double[] entry : entries) {
            substitutions[(int) entry[0] * count() + (int) entry[1]] = entry[2];
            substitutions[(int) entry[1] * count() + (int) entry[0]] = entry[2];
        }
        double[] all = DoubleStream.concat(DoubleStream.of(insert, delete), Arrays.stream(substitutions))
                .toArray();
        largest = Arrays.stream(all).max().orElseThrow();
        unit = unit(all);
        inUnits = unit == 0
                ? null
                : Arrays.stream(substitutions)
                        .mapToInt(cost -> (int) (cost / unit))
                        .toArray();
    }

    /**
     * The costs of a call: the same object as for the call before if they are equal.
     *
     * @param own substitutions that have a cost of their own: two characters and the cost, and so on, with spaces
     *     between; the first costs as much for the second as the second for the first
     * @throws BellmanException if a cost is not allowed
     */
    static EditCosts of(String function, double insert, double delete, double substitute, String own) {
        EditCosts last = LAST.get();
        if (last == null
                || last.insert != insert
                || last.delete != delete
                || last.substitute != substitute
                || !last.own.equals(own)) {
            last = new EditCosts(function, insert, delete, substitute, own);
            LAST.set(last);
        }
        return last;
    }

    private List<double[]> entries(String function) {
        List<Text> words = Words.inOrder(Text.of(own).characters());
        List<double[]> entries = new ArrayList<>();
        for (int i = 0; i < words.size(); i += 3) {
            List<Text> entry = words.subList(i, Math.min(i + 3, words.size()));
            if (entry.size() < 3 || entry.get(0).length() != 1 || entry.get(1).length() != 1) {
                String found = entry.stream().map(Text::toString).collect(Collectors.joining(" "));
                throw wrong(function, "'%s' is not two characters and a cost".formatted(found));
            }
            entries.add(new double[] {
                number(words.get(i)),
                number(words.get(i + 1)),
                cost(function, words.get(i + 2).toString())
            });
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
        return Matching.wrong(
                function, "in costs, %s; write two characters and a cost, and so on: o 0 0.2 l 1 0.3".formatted(found));
    }

    /** @throws BellmanException if a cost is not allowed */
    static double check(String function, String name, double cost) {
        if (!(cost >= 0 && cost <= Double.MAX_VALUE)) {
            throw Matching.wrong(function, "%s is %s; it must be a number, at least 0".formatted(name, cost));
        }
        return cost;
    }

    private static double unit(double... costs) {
        double unit = 1;
        for (double cost : costs) {
            while (cost % unit != 0 && unit >= MIN_UNIT) {
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

    /** A power of two of which all costs are multiples; 0 if there is none that is not too small. */
    double unit() {
        return unit;
    }

    /** How many numbers of characters there are. */
    int count() {
        return numbers.size() + 1;
    }

    /** The costs of substitutions of two different characters. */
    double[] substitutions() {
        return substitutions;
    }

    /** The same in units, if there is one and they are small. */
    int[] inUnits() {
        return inUnits;
    }

    /** The numbers of the characters of a text. */
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
