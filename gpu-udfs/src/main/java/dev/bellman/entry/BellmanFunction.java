package dev.bellman.entry;

import dev.bellman.columns.OnGpu;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.StructType;

/** An SQL function of the catalogue, built by {@link Entry}. */
public final class BellmanFunction<S extends Enum<S>> {
    private static final int MAX_ARGUMENTS = 22;

    private final String name;
    private final Problem<S> problem;
    private final List<Overload<S>> overloads;
    private final List<Signature<S>> signatures;
    private final String description;
    private final Optional<String> rejects;
    private final Example example;
    private final StrategyTraits<S> traits;

    /** An example: a query expression and the result that Spark shows for it. */
    public record Example(String expression, String result) {}

    BellmanFunction(
            List<Overload<S>> overloads,
            String name,
            Problem<S> problem,
            String description,
            Optional<String> rejects,
            Example example,
            StrategyTraits<S> traits) {
        this.name = name;
        this.problem = problem;
        this.overloads = List.copyOf(overloads);
        signatures =
                overloads.stream().flatMap(each -> each.signatures().stream()).toList();
        this.description = description;
        this.rejects = rejects;
        this.example = example;
        this.traits = traits;
    }

    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return name;
    }

    public Problem<S> problem() {
        return problem;
    }

    /** Returns the overloads, one for each combination of parameter types. Most functions have only one. */
    public List<Overload<S>> overloads() {
        return overloads;
    }

    /** Returns all signatures for calls by position. */
    public List<Signature<S>> signatures() {
        return signatures;
    }

    public String description() {
        return description;
    }

    /**
     * Returns a description of the values that the function rejects, if any. A function that rejects values also has a
     * variant {@code try_<name>}, which returns NULL for rejected values.
     */
    public Optional<String> rejects() {
        return rejects;
    }

    public Example example() {
        return example;
    }

    /** Returns the traits that distinguish the function's strategies. */
    public StrategyTraits<S> traits() {
        return traits;
    }

    /**
     * Returns the name of the variant that returns NULL for rejected values, or the function's own name if the function
     * rejects nothing.
     */
    public String tryName() {
        return rejects.isPresent() ? "try_" + name : name;
    }

    /**
     * Returns the {@code try_} variant as a separate function, which rejects nothing; empty if this function has no
     * such variant.
     */
    public Optional<BellmanFunction<S>> tryVariant() {
        return rejects.map(what ->
                new BellmanFunction<>(overloads, tryName(), problem, description, Optional.empty(), example, traits));
    }

    /** Whether the function has kernels. Otherwise it runs only on the CPU. */
    public boolean hasKernel() {
        return !kernels().isEmpty();
    }

    /** Returns the strategies that have a kernel for at least one signature. */
    public List<S> kernels() {
        return Stream.of(problem.strategyType().getEnumConstants())
                .filter(strategy -> signatures.stream().anyMatch(signature -> signature.hasKernel(strategy)))
                .toList();
    }

    /** Returns the parameters that no kernel supports: calls with one of these parameters run only on the CPU. */
    public List<Parameter> withoutKernel() {
        return parameters(OnGpu.NEVER);
    }

    /** Returns the parameters that must be constant for calls to run on the GPU. */
    public List<Parameter> constantOnGpu() {
        return parameters(OnGpu.CONSTANT);
    }

    private List<Parameter> parameters(OnGpu support) {
        return overloads.stream()
                .flatMap(each -> each.parameters().stream())
                .filter(each -> each.onGpu() == support)
                .distinct()
                .toList();
    }

    /** Returns the overloads whose types no kernel supports; none if the function has no kernels at all. */
    public List<Overload<S>> overloadsWithoutKernel() {
        return overloads.stream()
                .filter(each -> hasKernel()
                        && Stream.of(problem.strategyType().getEnumConstants())
                                .noneMatch(strategy -> each.signatures().get(0).hasKernel(strategy)))
                .toList();
    }

    /**
     * Among the signatures with as many parameters as arguments, returns the first one whose parameters change the
     * arguments least ({@link #changes}).
     */
    public Optional<Signature<S>> signature(List<DataType> arguments) {
        return signatures.stream()
                .filter(candidate -> candidate.parameters().size() == arguments.size())
                .min(Comparator.comparingLong(candidate -> changes(arguments, candidate.parameters())));
    }

    /**
     * Measures how much the arguments change when they are cast to the parameters' types. The first criterion is the
     * number of arguments that cannot be cast, then the number of arguments whose values may change. Then comes the
     * number of integers that become fractions, so that arrays of BIGINT are symbols rather than measured values, and
     * the number of integers that must fit in fewer bits. The last criterion is the number of FLOAT arguments that
     * become DOUBLE, because some functions accept both types.
     *
     * @param arguments the types of the arguments; null for omitted arguments
     */
    public static long changes(List<DataType> arguments, List<Parameter> parameters) {
        long impossible = 0;
        long changed = 0;
        long fractions = 0;
        long narrowed = 0;
        long widened = 0;
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i) != null) {
                DataType from = arguments.get(i);
                DataType to = parameters.get(i).type();
                impossible += Cast.canAnsiCast(from, to) ? 0 : 1;
                boolean keeps = keepsValues(from, to, false);
                boolean narrows = !keeps && keepsValues(from, to, true);
                changed += keeps || narrows ? 0 : 1;
                fractions += isIntegral(from) && !isIntegral(to) ? 1 : 0;
                narrowed += narrows ? 1 : 0;
                widened += isFloat(from) && !isFloat(to) ? 1 : 0;
            }
        }
        // one base for all overloads, which may have different numbers of parameters
        long more = MAX_ARGUMENTS + 1L;
        return (((impossible * more + changed) * more + fractions) * more + narrowed) * more + widened;
    }

    private static boolean isIntegral(DataType type) {
        return type instanceof ArrayType array ? isIntegral(array.elementType()) : type instanceof IntegralType;
    }

    private static boolean isFloat(DataType type) {
        return type instanceof ArrayType array ? isFloat(array.elementType()) : type.equals(DataTypes.FloatType);
    }

    /**
     * Whether a cast preserves values. Besides Spark's up-casts, a cast from a decimal to a double counts as preserving
     * values; a cast to a float does so only from a float or NULL.
     *
     * @param orNarrows whether integers may become integers with fewer bits, which fails on overflow
     */
    private static boolean keepsValues(DataType from, DataType to, boolean orNarrows) {
        if (from instanceof ArrayType fromArray && to instanceof ArrayType toArray) {
            return keepsValues(fromArray.elementType(), toArray.elementType(), orNarrows);
        }
        if (from instanceof StructType fromStruct && to instanceof StructType toStruct) {
            return fromStruct.length() == toStruct.length()
                    && IntStream.range(0, fromStruct.length())
                            .allMatch(i -> keepsValues(
                                    fromStruct.apply(i).dataType(),
                                    toStruct.apply(i).dataType(),
                                    orNarrows));
        }
        if (to.equals(DataTypes.FloatType)) {
            return from.equals(DataTypes.FloatType) || from.equals(DataTypes.NullType);
        }
        return Cast.canUpCast(from, to)
                || orNarrows && from instanceof IntegralType && to instanceof IntegralType
                || from instanceof DecimalType && to.equals(DataTypes.DoubleType);
    }
}
