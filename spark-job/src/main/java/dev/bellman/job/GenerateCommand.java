package dev.bellman.job;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.generate.Alphabet;
import dev.bellman.job.generate.ChainsSpec;
import dev.bellman.job.generate.Divergence;
import dev.bellman.job.generate.Generator;
import dev.bellman.job.generate.Lengths;
import dev.bellman.job.generate.PairsSpec;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code generate}: synthetic instances as Parquet. */
@Command(
        name = "generate",
        description = "Write reproducible synthetic instances as Parquet.",
        mixinStandardHelpOptions = true,
        subcommands = {GenerateCommand.Pairs.class, GenerateCommand.Chains.class})
final class GenerateCommand implements Runnable {
    @Spec
    private CommandSpec command;

    @Override
    public void run() {
        throw new ParameterException(command.commandLine(), "generate what? Give pairs or chains");
    }

    /** What all kinds of instances have in common. */
    static final class Target {
        private static final List<String> MODES = List.of("error", "overwrite", "append", "ignore");

        @Option(names = "--count", required = true, paramLabel = "N", description = "Rows to write.")
        private long count;

        @Option(
                names = "--seed",
                defaultValue = "1",
                paramLabel = "N",
                description = "The same seed gives the same rows. Default: ${DEFAULT-VALUE}")
        private long seed;

        @Option(
                names = "--partitions",
                defaultValue = "0",
                paramLabel = "N",
                description = "Files to write; the rows do not depend on it. Default: as suits the cores and the size")
        private int partitions;

        @Option(names = "--output", required = true, paramLabel = "PATH", description = "Folder to write.")
        private String output;

        @Option(
                names = "--mode",
                defaultValue = "error",
                paramLabel = "MODE",
                description = "If the output exists: error, overwrite, append or ignore. Default: ${DEFAULT-VALUE}")
        private String mode;

        void write(Function<SparkSession, Dataset<Row>> rows) {
            if (!MODES.contains(mode.toLowerCase(Locale.ROOT))) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_USAGE,
                        "--mode is '" + mode + "'; it must be one of " + String.join(", ", MODES));
            }
            boolean own = SparkSession.getDefaultSession().isEmpty();
            SparkSession spark = SparkSession.builder().appName("bellman").getOrCreate();
            try {
                rows.apply(spark).write().mode(mode).parquet(output);
            } catch (Exception e) {
                // Scala does not declare that this is thrown
                if (e instanceof SparkThrowable failure && "PATH_ALREADY_EXISTS".equals(failure.getCondition())) {
                    throw new BellmanException(
                            ErrorCode.BELLMAN_OUTPUT_EXISTS,
                            "the output " + output + " exists; choose another, or --mode overwrite or append",
                            e);
                }
                throw e;
            } finally {
                if (own) {
                    spark.stop();
                }
            }
        }
    }

    /** {@code generate pairs}. */
    @Command(
            name = "pairs",
            description = "Pairs of sequences: id BIGINT, a STRING, b STRING.",
            mixinStandardHelpOptions = true)
    static final class Pairs implements Runnable {
        @Mixin
        private Target target;

        @Option(
                names = "--length",
                defaultValue = "150",
                paramLabel = "LENGTH",
                description = "N, MIN-MAX, normal:MEAN,SD or lognormal:MEAN,SD characters. Default: ${DEFAULT-VALUE}")
        private String length;

        @Option(
                names = "--alphabet",
                defaultValue = "dna",
                paramLabel = "ALPHABET",
                description =
                        "dna, rna, protein, lowercase, ascii, unicode, or the letters themselves. Default: ${DEFAULT-VALUE}")
        private String alphabet;

        @Option(
                names = "--divergence",
                defaultValue = "independent",
                paramLabel = "RATE",
                description =
                        "The part of the letters of a, 0 to 1, where b has a substitution, insertion or deletion; or"
                                + " independent. Default: ${DEFAULT-VALUE}")
        private String divergence;

        @Override
        public void run() {
            PairsSpec spec = new PairsSpec(
                    target.count,
                    Lengths.parse(length),
                    Alphabet.of(alphabet),
                    Divergence.parse(divergence),
                    target.seed,
                    target.partitions);
            target.write(spark -> Generator.pairs(spark, spec));
        }
    }

    /** {@code generate chains}. */
    @Command(
            name = "chains",
            description = "Chains of matrices: id BIGINT, dims ARRAY<INT>.",
            mixinStandardHelpOptions = true)
    static final class Chains implements Runnable {
        @Mixin
        private Target target;

        @Option(
                names = "--matrices",
                defaultValue = "50-500",
                paramLabel = "LENGTH",
                description = "N, MIN-MAX, normal:MEAN,SD or lognormal:MEAN,SD matrices in a chain. Default:"
                        + " ${DEFAULT-VALUE}")
        private String matrices;

        @Option(
                names = "--dimensions",
                defaultValue = "1-1000",
                paramLabel = "SIZE",
                description = "N, MIN-MAX, normal:MEAN,SD or lognormal:MEAN,SD rows and columns of a matrix. Default:"
                        + " ${DEFAULT-VALUE}")
        private String dimensions;

        @Override
        public void run() {
            ChainsSpec spec = new ChainsSpec(
                    target.count, Lengths.parse(matrices), Lengths.parse(dimensions), target.seed, target.partitions);
            target.write(spark -> Generator.chains(spark, spec));
        }
    }
}
