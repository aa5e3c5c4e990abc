package dev.bellman.check;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** The result of comparing part of a batch. A class with plain fields, so that Kryo can serialize it. */
final class Tally implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int MAX_NAMED = 20;

    private long instances;
    private long nulls;
    private long differences;
    /** The numbers of the first instances that differ. */
    private ArrayList<Long> numbers = new ArrayList<>();

    void add(long number, boolean isNull, boolean differs) {
        instances++;
        nulls += isNull ? 1 : 0;
        if (differs) {
            differences++;
            if (numbers.size() < MAX_NAMED) {
                numbers.add(number);
            }
        }
    }

    void add(Tally other) {
        instances += other.instances;
        nulls += other.nulls;
        differences += other.differences;
        numbers.addAll(other.numbers);
    }

    long instances() {
        return instances;
    }

    /** Instances whose answer is NULL. */
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
