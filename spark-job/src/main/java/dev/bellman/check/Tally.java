package dev.bellman.check;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of comparing some instances of a batch. This class has plain fields, because Kryo cannot serialize
 * records.
 */
final class Tally implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The maximum number of entries in {@link #numbers} per task. */
    static final int MAX_NUMBERS = 20;

    private long instances;
    private long textbook;
    private long nulls;
    private long differences;
    /** The numbers of the first instances in which results differ. */
    private ArrayList<Long> numbers = new ArrayList<>();

    /** @param byTextbook whether the result was also compared with the textbook's */
    void add(long number, boolean isNull, boolean differs, boolean byTextbook) {
        instances++;
        textbook += byTextbook ? 1 : 0;
        nulls += isNull ? 1 : 0;
        if (differs) {
            differences++;
            if (numbers.size() < MAX_NUMBERS) {
                numbers.add(number);
            }
        }
    }

    void add(Tally other) {
        instances += other.instances;
        textbook += other.textbook;
        nulls += other.nulls;
        differences += other.differences;
        numbers.addAll(other.numbers);
    }

    /** Creates this many empty tallies. */
    static List<Tally> some(int count) {
        List<Tally> tallies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tallies.add(new Tally());
        }
        return tallies;
    }

    /** Adds each tally to the sum that has the same index. */
    static void add(List<Tally> sums, List<Tally> others) {
        for (int i = 0; i < sums.size(); i++) {
            sums.get(i).add(others.get(i));
        }
    }

    long instances() {
        return instances;
    }

    /** Returns the number of instances that were also compared with the textbook. */
    long textbook() {
        return textbook;
    }

    /** Returns the number of instances whose result is NULL. */
    long nulls() {
        return nulls;
    }

    long differences() {
        return differences;
    }

    List<Long> numbers() {
        return List.copyOf(numbers);
    }
}
