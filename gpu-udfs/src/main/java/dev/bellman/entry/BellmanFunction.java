package dev.bellman.entry;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarFunction;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructType;

/**
 * An SQL function of the catalogue.
 *
 * @param rejects the values that the function does not allow, in words; a function that rejects any also exists as
 *     {@code try_<name>}, which returns NULL for them
 * @param example a query expression, and the result that Spark shows for it
 * @param traits how the answers of its strategies differ
 */
public record BellmanFunction<S extends Enum<S>>(
        String name,
        Problem<S> problem,
        List<Signature<S>> signatures,
        String description,
        Optional<String> rejects,
        Example example,
        StrategyTraits<S> traits) {

    public record Example(String expression, String result) {}

    /** A function whose strategies all give the same answer for every instance. */
    public BellmanFunction(
            String name,
            Problem<S> problem,
            List<Signature<S>> signatures,
            String description,
            Optional<String> rejects,
            Example example) {
        this(name, problem, signatures, description, rejects, example, StrategyTraits.none());
    }

    /**
     * The name of the variant that returns NULL for what the function rejects; the function's own if it rejects
     * nothing.
     */
    public String tryName() {
        return rejects.isPresent() ? "try_" + name : name;
    }

    /** That variant as a separate function, which rejects nothing; empty if the function itself rejects nothing. */
    public Optional<BellmanFunction<S>> tryVariant() {
        return rejects.map(what ->
                new BellmanFunction<>(tryName(), problem, signatures, description, Optional.empty(), example, traits));
    }

    /** Whether it has kernels. Otherwise it runs on the CPU alone. */
    public boolean hasKernel() {
        return signatures.stream()
                .map(signature -> signature.implementation().create(problem.textbook(), FunctionOptions.DEFAULT))
                .anyMatch(ColumnarFunction.class::isInstance);
    }

    /**
     * Among the signatures with this many arguments, the first whose types preserve the values of the most arguments.
     */
    public Optional<Signature<S>> signature(List<DataType> arguments) {
        return signatures.stream()
                .filter(candidate -> candidate.parameters().size() == arguments.size())
                .min(Comparator.comparingLong(candidate -> IntStream.range(0, arguments.size())
                        .filter(i -> !keepsValues(
                                arguments.get(i), candidate.parameters().get(i).type()))
                        .count()));
    }

    /** Whether a cast preserves values: from a decimal to a double it nearly does, to an integer it does not. */
    private static boolean keepsValues(DataType from, DataType to) {
        if (from instanceof ArrayType fromArray && to instanceof ArrayType toArray) {
            return keepsValues(fromArray.elementType(), toArray.elementType());
        }
        if (from instanceof StructType fromStruct && to instanceof StructType toStruct) {
            return fromStruct.length() == toStruct.length()
                    && IntStream.range(0, fromStruct.length())
                            .allMatch(i -> keepsValues(
                                    fromStruct.apply(i).dataType(),
                                    toStruct.apply(i).dataType()));
        }
        return Cast.canUpCast(from, to) || from instanceof DecimalType && to.equals(DataTypes.DoubleType);
    }
}
