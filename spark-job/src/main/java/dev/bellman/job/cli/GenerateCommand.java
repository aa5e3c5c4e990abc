package dev.bellman.job.cli;

import dev.bellman.Strategies;
import dev.bellman.generate.Alphabet;
import dev.bellman.generate.ChainsSpec;
import dev.bellman.generate.Divergence;
import dev.bellman.generate.Generator;
import dev.bellman.generate.Lengths;
import dev.bellman.generate.PairsSpec;
import dev.bellman.job.output.SaveMode;
import dev.bellman.job.output.StagedOutput;
import dev.bellman.job.progress.Quantity;
import dev.bellman.job.spec.CommandName;
import dev.bellman.job.terminal.Failures;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import org.apache.hadoop.fs.FSError;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The command {@code generate}: writes synthetic instances as Parquet. */
@Command(
        name = "generate",
        footer = {"", CommandName.SPARK_OPTIONS},
        description = "Writes reproducible synthetic rows as Parquet.",
        mixinStandardHelpOptions = true,
        subcommands = {GenerateCommand.Pairs.class, GenerateCommand.Chains.class})
public final class GenerateCommand implements Runnable {
    @Spec
    private CommandSpec command;

    @Override
    public void run() {
        throw new ParameterException(
                command.commandLine(), "missing subcommand; use generate pairs or generate chains");
    }

    /** Options that all kinds of instances share. */
    static final class Target {
        @Option(names = "--count", required = true, paramLabel = "N", description = "number of rows to write")
        private long count;

        @Option(
                names = "--seed",
                defaultValue = "1",
                paramLabel = "N",
                description = "seed for the random rows; the same seed always yields the same rows "
                        + "(default: ${DEFAULT-VALUE})")
        private long seed;

        @Option(
                names = "--output-partitions",
                defaultValue = "0",
                paramLabel = "N",
                description = "number of files to write; it does not affect the rows; the default depends on the "
                        + "number of cores and the size of the data")
        private int partitions;

        @Option(names = "--output", required = true, paramLabel = "PATH", description = "folder to write")
        private String output;

        @Option(
                names = "--output-mode",
                defaultValue = "error",
                converter = ModeConverter.class,
                paramLabel = "MODE",
                description = "what to do if the output exists: error, overwrite, overwrite-force, append or ignore "
                        + "(default: ${DEFAULT-VALUE})")
        private SaveMode mode;

        private static void write(Dataset<Row> rows, StagedOutput staged) {
            String folder = staged.folder();
            try {
                rows.write().mode("append").parquet(folder);
            } catch (Exception | FSError e) {
                throw staged.writeFailure(e).orElseGet(() -> Failures.explain(e));
            }
        }

        void write(PrintWriter out, Function<SparkSession, Dataset<Row>> rows) {
            try (Session session = Session.open("bellman: generate %s".formatted(output));
                    StagedOutput staged = StagedOutput.open(
                            output, mode, session.spark().sparkContext().hadoopConfiguration(), out::println)) {
                if (staged.ignored()) {
                    out.println("the output %s exists; nothing was written".formatted(staged.display()));
                    return;
                }
                long start = System.nanoTime();
                write(rows.apply(session.spark()), staged);
                staged.commit();
                out.println("%s in %s: %s (parquet)"
                        .formatted(
                                Quantity.count(count, "row"),
                                Quantity.duration((System.nanoTime() - start) / 1e9),
                                staged.display()));
            }
        }
    }

    /** Converts the name of a save mode, as spelled in job files, to the save mode. */
    static final class ModeConverter implements ITypeConverter<SaveMode> {
        @Override
        public SaveMode convert(String name) {
            return Arrays.stream(SaveMode.values())
                    .filter(mode -> Strategies.name(mode).equals(name.toLowerCase(Locale.ROOT)))
                    .findFirst()
                    // Main catches this exception and lists the valid names
                    .orElseThrow(() -> new TypeConversionException(name));
        }
    }

    @Command(
            name = "pairs",
            description = "Pairs of sequences: id BIGINT, a STRING, b STRING.",
            mixinStandardHelpOptions = true)
    static final class Pairs implements Runnable {
        @Spec
        private CommandSpec command;

        @Mixin
        private Target target;

        @Option(
                names = "--length",
                defaultValue = "150",
                paramLabel = "LENGTH",
                description = "number of characters: N, MIN-MAX, normal:MEAN,SD or lognormal:MEAN,SD "
                        + "(default: ${DEFAULT-VALUE})")
        private String length;

        @Option(
                names = "--alphabet",
                defaultValue = "dna",
                paramLabel = "ALPHABET",
                description = "dna, rna, protein, lowercase, ascii, unicode, or a list of letters "
                        + "(default: ${DEFAULT-VALUE})")
        private String alphabet;

        @Option(
                names = "--divergence",
                defaultValue = "independent",
                paramLabel = "RATE",
                description = "the share of the letters in a that are edited in b (substituted, deleted or preceded "
                        + "by an insertion), from 0 to 1, or independent (default: ${DEFAULT-VALUE})")
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
            target.write(command.commandLine().getOut(), spark -> Generator.pairs(spark, spec));
        }
    }

    @Command(
            name = "chains",
            description = "Chains of matrices: id BIGINT, dims ARRAY<INT>.",
            mixinStandardHelpOptions = true)
    static final class Chains implements Runnable {
        @Spec
        private CommandSpec command;

        @Mixin
        private Target target;

        @Option(
                names = "--matrices",
                defaultValue = "50-500",
                paramLabel = "LENGTH",
                description = "number of matrices in a chain: N, MIN-MAX, normal:MEAN,SD or lognormal:MEAN,SD "
                        + "(default: ${DEFAULT-VALUE})")
        private String matrices;

        @Option(
                names = "--dimensions",
                defaultValue = "1-1000",
                paramLabel = "SIZE",
                description = "number of rows and columns of a matrix: N, MIN-MAX, normal:MEAN,SD or "
                        + "lognormal:MEAN,SD (default: ${DEFAULT-VALUE})")
        private String dimensions;

        @Override
        public void run() {
            ChainsSpec spec = new ChainsSpec(
                    target.count, Lengths.parse(matrices), Lengths.parse(dimensions), target.seed, target.partitions);
            target.write(command.commandLine().getOut(), spark -> Generator.chains(spark, spec));
        }
    }
}
