package dev.bellman.job.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.sql.execution.SparkPlanInfo;
import org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveExecutionUpdate;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;
import org.apache.spark.storage.RDDInfo;
import scala.jdk.javaapi.CollectionConverters;

/** Describes the work of a stage by its operators, as in {@code read, compute, write}. */
final class StageWork {
    private static final String COMPILED = "WholeStageCodegen";

    /** A kind of operator (on either engine), and the word for its work. */
    private record Kind(Pattern operator, String word) {}

    private static final List<Kind> KINDS = Stream.of(
                    "Scan|LocalTable|Range=read",
                    "SimilarStrings=find close pairs",
                    "Join|CartesianProduct=join",
                    "Aggregate=aggregate",
                    "Window=rank",
                    "Sort|TakeOrdered=sort",
                    "Generate|Expand=expand",
                    "Filter=filter",
                    "Exchange|AQEShuffleRead=exchange",
                    "InsertInto|WriteFiles|Append|Overwrite=write",
                    "Project=compute")
            .map(kind -> kind.split("="))
            .map(kind -> new Kind(Pattern.compile(kind[0]), kind[1]))
            .toList();

    /** The operators of each compiled part of a query, with leaves first, keyed by query number and part name. */
    private final Map<String, List<String>> compiled = new HashMap<>();

    /** Records the parts of a plan that are compiled. */
    void look(SparkListenerEvent event) {
        if (event instanceof SparkListenerSQLExecutionStart start) {
            look(start.executionId(), start.sparkPlanInfo());
        } else if (event instanceof SparkListenerSQLAdaptiveExecutionUpdate update) {
            look(update.executionId(), update.sparkPlanInfo());
        }
    }

    private void look(long query, SparkPlanInfo plan) {
        if (plan.nodeName().startsWith(COMPILED)) {
            List<String> operators = new ArrayList<>();
            collect(plan, operators);
            Collections.reverse(operators);
            compiled.put(key(query, plan.nodeName()), operators);
        }
        CollectionConverters.asJava(plan.children()).forEach(child -> look(query, child));
    }

    /** Collects the operators of one part, without entering other parts. */
    private static void collect(SparkPlanInfo part, List<String> into) {
        for (SparkPlanInfo child : CollectionConverters.asJava(part.children())) {
            if (!child.nodeName().equals("InputAdapter")) {
                into.add(child.nodeName());
                collect(child, into);
            }
        }
    }

    private static String key(long query, String part) {
        return query + " " + part;
    }

    /**
     * Returns a description of a stage's work; empty if the stage does not belong to a query, or if none of its
     * operators has a word.
     *
     * @param query the query's number
     */
    Optional<String> of(StageInfo stage, String query) {
        if (query == null) {
            return Optional.empty();
        }
        Set<String> words = new LinkedHashSet<>();
        CollectionConverters.asJava(stage.rddInfos()).stream()
                .sorted((one, other) -> Integer.compare(one.id(), other.id()))
                .map(RDDInfo::scope)
                .filter(scope -> scope.isDefined())
                .map(scope -> scope.get().name())
                .distinct()
                .flatMap(scope -> compiled.getOrDefault(key(Long.parseLong(query), scope), List.of(scope)).stream())
                .map(StageWork::word)
                .filter(Objects::nonNull)
                .forEach(words::add);
        return words.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", words));
    }

    private static String word(String operator) {
        return KINDS.stream()
                .filter(kind -> kind.operator.matcher(operator).find())
                .map(Kind::word)
                .findFirst()
                .orElse(null);
    }
}
