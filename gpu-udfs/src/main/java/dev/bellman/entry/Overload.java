package dev.bellman.entry;

import dev.bellman.columns.OnGpu;
import dev.bellman.columns.Solver;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.DataType;

/**
 * A variant of a function for certain argument types: its parameters (optional ones last), its result type and its
 * solver. Most functions have one overload.
 */
public final class Overload<S extends Enum<S>> {
    private final List<Parameter> parameters;
    private final List<Signature<S>> signatures;

    /**
     * @param function the function's name in SQL
     * @param index the position of this overload in the list of the function's overloads
     * @param kernels the strategies that have kernels
     */
    Overload(
            String function, int index, List<Parameter> parameters, DataType result, Solver<S> solver, Set<S> kernels) {
        this.parameters = List.copyOf(parameters);
        int required = required();
        if (parameters.stream().skip(required).anyMatch(each -> !each.isOptional())) {
            throw new IllegalArgumentException("%s: a required parameter follows an optional one".formatted(function));
        }
        if (parameters.stream()
                .dropWhile(each -> each.onGpu() != OnGpu.CONSTANT)
                .anyMatch(each -> each.onGpu() != OnGpu.CONSTANT && each.onGpu() != OnGpu.NEVER)) {
            throw new IllegalArgumentException(
                    "%s: a parameter with a column follows one that must be constant on the GPU".formatted(function));
        }
        signatures = IntStream.rangeClosed(required, parameters.size())
                .mapToObj(given -> {
                    List<Parameter> these = this.parameters.subList(0, given);
                    boolean onGpu = these.stream().noneMatch(each -> each.onGpu() == OnGpu.NEVER);
                    return new Signature<S>(
                            function,
                            index,
                            these,
                            this.parameters.subList(given, parameters.size()),
                            result,
                            solver,
                            onGpu ? kernels : Set.of());
                })
                .toList();
    }

    /** Returns all parameters. */
    public List<Parameter> parameters() {
        return parameters;
    }

    /** Returns the number of required parameters, which come before the optional ones. */
    public int required() {
        return (int) parameters.stream().takeWhile(each -> !each.isOptional()).count();
    }

    /** Returns the signatures for calls by position, starting with the shortest. */
    public List<Signature<S>> signatures() {
        return signatures;
    }

    /** Returns the signature for calls that pass the first {@code count} parameters. */
    public Signature<S> given(int count) {
        return signatures.get(count - required());
    }

    /** Returns, for example, {@code (a, b, band = no limit, power = 2)}. */
    @Override
    public String toString() {
        return parameters.stream()
                .map(each -> each.name()
                        + each.ifAbsent().map(its -> " = " + its.text()).orElse(""))
                .collect(Collectors.joining(", ", "(", ")"));
    }
}
