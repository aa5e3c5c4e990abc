package dev.bellman.check;

import dev.bellman.Strategies;
import dev.bellman.check.Lane.Engine;
import dev.bellman.proof.Leeway;
import dev.bellman.proof.Proofs;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.commons.lang3.SerializationUtils;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;

/** Solves the instances of lanes with each lane's strategy and its reference, and compares the results. */
abstract class Comparison<S extends Enum<S>> {
    /** A numbered list of instances: either a stream, or selected instances. */
    interface Instances extends Serializable {
        InternalRow instance(long number);
    }

    private final Lane<S> lane;

    Comparison(Lane<S> lane) {
        this.lane = lane;
    }

    static <S extends Enum<S>> Comparison<S> of(Lane<S> lane, Sessions sessions) {
        return lane.engine() == Engine.CPU
                ? new Direct<>(lane, sessions)
                : new QueryComparison<>(List.of(lane), lane.function().tryName(), false, sessions);
    }

    /** Returns a solver that calls the lane's function by this name, and evaluates the call on the calling thread. */
    static <S extends Enum<S>> Solver solver(Lane<S> lane, Sessions sessions, S strategy, String name) {
        return solver(lane, sessions, strategy, session -> Solver.of(session, name, lane.types()));
    }

    private static <S extends Enum<S>> Solver solver(
            Lane<S> lane, Sessions sessions, S strategy, Function<SparkSession, Solver> create) {
        SparkSession session = sessions.of(Engine.CPU);
        synchronized (session) {
            configure(session, lane, strategy);
            // clone the expressions, as Spark does for each task, because functions may keep memory between calls
            return SerializationUtils.clone(create.apply(session));
        }
    }

    /** Returns a solver for the lane's reference; it runs on the calling thread. */
    static <S extends Enum<S>> Solver reference(Lane<S> lane, Sessions sessions) {
        S strategy = lane.reference().strategy();
        return strategy == null
                ? Solver.of(Proofs.of(lane.signature()).oracle())
                : solver(
                        lane,
                        sessions,
                        strategy,
                        session -> Solver.ofValues(session, lane.function().tryName(), lane.types()));
    }

    /**
     * Sets the strategy of calls that are analyzed from now on. The caller must hold the session's lock until these
     * calls have been analyzed.
     */
    static <S extends Enum<S>> void configure(SparkSession session, Lane<S> lane, S strategy) {
        session.conf().set(lane.function().problem().strategyKey(), Strategies.name(strategy));
    }

    /** Compares instances {@code from} to {@code to - 1} of the stream. Returns one tally per lane. */
    final List<Tally> compare(long from, long to) {
        return compare(lane.stream()::instance, from, to);
    }

    /** Compares selected instances, using the first lane. */
    final Tally compare(List<InternalRow> chosen) {
        return compare(list(chosen), 0, chosen.size()).get(0);
    }

    static Instances list(List<InternalRow> chosen) {
        InternalRow[] rows = chosen.toArray(InternalRow[]::new);
        return number -> rows[(int) number];
    }

    /** Compares instances {@code from} to {@code to - 1}. Returns one tally per lane. */
    abstract List<Tally> compare(Instances instances, long from, long to);

    /** Returns, as text, the results that the first lane's strategy and its reference return for an instance. */
    abstract List<String> answers(InternalRow instance);

    /** Compares Catalyst values exactly: doubles must be equal bit for bit, except that all NaNs are equal. */
    static final class Answers {
        private Answers() {}

        static boolean equal(DataType type, Object left, Object right) {
            if (left == null || right == null) {
                return left == right;
            }
            if (type instanceof ArrayType array) {
                return equal(array.elementType(), (ArrayData) left, (ArrayData) right);
            }
            if (type instanceof StructType struct) {
                return equal(struct, (InternalRow) left, (InternalRow) right);
            }
            return Objects.equals(left, right);
        }

        private static boolean equal(DataType element, ArrayData left, ArrayData right) {
            int count = left.numElements();
            for (int i = 0; i < Math.min(count, right.numElements()); i++) {
                if (!equal(element, left, right, i)) {
                    return false;
                }
            }
            return count == right.numElements();
        }

        private static boolean equal(StructType type, InternalRow left, InternalRow right) {
            for (int i = 0; i < type.length(); i++) {
                if (!equal(type.apply(i).dataType(), left, right, i)) {
                    return false;
                }
            }
            return true;
        }

        /**
         * Compares the entries or fields at index {@code i}. Does not box numbers, because a result may contain many
         * numbers.
         */
        private static boolean equal(DataType type, SpecializedGetters left, SpecializedGetters right, int i) {
            boolean isNull = left.isNullAt(i);
            if (isNull || right.isNullAt(i)) {
                return isNull == right.isNullAt(i);
            }
            if (type instanceof IntegerType) {
                return left.getInt(i) == right.getInt(i);
            }
            if (type instanceof LongType) {
                return left.getLong(i) == right.getLong(i);
            }
            if (type instanceof DoubleType) {
                return Double.doubleToLongBits(left.getDouble(i)) == Double.doubleToLongBits(right.getDouble(i));
            }
            return equal(type, read(type, left, i), read(type, right, i));
        }

        /** Returns the entry or field at index {@code i}. */
        static Object read(DataType type, SpecializedGetters values, int i) {
            if (values.isNullAt(i)) {
                return null;
            }
            if (type instanceof StringType) {
                return values.getUTF8String(i);
            }
            if (type instanceof ArrayType) {
                return values.getArray(i);
            }
            return type instanceof StructType struct ? values.getStruct(i, struct.length()) : values.get(i, type);
        }
    }

    /**
     * Decides whether results count as correct.
     *
     * @param other the reference strategy; null for the oracle
     * @param exact whether there is only one correct result
     */
    record Judge<S extends Enum<S>>(DataType type, Leeway leeway, S strategy, S other, boolean exact)
            implements Serializable {
        static <S extends Enum<S>> Judge<S> of(Lane<S> lane) {
            S strategy = lane.strategy();
            S other = lane.reference().strategy();
            return new Judge<>(
                    lane.signature().result(),
                    Proofs.of(lane.signature()).leeway(),
                    strategy,
                    other,
                    strategy == other || lane.function().traits().answersAsDefined(strategy));
        }

        /** Whether some instances are not supported by the strategy or by the reference strategy. */
        boolean isLimited() {
            return leeway.isLimited(strategy) || other != null && leeway.isLimited(other);
        }

        /** Whether both the strategy and the reference strategy support an instance. */
        boolean serves(InternalRow arguments) {
            return leeway.serves(strategy, arguments) && (other == null || leeway.serves(other, arguments));
        }

        boolean isRight(Supplier<InternalRow> arguments, Object expected, Object answer) {
            return exact || expected == null || answer == null
                    ? Answers.equal(type, expected, answer)
                    : leeway.isRight(arguments.get(), expected, answer);
        }
    }

    /**
     * Solves an instance by evaluating the expression for a call on the calling thread, without the overhead of a
     * query.
     */
    private static final class Direct<S extends Enum<S>> extends Comparison<S> {
        private final Judge<S> judge;
        private final Solver solver;
        private final Solver reference;

        Direct(Lane<S> lane, Sessions sessions) {
            super(lane);
            judge = Judge.of(lane);
            solver = solver(lane, sessions, lane.strategy(), lane.function().tryName());
            reference = reference(lane, sessions);
        }

        @Override
        List<Tally> compare(Instances instances, long from, long to) {
            Tally tally = new Tally();
            for (long number = from; number < to; number++) {
                InternalRow arguments = instances.instance(number);
                if (judge.serves(arguments)) {
                    Object answer = solver.solve(arguments);
                    boolean right = judge.isRight(() -> arguments, reference.solve(arguments), answer);
                    tally.add(number, answer == null, !right, judge.other() == null);
                }
            }
            return List.of(tally);
        }

        @Override
        List<String> answers(InternalRow instance) {
            return List.of(
                    SqlText.answer(judge.type(), solver.solve(instance)),
                    SqlText.answer(judge.type(), reference.solve(instance)));
        }
    }
}
