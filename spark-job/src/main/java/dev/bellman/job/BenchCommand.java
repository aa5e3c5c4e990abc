package dev.bellman.job;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bellman bench}: each suite of benchmarks is a subcommand. */
@Command(name = "bench", mixinStandardHelpOptions = true, description = "Runs a suite of benchmarks.")
final class BenchCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        String suites = spec.subcommands().isEmpty()
                ? "there are none yet"
                : "there are " + String.join(", ", spec.subcommands().keySet());
        throw new ParameterException(spec.commandLine(), "name a suite of benchmarks; " + suites);
    }
}
