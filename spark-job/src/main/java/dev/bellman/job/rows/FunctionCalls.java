package dev.bellman.job.rows;

import static org.apache.spark.sql.functions.call_function;
import static org.apache.spark.sql.functions.length;
import static org.apache.spark.sql.functions.lit;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import dev.bellman.function.BellmanFunctions;
import dev.bellman.job.format.InputColumns;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.types.StructField;

/** Creates the columns in which a job's functions are called on the arguments of instances. */
final class FunctionCalls {
    static final String TARGET_LETTERS = "target_letters";

    private final Job job;
    private final Instances instances;

    FunctionCalls(Instances instances) {
        this.job = instances.job();
        this.instances = instances;
    }

    /** Returns the column for a result, which is computed either from a row's arguments or from its existing score. */
    Column call(BellmanFunction<?> function, boolean plain) {
        return call_function(plain ? function.name() : function.tryName(), inputs(function))
                .as(job.column(function));
    }

    /** Returns a column with the reason why the function rejects the row; NULL if it accepts the row. */
    Column rejection(BellmanFunction<?> function) {
        return call_function(
                BellmanFunctions.registerRejection(instances.rows().sparkSession(), function), inputs(function));
    }

    /**
     * Returns the signature that matches a call of the function on the arguments.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_FUNCTION_ARGUMENTS} if the type of the last argument is the
     *     type of a parameter that must be constant
     */
    <S extends Enum<S>> Signature<S> signature(BellmanFunction<S> function) {
        StructField[] typed = instances
                .rows()
                .select(instances.arguments().toArray(Column[]::new))
                .schema()
                .fields();
        Signature<S> signature = job.signature(function, typed.length);
        List<Parameter> arguments = Job.arguments(signature).subList(0, typed.length);
        Signature<S> typedSignature = function.signature(signature.parameters().stream()
                        .map(parameter -> arguments.contains(parameter)
                                ? typed[arguments.indexOf(parameter)].dataType()
                                : parameter.type())
                        .toList())
                .orElseThrow();
        int accepted = Job.arguments(typedSignature).size();
        if (accepted < typed.length) {
            Parameter refused = arguments.get(accepted);
            throw new BellmanException(
                    ErrorCode.BELLMAN_FUNCTION_ARGUMENTS,
                    "%s: the argument %s is of type %s; it must be %s. To set %s, use parameters instead of arguments"
                            .formatted(
                                    function.name(),
                                    refused.name(),
                                    typed[accepted].dataType().sql(),
                                    refused.type().sql(),
                                    typedSignature.parameters().get(accepted).name()));
        }
        return typedSignature;
    }

    /**
     * Returns the arguments in columns that have the parameters' names.
     *
     * @param value converts an argument
     */
    Column[] named(UnaryOperator<Column> value) {
        List<Parameter> parameters = Job.arguments(signature(job.results().get(0)));
        List<Column> arguments = instances.arguments();
        return IntStream.range(0, arguments.size())
                .mapToObj(
                        i -> value.apply(arguments.get(i)).as(parameters.get(i).name()))
                .toArray(Column[]::new);
    }

    /**
     * Fails if there is no kernel for the types of a function's arguments.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_GPU_REQUIRED}
     */
    <S extends Enum<S>> void requireKernel(BellmanFunction<S> function) {
        Signature<S> signature = signature(function);
        if (function.overloadsWithoutKernel().contains(function.overloads().get(signature.overload()))) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_GPU_REQUIRED,
                    ("engine is gpu, but %s has no kernel for the argument types %s and runs only on the CPU. "
                                    + "Use engine: auto")
                            .formatted(
                                    function.name(),
                                    signature.parameters().stream()
                                            .filter(parameter -> !parameter.isOptional())
                                            .map(parameter -> parameter.type().sql())
                                            .collect(Collectors.joining(", "))));
        }
    }

    /**
     * Returns a column for every parameter of the function: an argument, a constant from the job, or the default value.
     * A function that is computed from a score reads the score and the lengths instead.
     */
    private Column[] inputs(BellmanFunction<?> function) {
        if (job.isOfScore(function)) {
            return function.signatures().get(0).parameters().stream()
                    .map(parameter -> ofScore(parameter.name()))
                    .toArray(Column[]::new);
        }
        Signature<?> signature = signature(function);
        List<Parameter> arguments =
                Job.arguments(signature).subList(0, instances.arguments().size());
        Map<String, Object> constants = job.get(JobKeys.PARAMETERS);
        return signature.parameters().stream()
                .map(parameter -> {
                    if (arguments.contains(parameter)) {
                        return instances.arguments().get(arguments.indexOf(parameter));
                    }
                    return lit(constants.getOrDefault(
                            parameter.name(),
                            parameter.ifAbsent().map(Parameter.Default::plain).orElse(null)));
                })
                .toArray(Column[]::new);
    }

    private Column ofScore(String parameter) {
        Object given = job.get(JobKeys.PARAMETERS).get(parameter);
        if (given != null) {
            return lit(given);
        }
        return switch (parameter) {
            case "score" -> InputColumns.column(scoreColumn());
            case "query_letters" -> length(instances.arguments().get(0));
            case TARGET_LETTERS -> lit(instances.targetLetters().orElseThrow());
            default -> throw new IllegalStateException("no value of " + parameter);
        };
    }

    /** Returns the name of the column that contains the score, from which other results are computed. */
    String scoreColumn() {
        return job.column(job.results().get(0));
    }
}
