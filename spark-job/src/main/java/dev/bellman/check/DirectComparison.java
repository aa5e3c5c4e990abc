package dev.bellman.check;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;

/** Solves instances with the expression of a call, on the calling thread: without what a query takes besides. */
final class DirectComparison<S extends Enum<S>> extends Comparison<S> {
    private final Solver solver;
    private final Solver reference;

    DirectComparison(Lane<S> lane, Sessions sessions) {
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
        return List.of(SqlText.answer(type, solver.solve(instance)), SqlText.answer(type, reference.solve(instance)));
    }
}
