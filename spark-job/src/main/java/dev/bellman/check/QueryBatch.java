package dev.bellman.check;

import dev.bellman.check.Comparison.Answers;
import dev.bellman.check.Comparison.Instances;
import dev.bellman.check.Comparison.Judge;
import dev.bellman.check.QueryComparison.Costs;
import dev.bellman.check.QueryComparison.Sampling;
import dev.bellman.proof.Proofs;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;

/**
 * The instances in the current batch of a query. While a task generates instances, it also solves them with the
 * references and oracles, so that no core waits for another core. The task stores only the expected results, because a
 * query returns its rows in the same order. Each task has a copy of the batch; the query begins with the task's call of
 * {@link #rows} and ends with its call of {@link #compared} or {@link #texts}.
 */
final class QueryBatch<S extends Enum<S>> implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The result of a task. This class has plain fields, because Kryo cannot serialize records. */
    static final class Compared implements Serializable {
        private static final long serialVersionUID = 1L;

        private ArrayList<Tally> tallies;
        private Costs costs;

        Compared(int lanes) {
            tallies = new ArrayList<>(Tally.some(lanes));
        }
    }

    private final ArrayList<Judge<S>> judges = new ArrayList<>();
    private final ArrayList<Judge<S>> judgesByTextbook = new ArrayList<>();
    private final ArrayList<Solver> references = new ArrayList<>();
    private final ArrayList<Solver> oracles = new ArrayList<>();
    /** For each oracle, the number of its arguments. */
    private final ArrayList<Integer> arities = new ArrayList<>();
    /** For each lane, the index of its reference. */
    private final int[] reference;

    /** For each lane, the index of its oracle. */
    private final int[] oracle;

    private final boolean[] limited;
    /** The lanes that solve every instance, as a bit set. */
    private final long unlimited;

    private final int arguments;
    /**
     * The number of columns: the instance's number, the arguments, and a copy of the first argument for each limited
     * strategy.
     */
    private final int columns;

    private Sampling sampling;
    private Instances instances;
    private long from;
    private long to;
    private int tasks;

    /** The results of the references, followed by the results of the oracles. */
    private transient Expectations expected;

    private transient Costs costs;

    /** @param lanes the lanes; the parameters of each are the first parameters of a row */
    QueryBatch(List<Lane<S>> lanes, Sessions sessions) {
        if (lanes.size() > Long.SIZE) {
            throw new IllegalStateException("more lanes than bits in a long: " + lanes.size());
        }
        reference = new int[lanes.size()];
        oracle = new int[lanes.size()];
        limited = new boolean[lanes.size()];
        long always = 0;
        List<List<Object>> known = new ArrayList<>();
        List<Integer> signatures = new ArrayList<>();
        for (int k = 0; k < lanes.size(); k++) {
            Lane<S> lane = lanes.get(k);
            Judge<S> judge = Judge.of(lane);
            judges.add(judge);
            judgesByTextbook.add(Judge.of(lane.withOracle()));
            limited[k] = lanes.size() > 1 && judge.leeway().isLimited(lane.strategy());
            always |= judge.isLimited() ? 0 : 1L << k;
            reference[k] = index(known, List.of(lane.signatureIndex(), lane.reference()));
            if (reference[k] == references.size()) {
                references.add(Comparison.reference(lane, sessions));
            }
            oracle[k] = index(signatures, lane.signatureIndex());
            if (oracle[k] == oracles.size()) {
                oracles.add(Solver.of(Proofs.of(lane.signature()).oracle()));
                arities.add(lane.types().size());
            }
        }
        unlimited = always;
        arguments = arities.stream().mapToInt(each -> each).max().orElseThrow();
        columns = 1
                + arguments
                + (int) IntStream.range(0, limited.length)
                        .filter(k -> limited[k])
                        .count();
    }

    /** Returns the index of a key in a list; a key that is not in the list is added to it. */
    private static <T> int index(List<T> known, T key) {
        int index = known.indexOf(key);
        if (index < 0) {
            known.add(key);
            return known.size() - 1;
        }
        return index;
    }

    /** Measures how long a core takes to generate and solve some of a stream's instances. */
    void measure(Lane.Stream stream, Sampling its) {
        sampling = its;
        instances = stream::instance;
        its.measure(
                number -> {
                    row(number);
                    return costs;
                },
                this::restart);
    }

    private void restart() {
        costs = new Costs();
        DataType[] types = new DataType[references.size() + oracles.size()];
        for (int k = 0; k < reference.length; k++) {
            types[reference[k]] = judges.get(k).type();
            types[references.size() + oracle[k]] = judges.get(k).type();
        }
        expected = new Expectations(types);
    }

    /** Whether the query has several lanes and this lane's strategy does not solve some instances. */
    boolean isLimited(int lane) {
        return limited[lane];
    }

    void begin(Instances chosen, Sampling its, long first, long end, int parts) {
        sampling = its;
        instances = chosen;
        from = first;
        to = end;
        tasks = parts;
    }

    /** Ends a batch, given the results of its tasks; returns one tally per lane. */
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

    /**
     * Returns rows that contain an instance's number, its arguments, and a copy of the first argument for each limited
     * strategy, which is NULL if the strategy does not solve the instance.
     */
    Iterator<InternalRow> rows(Iterator<Integer> task) {
        int index = task.next();
        restart();
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

    /** Returns the row for an instance; null if no strategy solves it. */
    private InternalRow row(long number) {
        // for some instances, reading the clock for every row would take as long as solving the row
        boolean timed = Sampling.isTimed(number);
        long start = timed ? System.nanoTime() : 0;
        InternalRow instance = instances.instance(number);
        long lanes = unlimited;
        for (int k = 0; k < reference.length; k++) {
            if ((unlimited >> k & 1) == 0 && judges.get(k).serves(ofLane(instance, k))) {
                lanes |= 1L << k;
            }
        }
        long generated = timed ? System.nanoTime() : 0;
        if (timed) {
            costs.generate(generated - start);
        }
        if (lanes == 0) {
            return null;
        }
        boolean refers = sampling.takesReferences(number);
        boolean looksUp = sampling.takesTextbook(number);
        expected.add(number, lanes, refers, looksUp);
        if (refers) {
            refer(instance, lanes);
        }
        long referred = timed ? System.nanoTime() : 0;
        if (looksUp) {
            lookUp(instance);
        }
        if (timed && refers) {
            costs.refer(referred - generated);
        }
        if (timed && looksUp) {
            costs.lookUp(System.nanoTime() - referred);
        }
        return row(number, instance, lanes);
    }

    /** Returns a lane's arguments; the lane may have fewer parameters than other lanes. */
    private InternalRow ofLane(InternalRow instance, int lane) {
        return first(instance, arities.get(oracle[lane]));
    }

    private static InternalRow first(InternalRow instance, int count) {
        if (count == instance.numFields()) {
            return instance;
        }
        Object[] values = new Object[count];
        for (int i = 0; i < count; i++) {
            values[i] = ((GenericInternalRow) instance).genericGet(i);
        }
        return new GenericInternalRow(values);
    }

    /** Solves an instance with the oracles, and stores their answers as the expected ones. */
    private void lookUp(InternalRow instance) {
        for (int i = 0; i < oracles.size(); i++) {
            expected.set(references.size() + i, oracles.get(i).solve(first(instance, arities.get(i))));
        }
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

    /** Solves an instance with those references that the given lanes need. */
    private void refer(InternalRow instance, long lanes) {
        long known = 0;
        for (int k = 0; k < reference.length; k++) {
            int index = reference[k];
            if ((lanes >> k & 1) == 1 && (known >> index & 1) == 0) {
                expected.set(index, references.get(index).solve(instance));
                known |= 1L << index;
            }
        }
    }

    /** Counts correct and incorrect results. */
    Iterator<Compared> compared(Iterator<InternalRow> rows) {
        Compared compared = new Compared(reference.length);
        while (rows.hasNext()) {
            InternalRow row = rows.next();
            expected.next(row.getLong(0));
            for (int k = 0; k < reference.length; k++) {
                if ((expected.lanes() >> k & 1) == 1) {
                    compared.tallies
                            .get(k)
                            .add(expected.number(), row.isNullAt(1 + k), !isRight(k, row), expected.isLookedUp());
                }
            }
        }
        expected.end();
        compared.costs = costs;
        return List.of(compared).iterator();
    }

    private boolean isRight(int lane, InternalRow row) {
        return (!expected.isReferred() || isRight(judges.get(lane), reference[lane], lane, row))
                && (!expected.isLookedUp()
                        || isRight(judgesByTextbook.get(lane), references.size() + oracle[lane], lane, row));
    }

    private boolean isRight(Judge<S> judge, int solver, int lane, InternalRow row) {
        return judge.exact()
                ? expected.isEqual(solver, row, 1 + lane)
                : judge.isRight(
                        () -> ofLane(instances.instance(expected.number()), lane),
                        expected.result(solver),
                        Answers.read(judge.type(), row, 1 + lane));
    }

    /** Returns, for each row, the first lane's result and the expected result as texts. */
    Iterator<String> texts(Iterator<InternalRow> rows) {
        List<String> texts = new ArrayList<>();
        while (rows.hasNext()) {
            InternalRow row = rows.next();
            expected.next(row.getLong(0));
            DataType type = judges.get(0).type();
            texts.add(SqlText.answer(type, Answers.read(type, row, 1)));
            texts.add(SqlText.answer(type, expected.result(expected.isReferred() ? 0 : references.size())));
        }
        return texts.iterator();
    }
}
