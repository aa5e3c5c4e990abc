package dev.bellman.columns;

import java.io.Serializable;

/** A Spark function with any number of arguments. */
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

    protected final Call onCpu() {
        return onCpu;
    }

    @Override
    final Object result(Object... arguments) {
        return onCpu.call(arguments);
    }
}
