package dev.bellman.check;

import dev.bellman.check.Comparison.Instances;
import dev.bellman.check.Comparison.Judge;
import dev.bellman.proof.Proofs;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;

/**
 * The instances of a query's current batch. While a task generates them, it also solves them by the references, so that
 * no core waits for another. It keeps only these answers, because a query returns its rows in order. Each task has a
 * copy of the batch, in which {@link #rows} is at one end of the query and {@link #compared} at the other.
 */
final class QueryBatch<S extends Enum<S>> implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The maximum time of the measurement before the first batch, and half of its maximum number of instances. */
    private static final long MEASURED_NANOS = 20_000_000;

    private static final int MEASURED = 128;

    /** The result of a task. A class with plain fields, because Kryo cannot serialize records. */
    static final class Compared implements Serializable {
        private static final long serialVersionUID = 1L;

        private ArrayList<Tally> tallies;
        private Costs costs;

        Compared(int lanes) {
            tallies = new ArrayList<>(Tally.some(lanes));
        }
    }

    /** The time that tasks have taken to generate and solve instances. */
    static final class Costs implements Serializable {
        private static final long serialVersionUID = 1L;

        private long generated;
        private long generating;
        private long referred;
        private long referring;
        private long lookedUp;
        private long lookingUp;

        /** Adds an instance that took this many nanoseconds to generate. */
        void generate(long nanos) {
            generated++;
            generating += nanos;
        }

        /** Adds an instance that the references solved. */
        void refer(long nanos) {
            referred++;
            referring += nanos;
        }

        /** Adds an instance that the oracle solved. */
        void lookUp(long nanos) {
            lookedUp++;
            lookingUp += nanos;
        }

        void add(Costs other) {
            generated += other.generated;
            generating += other.generating;
            referred += other.referred;
            referring += other.referring;
            lookedUp += other.lookedUp;
            lookingUp += other.lookingUp;
        }
    }

    /**
     * Which instances the references and the oracle solve: all are solved by whichever is faster, and so many by the
     * other that it takes at most a third of the time.
     */
    static final class Sampling implements Serializable {
        private static final long serialVersionUID = 1L;

        private final boolean textbook;
        private long everyReference = 1;
        private long everyTextbook = 8;
        private double secondsOfOne;

        /** @param textbook whether the oracle solves any instances */
        Sampling(boolean textbook) {
            this.textbook = textbook;
        }

        boolean takesReferences(long number) {
            return number % everyReference == 0;
        }

        boolean takesTextbook(long number) {
            return textbook && number % everyTextbook == 0;
        }

        void adapt(Costs found) {
            if (found.generated == 0) {
                return;
            }
            double all = found.generating + found.referring + found.lookingUp;
            secondsOfOne = all / found.generated / 1e9;
            if (found.referred > 0 && found.lookedUp > 0) {
                double generating = found.generating / (double) found.generated;
                double referring = found.referring / (double) found.referred;
                double lookingUp = found.lookingUp / (double) found.lookedUp;
                double others = Math.max(1, generating + Math.min(referring, lookingUp));
                long every = Math.max(1, (long) Math.ceil(2 * Math.max(referring, lookingUp) / others));
                everyReference = referring > lookingUp ? every : 1;
                everyTextbook = referring > lookingUp ? 1 : every;
            }
        }
    }

    /**
     * The expected answers for an instance.
     *
     * @param lanes the lanes that solve it, as bits
     * @param answers one for each necessary reference; null if only the oracle has solved it
     * @param byTextbook whether the oracle has solved the instance
     */
    private record Expected(long number, long lanes, Object[] answers, boolean byTextbook, Object textbook) {}

    private final ArrayList<Judge<S>> judges = new ArrayList<>();
    private final ArrayList<Judge<S>> judgesByTextbook = new ArrayList<>();
    private final ArrayList<Solver> references = new ArrayList<>();
    /** The index of each lane's reference. */
    private final int[] reference;

    private final boolean[] limited;
    private final int arguments;
    /** The number of columns: the number, the arguments, and the first argument of each limited strategy. */
    private final int columns;

    private final Solver textbook;
    private final Sampling sampling;

    private Instances instances;
    private long from;
    private long to;
    private int tasks;

    private transient Queue<Expected> expected;
    private transient Costs costs;

    /** @param textbook whether the oracle also solves some of the instances */
    QueryBatch(List<Lane<S>> lanes, boolean textbook, Sessions sessions) {
        reference = new int[lanes.size()];
        limited = new boolean[lanes.size()];
        arguments = lanes.get(0).types().size();
        this.textbook = textbook ? Solver.of(Proofs.of(lanes.get(0).signature()).oracle()) : null;
        Map<S, Integer> known = new LinkedHashMap<>();
        for (int k = 0; k < lanes.size(); k++) {
            Lane<S> lane = lanes.get(k);
            judges.add(Judge.of(lane));
            judgesByTextbook.add(Judge.of(lane.withOracle()));
            limited[k] = lanes.size() > 1 && judges.get(k).leeway().isLimited(lane.strategy());
            Integer index = known.get(lane.reference().strategy());
            if (index == null) {
                index = references.size();
                known.put(lane.reference().strategy(), index);
                references.add(Comparison.reference(lane, sessions));
            }
            reference[k] = index;
        }
        columns = 1
                + arguments
                + (int) IntStream.range(0, limited.length)
                        .filter(k -> limited[k])
                        .count();
        sampling = new Sampling(textbook);
        measure(lanes.get(0).stream());
    }

    /** Measures how long a core takes for some instances, of which only the later ones count. */
    private void measure(Lane.Stream stream) {
        instances = stream::instance;
        long begin = System.nanoTime();
        for (int round = 0; round < 2; round++) {
            long end = begin + (round + 1) * MEASURED_NANOS / 2;
            expected = new ConcurrentLinkedQueue<>();
            costs = new Costs();
            try {
                for (int i = 0; i < MEASURED && System.nanoTime() < end; i++) {
                    row(round * MEASURED + i);
                }
            } catch (RuntimeException e) {
                // the first batch fails likewise, and is reported
                break;
            }
            sampling.adapt(costs);
        }
    }

    /** Whether there are instances that the strategy of a lane does not solve. */
    boolean isLimited(int lane) {
        return limited[lane];
    }

    double secondsOfOne() {
        return sampling.secondsOfOne;
    }

    void begin(Instances chosen, long first, long end, int parts) {
        instances = chosen;
        from = first;
        to = end;
        tasks = parts;
    }

    /** Ends a batch with the results of its tasks; returns one tally per lane. */
    List<Tally> end(List<Compared> found) {
        List<Tally> tallies = Tally.some(reference.length);
        Costs all = new Costs();
        for (Compared each : found) {
            Tally.add(tallies, each.tallies);
            all.add(each.costs);
        }
        sampling.adapt(all);
        return tallies;
    }

    /** Returns rows with an instance's number, its arguments, and the first argument of each limited strategy. */
    Iterator<InternalRow> rows(Iterator<Integer> task) {
        int index = task.next();
        expected = new ConcurrentLinkedQueue<>();
        costs = new Costs();
        long end = from + (to - from) * (index + 1) / tasks;
        return new Iterator<>() {
            private long number = from + (to - from) * index / tasks;
            private InternalRow next = solvable();

            private InternalRow solvable() {
                InternalRow row = null;
                while (row == null && number < end) {
                    row = row(number++);
                }
                return row;
            }

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            public InternalRow next() {
                if (next == null) {
                    throw new NoSuchElementException();
                }
                InternalRow row = next;
                next = solvable();
                return row;
            }
        };
    }

    /** Returns the row of an instance; null if no strategy solves it. */
    private InternalRow row(long number) {
        long start = System.nanoTime();
        InternalRow instance = instances.instance(number);
        long lanes = 0;
        for (int k = 0; k < reference.length; k++) {
            lanes |= judges.get(k).serves(instance) ? 1L << k : 0;
        }
        long generated = System.nanoTime();
        costs.generate(generated - start);
        if (lanes == 0) {
            return null;
        }
        Object[] answers = sampling.takesReferences(number) ? answers(instance, lanes) : null;
        long referred = answers == null ? generated : System.nanoTime();
        if (answers != null) {
            costs.refer(referred - generated);
        }
        boolean byTextbook = sampling.takesTextbook(number);
        Object answer = byTextbook ? textbook.solve(instance) : null;
        if (byTextbook) {
            costs.lookUp(System.nanoTime() - referred);
        }
        expected.add(new Expected(number, lanes, answers, byTextbook, answer));
        return row(number, instance, lanes);
    }

    private InternalRow row(long number, InternalRow instance, long lanes) {
        Object[] values = new Object[columns];
        int column = 0;
        values[column++] = number;
        for (int i = 0; i < arguments; i++) {
            values[column++] = ((GenericInternalRow) instance).genericGet(i);
        }
        for (int k = 0; k < limited.length; k++) {
            if (limited[k]) {
                values[column++] = (lanes >> k & 1) == 1 ? values[1] : null;
            }
        }
        return new GenericInternalRow(values);
    }

    /** Returns the answers of the references that these lanes need. */
    private Object[] answers(InternalRow instance, long lanes) {
        Object[] answers = new Object[references.size()];
        long known = 0;
        for (int k = 0; k < reference.length; k++) {
            int index = reference[k];
            if ((lanes >> k & 1) == 1 && (known >> index & 1) == 0) {
                answers[index] = references.get(index).solve(instance);
                known |= 1L << index;
            }
        }
        return answers;
    }

    /** Counts correct and wrong answers. */
    Iterator<Compared> compared(Iterator<InternalRow> rows) {
        Compared compared = new Compared(reference.length);
        while (rows.hasNext()) {
            InternalRow row = rows.next();
            Expected next = next(row);
            for (int k = 0; k < reference.length; k++) {
                if ((next.lanes() >> k & 1) == 1) {
                    Object answer = answer(row, k);
                    compared.tallies
                            .get(k)
                            .add(next.number(), answer == null, !isRight(k, next, answer), next.byTextbook());
                }
            }
        }
        if (!expected.isEmpty()) {
            throw new IllegalStateException(
                    "the query has lost row " + expected.peek().number());
        }
        compared.costs = costs;
        return List.of(compared).iterator();
    }

    private Expected next(InternalRow row) {
        Expected next = expected.poll();
        if (next == null || next.number() != row.getLong(0)) {
            throw new IllegalStateException(
                    "the query has returned row %d instead of %s".formatted(row.getLong(0), next));
        }
        return next;
    }

    private Object answer(InternalRow row, int lane) {
        return row.isNullAt(1 + lane)
                ? null
                : row.get(1 + lane, judges.get(lane).type());
    }

    private boolean isRight(int lane, Expected next, Object answer) {
        Supplier<InternalRow> arguments = () -> instances.instance(next.number());
        return (next.answers() == null || judges.get(lane).isRight(arguments, next.answers()[reference[lane]], answer))
                && (!next.byTextbook() || judgesByTextbook.get(lane).isRight(arguments, next.textbook(), answer));
    }

    /** Returns the first lane's answer and the expected one, in a list that Kryo can serialize. */
    Iterator<String> texts(Iterator<InternalRow> rows) {
        List<String> texts = new ArrayList<>();
        while (rows.hasNext()) {
            InternalRow row = rows.next();
            DataType type = judges.get(0).type();
            texts.add(SqlText.answer(type, answer(row, 0)));
            Expected next = next(row);
            texts.add(SqlText.answer(type, next.answers() == null ? next.textbook() : next.answers()[0]));
        }
        return texts.iterator();
    }
}
