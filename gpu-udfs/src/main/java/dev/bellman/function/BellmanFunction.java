package dev.bellman.function;

import java.util.List;
import java.util.Optional;

/**
 * An SQL function of the catalogue.
 *
 * @param rejects the values that the function does not allow, in words; a function that rejects some also exists as
 *     {@code try_<name>}, which returns NULL for them
 * @param example a query expression, and the result that Spark shows for it
 */
public record BellmanFunction<S extends Enum<S>>(
        String name,
        Problem<S> problem,
        List<Signature<S>> signatures,
        String description,
        Optional<String> rejects,
        Example example) {

    public record Example(String expression, String result) {}

    /** The name of the variant that returns NULL for what the function rejects; the function's own if it rejects nothing. */
    public String tryName() {
        return rejects.isPresent() ? "try_" + name : name;
    }
}
