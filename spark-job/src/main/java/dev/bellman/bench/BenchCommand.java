package dev.bellman.bench;

import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.paper.MatsumaeChainSuite;
import dev.bellman.bench.paper.MatsumaeSuite;
import dev.bellman.bench.paper.WaniSuite;
import dev.bellman.bench.paper.WuSuite;
import dev.bellman.bench.paper.ZhaoSuite;
import dev.bellman.bench.tiles.JavanmardSuite;
import dev.bellman.job.spec.CommandName;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code bench}, whose subcommands are the suites. */
@Command(
        name = "bench",
        footer = {"", CommandName.SPARK_OPTIONS},
        description = "Runs a benchmark suite or, with --quick, takes one measurement from each suite that measures "
                + "functions.",
        mixinStandardHelpOptions = true,
        subcommands = {
            PairsSuite.class,
            RecordsSuite.class,
            ScanSuite.class,
            AlignSuite.class,
            ChainsSuite.class,
            JoinSuite.class,
            NamesSuite.class,
            RnaSuite.class,
            SeriesSuite.class,
            FunctionsSuite.class,
            ModelsSuite.class,
            JavanmardSuite.class,
            MatsumaeSuite.class,
            MatsumaeChainSuite.class,
            WaniSuite.class,
            WuSuite.class,
            ZhaoSuite.class
        })
public final class BenchCommand implements Callable<Integer> {
    /**
     * The suites that measure functions. The other suites reproduce papers, or measure record linkage or file reading.
     */
    private static final List<String> QUICK =
            List.of("pairs", "align", "chains", "join", "names", "rna", "series", "models", "functions");

    @Spec
    private CommandSpec command;

    @Option(
            names = "--quick",
            description = "take one measurement from each suite that measures functions, in about a minute")
    private boolean quick;

    @Override
    public Integer call() {
        if (!quick) {
            throw new ParameterException(
                    command.commandLine(),
                    "missing suite; expected --quick or one of "
                            + String.join(", ", command.subcommands().keySet()));
        }
        JoinSuite.useExtensions();
        boolean own = SparkSession.getDefaultSession().isEmpty();
        // the suites use this session and leave it running
        SparkSession spark = Bench.session();
        for (String suite : QUICK) {
            command.commandLine().getOut().println("\n" + suite);
            int code = command.subcommands().get(suite).execute("--quick");
            if (code != 0) {
                return code;
            }
        }
        if (own) {
            spark.stop();
        }
        return 0;
    }
}
