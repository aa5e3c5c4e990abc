package dev.bellman.job;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.trees.TreeNode;
import scala.jdk.javaapi.CollectionConverters;

/** Looks up in the final plan of a query where each function ran: RAPIDS shows {@code gpu_<name>(...)} for those on the GPU. */
final class EngineCheck {
    private final FinalPlan plan;

    EngineCheck(FinalPlan plan) {
        this.plan = plan;
    }

    /** The engine of each function by its name in SQL. */
    Map<String, Engine> engines(Collection<String> functions) {
        Map<String, Engine> engines = new LinkedHashMap<>();
        for (String function : functions) {
            boolean gpu = plan.operators().stream()
                    .flatMap(operator -> CollectionConverters.asJava(operator.expressions()).stream())
                    .anyMatch(expression -> onGpu(expression, function));
            engines.put(function, gpu ? Engine.GPU : Engine.CPU);
        }
        return engines;
    }

    /**
     * Fails unless every function ran on the GPU.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_GPU_REQUIRED}
     */
    void requireGpu(Collection<String> functions) {
        String onCpu = engines(functions).entrySet().stream()
                .filter(entry -> entry.getValue() != Engine.GPU)
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(", "));
        if (!onCpu.isEmpty()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_GPU_REQUIRED,
                    "engine is gpu, but %s ran on the CPU; engine: auto would allow that".formatted(onCpu));
        }
    }

    /** Whether an expression calls the function on the GPU, outside of a bridge that takes rows back to the CPU. */
    private static boolean onGpu(TreeNode<Expression> expression, String function) {
        if (expression.getClass().getSimpleName().contains("CpuBridge")) {
            return false;
        }
        return expression.toString().startsWith("gpu_" + function + "(")
                || CollectionConverters.asJava(expression.children()).stream()
                        .anyMatch(child -> onGpu(child, function));
    }
}
