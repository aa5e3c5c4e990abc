package dev.bellman.bench;

import dev.bellman.bench.paper.MatsumaeChainSuite;
import dev.bellman.bench.paper.MatsumaeSuite;
import dev.bellman.bench.paper.WaniSuite;
import dev.bellman.bench.paper.WuSuite;
import dev.bellman.bench.paper.ZhaoSuite;
import dev.bellman.bench.tiles.JavanmardSuite;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code bench}, whose subcommands are the suites. */
@Command(
        name = "bench",
        description = "Runs a suite of benchmarks.",
        mixinStandardHelpOptions = true,
        subcommands = {
            PairsSuite.class,
            AlignSuite.class,
            ChainsSuite.class,
            JoinSuite.class,
            NamesSuite.class,
            RnaSuite.class,
            SeriesSuite.class,
            ModelsSuite.class,
            JavanmardSuite.class,
            MatsumaeSuite.class,
            MatsumaeChainSuite.class,
            WaniSuite.class,
            WuSuite.class,
            ZhaoSuite.class
        })
public final class BenchCommand implements Runnable {
    @Spec
    private CommandSpec command;

    @Override
    public void run() {
        throw new ParameterException(
                command.commandLine(),
                "missing suite; one of "
                        + String.join(", ", command.subcommands().keySet()));
    }
}
