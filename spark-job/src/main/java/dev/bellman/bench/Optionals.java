package dev.bellman.bench;

import java.util.OptionalDouble;

/** What {@link OptionalDouble} lacks. */
final class Optionals {
    private Optionals() {}

    static OptionalDouble times(OptionalDouble value, double factor) {
        return value.isPresent() ? OptionalDouble.of(value.getAsDouble() * factor) : value;
    }

    static OptionalDouble quotient(OptionalDouble dividend, OptionalDouble divisor) {
        return divisor.isPresent() ? times(dividend, 1 / divisor.getAsDouble()) : divisor;
    }
}
