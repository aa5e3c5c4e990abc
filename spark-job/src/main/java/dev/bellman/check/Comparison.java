package dev.bellman.check;

import dev.bellman.Strategies;
import dev.bellman.proof.Leeway;
import dev.bellman.proof.Proofs;
import java.io.Serializable;
import java.util.List;
import java.util.function.Supplier;
import org.apache.commons.lang3.SerializationUtils;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;

/** Solves the instances of a lane with its strategy and with its reference, and compares the answers. */
abstract class Comparison<S extends Enum<S>> {
    /** Instances by number: a stream, or a list of chosen ones. */
    interface Instances extends Serializable {
        InternalRow instance(long number);
    }

    private final Lane<S> lane;
    private final Judge<S> judge;

    Comparison(Lane<S> lane) {
        this.lane = lane;
        S other = lane.reference().strategy();
        judge = new Judge<>(
                lane.signature().result(),
                Proofs.of(lane.signature()).leeway(),
                lane.strategy(),
                other,
                lane.strategy() == other || lane.function().traits().answersAsDefined(lane.strategy()));
    }

    static <S extends Enum<S>> Comparison<S> of(Lane<S> lane, Sessions sessions) {
        return lane.engine() == Engine.CPU ? new Direct<>(lane, sessions) : new QueryComparison<>(lane, sessions);
    }

    /** The lane's function, of this name, with a strategy, on the calling thread. */
    static <S extends Enum<S>> Solver solver(Lane<S> lane, Sessions sessions, S strategy, String name) {
        SparkSession session = sessions.of(Engine.CPU);
        synchronized (session) {
            configure(session, lane, strategy);
            // a copy, as each task has: functions may keep memory from call to call
            return SerializationUtils.clone(Solver.of(session, name, lane.types()));
        }
    }

    /** The lane's reference, on the calling thread; it answers nothing if the query does. */
    static <S extends Enum<S>> Solver reference(Lane<S> lane, Sessions sessions) {
        if (lane.reference().inQuery()) {
            return arguments -> null;
        }
        return lane.reference().strategy() == null
                ? Solver.of(Proofs.of(lane.signature()).oracle())
                : solver(
                        lane,
                        sessions,
                        lane.reference().strategy(),
                        lane.function().tryName());
    }

    /** Calls that are analyzed afterwards use the strategy. The caller holds the session's lock until they are. */
    static <S extends Enum<S>> void configure(SparkSession session, Lane<S> lane, S strategy) {
        session.conf().set(lane.function().problem().strategyKey(), Strategies.name(strategy));
    }

    final Lane<S> lane() {
        return lane;
    }

    final Judge<S> judge() {
        return judge;
    }

    /** Compares instances {@code from} to {@code to - 1} of the lane's stream. */
    final Tally compare(long from, long to) {
        return compare(lane.stream()::instance, from, to);
    }

    /** Compares chosen instances. */
    final Tally compare(List<InternalRow> chosen) {
        return compare(list(chosen), 0, chosen.size());
    }

    static Instances list(List<InternalRow> chosen) {
        InternalRow[] rows = chosen.toArray(InternalRow[]::new);
        return number -> rows[(int) number];
    }

    /** Compares instances {@code from} to {@code to - 1}. */
    abstract Tally compare(Instances instances, long from, long to);

    /** The answers of the lane's strategy and of its reference to an instance, as text. */
    abstract List<String> answers(InternalRow instance);

    /**
     * Tells right answers from wrong ones.
     *
     * @param other the reference strategy; null for the oracle
     * @param exact whether there is only one right answer
     */
    record Judge<S extends Enum<S>>(DataType type, Leeway leeway, S strategy, S other, boolean exact)
            implements Serializable {
        /** Whether the strategy and the reference strategy accept an instance. */
        boolean serves(InternalRow arguments) {
            return leeway.serves(strategy, arguments) && (other == null || leeway.serves(other, arguments));
        }

        boolean isRight(Supplier<InternalRow> arguments, Object expected, Object answer) {
            return exact || expected == null || answer == null
                    ? Answers.equal(type, expected, answer)
                    : leeway.isRight(arguments.get(), expected, answer);
        }
    }

    /** Solves instances with the expression of a call, on the calling thread: without what a query takes besides. */
    private static final class Direct<S extends Enum<S>> extends Comparison<S> {
        private final Solver solver;
        private final Solver reference;

        Direct(Lane<S> lane, Sessions sessions) {
            super(lane);
            solver = solver(lane, sessions, lane.strategy(), lane.function().tryName());
            reference = reference(lane, sessions);
        }

        @Override
        Tally compare(Instances instances, long from, long to) {
            Tally tally = new Tally();
            for (long number = from; number < to; number++) {
                InternalRow arguments = instances.instance(number);
                if (judge().serves(arguments)) {
                    Object answer = solver.solve(arguments);
                    boolean right = judge().isRight(() -> arguments, reference.solve(arguments), answer);
                    tally.add(number, answer == null, !right);
                }
            }
            return tally;
        }

        @Override
        List<String> answers(InternalRow instance) {
            DataType type = lane().signature().result();
            return List.of(
                    SqlText.answer(type, solver.solve(instance)), SqlText.answer(type, reference.solve(instance)));
        }
    }
}
