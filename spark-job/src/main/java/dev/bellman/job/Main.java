package dev.bellman.job;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Suggestion;
import dev.bellman.job.cli.FunctionsCommand;
import dev.bellman.job.cli.GenerateCommand;
import dev.bellman.job.cli.KeysCommand;
import dev.bellman.job.cli.PathCommand;
import dev.bellman.job.cli.ProcessEnd;
import dev.bellman.job.cli.RunCommand;
import dev.bellman.job.cli.ShowCommand;
import dev.bellman.job.progress.Milestones;
import dev.bellman.job.report.Versions;
import dev.bellman.job.terminal.ExitCode;
import dev.bellman.job.terminal.Failures;
import dev.bellman.job.terminal.Printable;
import dev.bellman.job.terminal.StandardOutput;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.util.ShutdownHookManager;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ITypeInfo;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The main class of the application jar. */
@Command(
        name = "bellman",
        scope = ScopeType.INHERIT,
        description = "Solves millions of independent dynamic-programming problems as one Apache Spark batch job.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionLines.class)
public final class Main implements Runnable {
    private static final List<Class<?>> COMMANDS = List.of(
            RunCommand.class,
            ShowCommand.class,
            PathCommand.class,
            GenerateCommand.class,
            FunctionsCommand.class,
            KeysCommand.class);

    /** Commands that are in separate jars, which production does not need. */
    private static final List<OptionalCommand> OPTIONAL = List.of(
            new OptionalCommand("bench", "dev.bellman.bench.BenchCommand", "-bench.jar"),
            new OptionalCommand("check", "dev.bellman.check.CheckCommand", "-check.jar"),
            new OptionalCommand("instances", "dev.bellman.check.instances.InstancesCommand", "-check.jar"));

    /** The end of the help that lists the commands. Subcommands do not inherit it. */
    private static final String[] FOOTER = {
        "",
        "${env:BELLMAN_COMMAND:-submit/bellman} run --gpus N uses N GPUs of this host, by default all of them. "
                + "Each of several GPUs gets its own executor.",
        "${env:BELLMAN_COMMAND:-submit/bellman} also accepts the options of spark-submit: --master, --conf, "
                + "--properties-file, --jars, --driver-memory, and so on. BELLMAN_DRIVER_MEMORY also sets "
                + "the driver's memory.",
        "",
        "Exit codes: 0 success, 1 invalid usage, 2 invalid job file, input, output or configuration, 3 internal "
                + "error, failure to write, or different results, 4 a GPU was required but not used, 5 success, "
                + "but rows were quarantined."
    };

    /** Options that users may expect, mapped to the options that exist. */
    private static final Map<String, String> OTHER_NAMES = Map.of(
            "--rows", "--count",
            "--limit", "--count",
            "--work", "--output",
            "--edits", "--max",
            "--column", "--argument",
            "--columns", "--argument",
            "--format", "--output-format",
            "--functions", "--results",
            "--results", "--functions");

    /** Options that {@code submit/bellman} removes from the command line. */
    private static final List<String> OF_LAUNCHER =
            List.of("--gpus", "--master", "--conf", "--properties-file", "--jars", "--driver-memory");

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--verbose",
            scope = ScopeType.INHERIT,
            description = "print stack traces, milestones and, with --dry-run, the plan")
    private boolean verbose;

    private Main() {}

    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(
                new StandardOutput(new FileOutputStream(FileDescriptor.out)), true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        Milestones.reach("Bellman");
        ExitCode code = execute(out, err, err, arguments);
        ProcessEnd.endIfLeft(code.number());
        if (code != ExitCode.DONE) {
            // the reason has already been printed, but threads that end with the process could still print stack traces
            System.setErr(new PrintStream(OutputStream.nullOutputStream(), true));
            System.exit(code.number());
        }
    }

    /**
     * Runs a command line. Uses the existing Spark session, if there is one, and leaves it running.
     *
     * @param progress receives progress lines
     */
    static ExitCode execute(PrintWriter out, PrintWriter err, PrintWriter progress, String... arguments) {
        Main main = new Main();
        IFactory made = new Commands(progress);
        CommandLine commandLine = new CommandLine(main, made);
        if (arguments.length == 1 && List.of("-h", "--help").contains(arguments[0])) {
            list(commandLine);
        } else {
            commands().forEach(type -> commandLine.addSubcommand(new CommandLine(type, made)));
        }
        commandLine.getCommandSpec().usageMessage().footer(FOOTER);
        commandLine
                .setOut(out)
                .setErr(err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionStrategy(Main::executed)
                .setParameterExceptionHandler(Main::usage)
                .setExecutionExceptionHandler(
                        (failure, command, result) -> main.failure(failure, err).number());
        int number;
        try {
            number = commandLine.execute(arguments);
        } catch (Error e) {
            number = main.failure(e, err).number();
        }
        if (number == ExitCode.DONE.number() && out.checkError() && onlyPrints(commandLine.getParseResult())) {
            number = main.failure(
                            new BellmanException(
                                    ErrorCode.BELLMAN_OUTPUT_WRITE,
                                    "cannot write to the standard output; free space if it is a file on a full disk"),
                            err)
                    .number();
        }
        for (ExitCode code : ExitCode.values()) {
            if (code.number() == number) {
                return code;
            }
        }
        throw new IllegalStateException("not a valid exit code: " + number);
    }

    /** Whether a command has no effect other than its printed lines. */
    private static boolean onlyPrints(ParseResult arguments) {
        if (!arguments.hasSubcommand()) {
            return true;
        }
        ParseResult command = arguments.subcommand();
        return switch (command.commandSpec().name()) {
            case "run" -> command.hasMatchedOption("--dry-run");
            case "generate" -> false;
            default -> true;
        };
    }

    private static Stream<Class<?>> commands() {
        return Stream.concat(COMMANDS.stream(), OPTIONAL.stream().flatMap(each -> each.type().stream()));
    }

    /**
     * Adds the commands without their options, for a list of all commands. Creating the options would load all
     * functions, which would take most of the time of --help.
     */
    private static void list(CommandLine commandLine) {
        commands()
                .map(type -> type.getAnnotation(Command.class))
                .forEach(command -> commandLine.addSubcommand(
                        command.name(),
                        CommandSpec.create().usageMessage(new UsageMessageSpec().description(command.description()))));
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "missing command; expected one of "
                        + String.join(", ", spec.subcommands().keySet()));
    }

    private static int executed(ParseResult arguments) {
        for (CommandLine command : arguments.asCommandLineList()) {
            command.getParseResult().matchedOptions().stream()
                    .filter(option -> option.originalStringValues().contains(""))
                    .findFirst()
                    .ifPresent(option -> {
                        throw new ParameterException(command, option.longestName() + " needs a value");
                    });
        }
        return new RunLast().execute(arguments);
    }

    private static int usage(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        if (failure instanceof UnmatchedArgumentException unmatched
                && !unmatched.isUnknownOption()
                && !command.getSubcommands().isEmpty()) {
            String unknown = unmatched.getUnmatched().get(0);
            Optional<OptionalCommand> missing = OPTIONAL.stream()
                    .filter(each -> each.command().equals(unknown))
                    .findFirst();
            if (missing.isPresent()) {
                err.println("error: [BELLMAN_CONFIGURATION] " + missing.get().howToAdd());
                return ExitCode.of(ErrorCode.BELLMAN_CONFIGURATION).number();
            }
            err.println("error: [BELLMAN_USAGE] "
                    + Printable.lines(Suggestion.unknown(
                            "command", unknown, command.getSubcommands().keySet())));
        } else {
            err.println("error: [BELLMAN_USAGE] " + Printable.lines(explained(failure)));
        }
        err.println("try: %s --help".formatted(command.getCommandSpec().qualifiedName()));
        return ExitCode.USAGE.number();
    }

    private static String explained(ParameterException failure) {
        CommandSpec command = failure.getCommandLine().getCommandSpec();
        if (failure instanceof UnmatchedArgumentException unmatched && unmatched.isUnknownOption()) {
            String option = unmatched.getUnmatched().get(0).replaceFirst("=.*", "");
            Set<String> known = new LinkedHashSet<>(command.optionsMap().keySet());
            // the flag of the key input.path is --input
            String other = OTHER_NAMES.getOrDefault(option, option.replaceFirst("-path$", ""));
            if (known.contains(other)) {
                return "unknown option '%s'%s".formatted(option, Suggestion.hint(other, List.of(other)));
            }
            known.addAll(OF_LAUNCHER);
            // every long option resembles some short option
            known.removeIf(name -> option.startsWith("--") && !name.startsWith("--"));
            return "unknown option '%s'%s".formatted(option, Suggestion.hint(option, known));
        }
        if (failure.getArgSpec() instanceof OptionSpec option && failure.getValue() != null) {
            ITypeInfo type = option.typeInfo();
            List<ITypeInfo> elements = type.getAuxiliaryTypeInfos();
            ITypeInfo each = type.isCollection() && !elements.isEmpty() ? elements.get(0) : type;
            if (each.isEnum()) {
                List<String> names = each.getEnumConstantNames().stream()
                        .map(name -> name.toLowerCase(Locale.ROOT).replace('_', '-'))
                        .toList();
                String value = failure.getValue();
                return "%s is '%s'%s; it must be one of %s"
                        .formatted(
                                option.longestName(),
                                value,
                                Suggestion.hint(value.toLowerCase(Locale.ROOT), names),
                                String.join(", ", names));
            }
        }
        return failure.getMessage();
    }

    private ExitCode failure(Throwable failure, PrintWriter err) {
        if (ShutdownHookManager.get().isShutdownInProgress()) {
            // the process was asked to terminate, and the command itself reports this
            return ExitCode.FAILURE;
        }
        BellmanException explained = Failures.explain(failure);
        err.println("error: " + Printable.lines(explained.getMessage()));
        if (verbose) {
            failure.printStackTrace(err);
        }
        return ExitCode.of(explained.code());
    }

    /**
     * A command that is available only if its jar is on the class path.
     *
     * @param jar the end of the jar's file name
     */
    private record OptionalCommand(String command, String className, String jar) {
        Optional<Class<?>> type() {
            try {
                return Optional.of(
                        Class.forName(className, true, Thread.currentThread().getContextClassLoader()));
            } catch (ClassNotFoundException e) {
                return Optional.empty();
            }
        }

        String howToAdd() {
            return ("the command %s needs the jar whose name ends in %s in addition to the application jar; add it "
                            + "with --jars, or use submit/bellman in a checkout")
                    .formatted(command, jar);
        }
    }

    /** Creates the commands. Passes the writer for progress lines to {@code run}. */
    private record Commands(PrintWriter progress) implements IFactory {
        @Override
        public <K> K create(Class<K> type) throws Exception {
            return type == RunCommand.class
                    ? type.cast(new RunCommand(progress))
                    : CommandLine.defaultFactory().create(type);
        }
    }

    static final class VersionLines implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return Versions.all().entrySet().stream()
                    .map(entry -> entry.getKey() + " " + entry.getValue())
                    .collect(Collectors.joining("\n"))
                    .split("\n");
        }
    }
}
