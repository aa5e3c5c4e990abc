package dev.bellman.entry;

import dev.bellman.columns.Solver;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.types.DataType;

/**
 * Describes a function for the function list of its family. Everything else is derived from the entry: NULL results for
 * NULL arguments, rejected rows, the {@code try_} variant, named arguments, documentation and help.
 *
 * <pre>{@code
 * Entry.of("hamming_distance", PROBLEM)
 *         .signature(List.of(A, B), IntegerType, DistanceFunctions::hammingDistance)
 *         .kernels(Strategy.AUTO)
 *         .description("Returns the number of positions at which `a` and `b` differ.")
 *         .rejects("strings of different lengths")
 *         .example("hamming_distance('karolin', 'kathrin')", "3")
 *         .function()
 * }</pre>
 */
public final class Entry<S extends Enum<S>> {
    private record Solved<S extends Enum<S>>(
            List<Parameter> parameters, DataType result, Solver<S> solver, boolean hasKernel) {}

    private final String name;
    private final Problem<S> problem;
    private final List<Solved<S>> signatures = new ArrayList<>();
    private final Set<S> kernels;
    private String description;
    private Optional<String> rejects = Optional.empty();
    private BellmanFunction.Example example;
    private StrategyTraits<S> traits = StrategyTraits.none();

    private Entry(String name, Problem<S> problem) {
        this.name = name;
        this.problem = problem;
        kernels = EnumSet.noneOf(problem.strategyType());
    }

    public static <S extends Enum<S>> Entry<S> of(String name, Problem<S> problem) {
        return new Entry<>(name, problem);
    }

    /**
     * Adds a signature: parameters and a result type. A function whose parameters may have different types has several
     * signatures.
     *
     * @param parameters all parameters; the optional ones come last
     * @param solver receives an argument for each parameter
     */
    public Entry<S> signature(List<Parameter> parameters, DataType result, Solver<S> solver) {
        signatures.add(new Solved<>(parameters, result, solver, true));
        return this;
    }

    /** Adds a signature whose types no kernel supports. */
    public Entry<S> signatureWithoutKernel(List<Parameter> parameters, DataType result, Solver<S> solver) {
        signatures.add(new Solved<>(parameters, result, solver, false));
        return this;
    }

    /**
     * Sets which strategies have a kernel. The kernels support the calls of every {@link #signature}, except calls that
     * pass a parameter created with {@link Parameter#withoutKernel}. By default, no strategy has a kernel.
     */
    @SafeVarargs
    public final Entry<S> kernels(S... strategies) {
        for (S strategy : strategies) {
            kernels.add(strategy);
        }
        return this;
    }

    /** Sets the description of the result, in Markdown; parameters are written as {@code `name`}. */
    public Entry<S> description(String text) {
        description = text;
        return this;
    }

    /** Sets the description of the values that the function rejects: noun phrases, separated only by semicolons. */
    public Entry<S> rejects(String values) {
        rejects = Optional.of(enumeration(values));
        return this;
    }

    /** Adds "and" before the last phrase. Replaces the semicolons with commas if the sentence remains clear. */
    private static String enumeration(String phrases) {
        int last = phrases.lastIndexOf("; ");
        if (last < 0) {
            return phrases;
        }
        String others = phrases.substring(0, last);
        boolean clear = !others.contains("; ") || !phrases.contains(", ");
        return (clear ? others.replace(";", ",") + ", and " : others + "; and ") + phrases.substring(last + 2);
    }

    /** Sets an example: a query expression and the result that Spark shows for it. */
    public Entry<S> example(String expression, String result) {
        example = new BellmanFunction.Example(expression, result);
        return this;
    }

    /** Describes how the results of the strategies differ. By default, all strategies return the same results. */
    public Entry<S> traits(StrategyTraits<S> its) {
        traits = its;
        return this;
    }

    public BellmanFunction<S> function() {
        Objects.requireNonNull(description, name + ": description");
        Objects.requireNonNull(example, name + ": example");
        List<Overload<S>> overloads = new ArrayList<>();
        for (Solved<S> each : signatures) {
            overloads.add(new Overload<>(
                    name,
                    overloads.size(),
                    each.parameters(),
                    each.result(),
                    each.solver(),
                    each.hasKernel() ? Set.copyOf(kernels) : Set.of()));
        }
        return new BellmanFunction<>(overloads, name, problem, description, rejects, example, traits);
    }
}
