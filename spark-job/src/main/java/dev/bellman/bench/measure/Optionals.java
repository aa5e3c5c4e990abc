package dev.bellman.bench.measure;

import java.util.OptionalDouble;

/** Arithmetic on {@link OptionalDouble}. */
public final class Optionals {
    private Optionals() {}

    public static OptionalDouble times(OptionalDouble value, double factor) {
        return value.isPresent() ? OptionalDouble.of(value.getAsDouble() * factor) : value;
    }

    public static OptionalDouble quotient(OptionalDouble dividend, OptionalDouble divisor) {
        return divisor.isPresent() ? times(dividend, 1 / divisor.getAsDouble()) : divisor;
    }
}
