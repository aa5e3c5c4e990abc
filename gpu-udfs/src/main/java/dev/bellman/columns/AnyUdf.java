package dev.bellman.columns;

import dev.bellman.FunctionOptions;
import java.io.Serializable;

/** A Spark function of any number of arguments. */
public class AnyUdf extends AnyArguments<Object> {
    private static final long serialVersionUID = 1L;

    /** A function that takes its arguments as an array. */
    @FunctionalInterface
    public interface Call extends Serializable {
        Object call(Object... arguments);
    }

    private final Call onCpu;

    public AnyUdf(Call onCpu) {
        this.onCpu = onCpu;
    }

    /** A function that is NULL for a NULL argument, and treats rows that it rejects as its options say. */
    public static AnyUdf ofRows(FunctionOptions options, Call solver) {
        return new AnyUdf(rows(options, solver));
    }

    /** The call of such a function. */
    protected static Call rows(FunctionOptions options, Call solver) {
        return arguments -> {
            for (Object argument : arguments) {
                if (argument == null) {
                    return null;
                }
            }
            return options.answer(() -> solver.call(arguments));
        };
    }

    protected final Call onCpu() {
        return onCpu;
    }

    @Override
    final Object result(Object... arguments) {
        return onCpu.call(arguments);
    }
}
