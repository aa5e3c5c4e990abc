package dev.bellman.job.plan;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuSide;
import dev.bellman.columns.GpuFunctions;
import dev.bellman.columns.Rapids;
import dev.bellman.entry.Parameter;
import dev.bellman.function.Catalogue;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Determines where each function ran, from the final plan of the query. RAPIDS displays functions on the GPU as
 * {@code gpu_<name>(...)}.
 */
public final class EngineCheck {
    private static final String ADAPTIVE = "spark.sql.adaptive.enabled";
    private static final String ENABLED = "spark.rapids.sql.enabled";

    private final FinalPlan plan;

    public EngineCheck(FinalPlan plan) {
        this.plan = plan;
    }

    /** Whether the session has the RAPIDS Accelerator with a GPU, and Bellman's GPU backend is available. */
    public static boolean hasPlugin(SparkSession spark) {
        return GpuSide.find(GpuFunctions.class).isPresent()
                && Rapids.hasGpu(spark.sparkContext().getConf());
    }

    /** Whether the RAPIDS Accelerator plans the session's queries. */
    public static boolean usesPlugin(SparkSession spark) {
        return hasPlugin(spark)
                && spark.conf().get("spark.rapids.sql.enabled", "true").equals("true");
    }

    /**
     * @throws BellmanException {@link ErrorCode#BELLMAN_GPU_REQUIRED} if Bellman's GPU backend or the session's RAPIDS
     *     Accelerator is missing
     */
    public static void requirePlugin(SparkSession spark) {
        GpuSide.get(GpuFunctions.class);
        if (!hasPlugin(spark)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_GPU_REQUIRED,
                    "engine is gpu, but the session runs without the RAPIDS Accelerator; run with "
                            + "--engine gpu, or set spark.plugins=com.nvidia.spark.SQLPlugin as in conf/gpu.conf, "
                            + "without spark.rapids.sql.mode=explainOnly");
        }
    }

    /** Returns the engine for each function; functions are identified by their SQL names. */
    public Map<String, Engine> engines(Collection<String> functions) {
        Map<String, Engine> engines = new LinkedHashMap<>();
        for (String function : functions) {
            boolean gpu = anyExpression(expression -> onGpu(expression, function))
                    && !anyExpression(expression -> onCpu(expression, function));
            engines.put(function, gpu ? Engine.GPU : Engine.CPU);
        }
        return engines;
    }

    private boolean anyExpression(Predicate<Expression> condition) {
        return plan.operators().stream()
                .flatMap(operator -> CollectionConverters.asJava(operator.expressions()).stream())
                .anyMatch(condition);
    }

    /**
     * Fails unless all functions ran on the GPU.
     *
     * @param query the query that ran, from which RAPIDS' explanation is obtained
     * @throws BellmanException {@link ErrorCode#BELLMAN_GPU_REQUIRED}, with RAPIDS' own reason
     */
    public void requireGpu(Collection<String> functions, Dataset<Row> query) {
        requireGpu(functions, query, "ran");
    }

    /**
     * Before anything is computed, fails unless all functions would run on the GPU. With adaptive execution, RAPIDS'
     * plan for a stage is hidden until the stage runs, so this method plans the query without adaptive execution.
     *
     * @param query creates the query in the given session
     * @throws BellmanException like {@link #requireGpu(Collection, Dataset)}
     */
    public static void requireGpuPlan(SparkSession spark, Collection<String> functions, Supplier<Dataset<Row>> query) {
        withoutAdaptive(spark, () -> {
            Dataset<Row> planned = query.get();
            new EngineCheck(new FinalPlan(planned.queryExecution().executedPlan()))
                    .requireGpu(functions, planned, "would run");
            return planned;
        });
    }

    /** Runs {@code work} without adaptive execution, so that plans show all operators. */
    static <T> T withoutAdaptive(SparkSession spark, Supplier<T> work) {
        return with(spark, ADAPTIVE, work);
    }

    /** Runs {@code work} while all queries of the session run on the CPU. */
    public static <T> T withoutPlugin(SparkSession spark, Supplier<T> work) {
        return usesPlugin(spark) ? with(spark, ENABLED, work) : work.get();
    }

    /** Runs {@code work} with a setting turned off. */
    private static <T> T with(SparkSession spark, String setting, Supplier<T> work) {
        String before = spark.conf().get(setting, "true");
        spark.conf().set(setting, "false");
        try {
            return work.get();
        } finally {
            spark.conf().set(setting, before);
        }
    }

    private void requireGpu(Collection<String> functions, Dataset<Row> query, String verb) {
        List<String> onCpu = engines(functions).entrySet().stream()
                .filter(entry -> entry.getValue() != Engine.GPU)
                .map(Map.Entry::getKey)
                .toList();
        if (!onCpu.isEmpty()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_GPU_REQUIRED,
                    "engine is gpu, but %s %s on the CPU; use engine: auto to allow this.%s RAPIDS' explanation:%n%s"
                            .formatted(
                                    String.join(", ", onCpu),
                                    verb,
                                    constants(onCpu),
                                    GpuSide.get(GpuFunctions.class)
                                            .whyNotOnGpu(query)
                                            .strip()));
        }
    }

    /** Returns which arguments of the functions must be constant on a GPU, as sentences; empty if there are none. */
    private static String constants(List<String> functions) {
        StringBuilder sentences = new StringBuilder();
        for (String function : functions) {
            String names = Catalogue.named(function).stream()
                    .flatMap(each -> each.constantOnGpu().stream())
                    .map(Parameter::name)
                    .distinct()
                    .collect(Collectors.joining(", "));
            if (!names.isEmpty()) {
                sentences.append(" On GPUs, these arguments of %s must be constant: %s.".formatted(function, names));
            }
        }
        return sentences.toString();
    }

    /**
     * Whether an expression calls the function on the GPU, rather than within a bridge that moves rows back to the CPU.
     */
    private static boolean onGpu(Expression expression, String function) {
        return !isBridge(expression)
                && (isNamed(expression.toString(), "gpu_" + function)
                        || CollectionConverters.asJava(expression.children()).stream()
                                .anyMatch(child -> onGpu(child, function)));
    }

    private static boolean onCpu(Expression expression, String function) {
        return expression instanceof ScalaUDF udf && isNamed(udf.toString(), function)
                || isBridge(expression) && expression.toString().contains(function + "(")
                || CollectionConverters.asJava(expression.children()).stream()
                        .anyMatch(child -> onCpu(child, function));
    }

    /** Whether a string is a call of the function, that is, its name followed by arguments or by a note. */
    private static boolean isNamed(String call, String function) {
        return call.startsWith(function + "(") || call.startsWith(function + " [");
    }

    private static boolean isBridge(Expression expression) {
        return expression.getClass().getSimpleName().contains("CpuBridge");
    }
}
