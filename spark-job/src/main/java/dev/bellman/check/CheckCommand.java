package dev.bellman.check;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Suggestion;
import dev.bellman.check.Lane.Engine;
import dev.bellman.columns.Rapids;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.function.BellmanExtensions;
import dev.bellman.function.Catalogue;
import dev.bellman.job.cli.EarlyEnd;
import dev.bellman.job.cli.FatalGpuError;
import dev.bellman.job.cli.ProcessEnd;
import dev.bellman.job.plan.EngineCheck;
import dev.bellman.job.spec.CommandName;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code check}, which runs the soak checker. */
@Command(
        name = "check",
        footer = {"", CommandName.SPARK_OPTIONS},
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Checks the functions on this machine. Solves seeded hard instances with every strategy on every engine, "
                    + "and compares the results with those of a different strategy and, for small instances, with "
                    + "those of the textbook recurrence.",
            "If two results differ, shrinks the instance for at most a minute, prints it as SQL with both results, and "
                    + "exits with code 3."
        })
public final class CheckCommand implements Runnable {
    enum Where {
        AUTO,
        GPU,
        CPU
    }

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--minutes",
            defaultValue = "1",
            paramLabel = "N",
            description = "stop after this many minutes (default: ${DEFAULT-VALUE})")
    private double minutes;

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "stop when every function has solved this many instances and every strategy has solved some; "
                    + "unlimited by default")
    private long count = Long.MAX_VALUE;

    @Option(names = "--functions", split = ",", paramLabel = "NAME", description = "functions to check; all by default")
    private Set<String> functions = Set.of();

    @Option(
            names = "--strategies",
            split = ",",
            paramLabel = "NAME",
            description = "strategies to check; all by default")
    private Set<String> strategies = Set.of();

    @Option(
            names = "--signature",
            defaultValue = "",
            paramLabel = "TYPE",
            description = "check only signatures with an argument or a result of this type, such as double; all "
                    + "signatures by default")
    private String type;

    @Option(
            names = "--engine",
            defaultValue = "auto",
            paramLabel = "ENGINE",
            description = "gpu, cpu, or auto, which uses both if the session has a GPU")
    private Where engine;

    @Option(
            names = "--seed",
            defaultValue = "1",
            paramLabel = "N",
            description = "seed for the random instances; the same seed always yields the same instances "
                    + "(default: ${DEFAULT-VALUE})")
    private long seed;

    @Override
    public void run() {
        run(Catalogue.functions());
    }

    private void run(List<BellmanFunction<?>> catalogue) {
        PrintWriter out = spec.commandLine().getOut();
        List<BellmanFunction<?>> chosen = chosen(catalogue);
        boolean own = SparkSession.getDefaultSession().isEmpty();
        SparkConf given = new SparkConf();
        SparkSession spark = SparkSession.builder()
                .appName("bellman check")
                .config("spark.scheduler.mode", "FAIR")
                .config(BellmanExtensions.KEY, BellmanExtensions.among(given.get(BellmanExtensions.KEY, "")))
                .config(Rapids.PLUGINS, FatalGpuError.among(given))
                .getOrCreate();
        try {
            Set<Engine> engines = engines(spark);
            List<BellmanFunction<?>> checked =
                    engines.equals(EnumSet.of(Engine.GPU)) ? withKernels(chosen, out) : chosen;
            Check.Plan plan = new Check.Plan(checked, strategies, type, engines, seed, 60 * minutes, count);
            Check check = new Check(plan, spark, out);
            Optional<EarlyEnd> earlyEnd = own ? Optional.of(new EarlyEnd(check::reportEarlyEnd)) : Optional.empty();
            try {
                run(check);
            } finally {
                earlyEnd.ifPresent(EarlyEnd::close);
            }
        } finally {
            if (own) {
                ProcessEnd.stop(spark);
            }
        }
    }

    /**
     * Checks everything that a plan covers.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_CHECK_FAILED} if anything differs or fails,
     *     {@link ErrorCode#BELLMAN_USAGE} if nothing was compared
     */
    static void run(Check.Plan plan, SparkSession spark, PrintWriter out) {
        run(new Check(plan, spark, out));
    }

    private static void run(Check check) {
        Check.Plan plan = check.plan;
        List<Finding> findings = check.run();
        if (!findings.isEmpty()) {
            throw new BellmanException(ErrorCode.BELLMAN_CHECK_FAILED, summary(findings));
        }
        if (plan.functions().stream().noneMatch(function -> check.instances(function) > 0)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_USAGE,
                    ("no instance was compared in %.0f s; increase --minutes, list fewer --functions, or "
                                    + "choose different --strategies or a different --signature")
                            .formatted(plan.seconds()));
        }
    }

    static String summary(List<Finding> findings) {
        String first = "%s with %s"
                .formatted(findings.get(0).function(), findings.get(0).solver());
        return findings.size() == 1
                ? ("found a difference in %s; the lines above describe it. Please report this bug, and use a different "
                                + "strategy until it is fixed")
                        .formatted(first)
                : ("found %d differences, the first in %s; the lines above describe them. Please report these "
                                + "bugs, and use a different strategy until they are fixed")
                        .formatted(findings.size(), first);
    }

    private List<BellmanFunction<?>> chosen(List<BellmanFunction<?>> catalogue) {
        Set<String> known =
                catalogue.stream().map(BellmanFunction::name).collect(Collectors.toCollection(TreeSet::new));
        mustBeKnown("function", functions, known);
        mustBeKnown(
                "strategy",
                strategies,
                Stream.concat(
                                catalogue.stream().flatMap(function -> function.problem().strategies().stream()),
                                Subjects.OTHER_WAYS.stream())
                        .collect(Collectors.toCollection(TreeSet::new)));
        return catalogue.stream()
                .filter(function -> functions.isEmpty() || functions.contains(function.name()))
                .toList();
    }

    /**
     * Returns the functions whose kernels can be checked, and prints the names of the other functions. Fails if none of
     * the functions remains. In a query, the arguments of all instances are columns, and some kernels require
     * constants.
     */
    static List<BellmanFunction<?>> withKernels(List<BellmanFunction<?>> chosen, PrintWriter out) {
        chosen.stream()
                .filter(function -> !isOnGpu(function))
                .forEach(function -> out.printf(
                        "%s runs only on the CPU%s; --engine gpu skips it%n",
                        function.name(), function.hasKernel() ? " unless some arguments are constant" : ""));
        List<BellmanFunction<?>> left =
                chosen.stream().filter(CheckCommand::isOnGpu).toList();
        if (left.isEmpty()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_USAGE,
                    "none of the functions to check has a GPU kernel that accepts columns for all arguments; use "
                            + "--engine cpu");
        }
        return left;
    }

    private static boolean isOnGpu(BellmanFunction<?> function) {
        return function.hasKernel() && function.constantOnGpu().isEmpty();
    }

    private static void mustBeKnown(String what, Set<String> names, Set<String> known) {
        names.stream().filter(name -> !known.contains(name)).findFirst().ifPresent(name -> {
            throw new BellmanException(ErrorCode.BELLMAN_USAGE, Suggestion.unknown(what, name, known));
        });
    }

    private Set<Engine> engines(SparkSession spark) {
        boolean gpu = EngineCheck.hasPlugin(spark);
        return switch (engine) {
            case CPU -> EnumSet.of(Engine.CPU, Engine.CPU_QUERY);
            case AUTO -> gpu ? EnumSet.allOf(Engine.class) : EnumSet.of(Engine.CPU, Engine.CPU_QUERY);
            case GPU -> {
                EngineCheck.requirePlugin(spark);
                yield EnumSet.of(Engine.GPU);
            }
        };
    }
}
