package dev.bellman.job.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.terminal.ExitCode;
import dev.bellman.job.text.TestFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.lang3.ArrayUtils;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that every path is either read completely or refused. */
class InputFilesTest {
    private final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    private Path input;
    private Path output;

    @BeforeEach
    void makeFolders() throws IOException {
        input = Files.createDirectory(folder.resolve("in"));
        output = folder.resolve("out");
    }

    private CommandLineRun run(String format, Object... paths) {
        return CommandLineRun.of(Stream.concat(
                        Stream.of(
                                "run",
                                "--problem=edit_distance",
                                "--argument=id",
                                "--argument='x'",
                                "--input-format=" + format,
                                "--output=" + output,
                                "--output-mode=overwrite"),
                        Arrays.stream(paths)
                                .map(path -> path.toString().startsWith("--") ? "" + path : "--input=" + path))
                .toArray(String[]::new));
    }

    private List<String> ids() {
        return spark.read().parquet(output.toString()).select("id").collectAsList().stream()
                .map(row -> String.valueOf(row.get(0)))
                .sorted()
                .toList();
    }

    private static void expect(CommandLineRun run, String code, String... message) {
        run.assertCode(ExitCode.INPUT)
                .startsWith("error: [" + code + "] job: ")
                .contains(message)
                .hasLineCount(1);
    }

    private Path write(String name, String text) throws IOException {
        return TestFiles.compress(text.getBytes(StandardCharsets.UTF_8), input.resolve(name));
    }

    /** Reads uncompressed files and files with every compression, both through their folder and by their names. */
    @ParameterizedTest
    @ValueSource(strings = {"fasta", "csv", "json"})
    void everyCompression(String format) throws IOException {
        String text =
                switch (format) {
                    case "fasta" -> ">%s\nAC\n>2%1$s\nAC\n";
                    case "csv" -> "id\n%s\n2%1$s\n";
                    default -> "{\"id\":\"%s\"}\n{\"id\":\"2%1$s\"}\n";
                };
        List<Path> files = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        for (String suffix : ArrayUtils.add(TestFiles.COMPRESSIONS, "")) {
            String id = "1" + suffix;
            files.add(write("a." + format + suffix, text.formatted(id)));
            ids.addAll(List.of(id, "2" + id));
        }
        ids.sort(null);
        for (Object[] paths : List.of(new Object[] {input}, files.toArray())) {
            assertThat(run(format, paths).err()).isEmpty();
            assertThat(ids()).isEqualTo(ids);
        }
    }

    @Test
    void whatSparkCompresses() {
        List<String> codecs = List.of("gzip", "bzip2", "lz4", "snappy", "deflate");
        for (String codec : codecs) {
            spark.range(5000)
                    .selectExpr("concat('%s', id) id".formatted(codec))
                    .write()
                    .option("compression", codec)
                    .json(folder.resolve(codec).toString());
        }
        assertThat(run("json", codecs.stream().map(folder::resolve).toArray()).err())
                .isEmpty();
        assertThat(ids()).hasSize(5 * 5000).doesNotHaveDuplicates();
    }

    @Test
    void hiddenNames() throws IOException {
        Path other = write("b.fasta", ">b\nAC\n");
        for (String name : List.of("_a.fasta", ".a.fasta", "a.fasta._COPYING_")) {
            Path hidden = write(name, ">a\nAC\n");
            expect(
                    run("fasta", hidden),
                    "BELLMAN_INPUT_READ",
                    name,
                    "Spark skips files whose names start with _ or . or end in ._COPYING_");
            expect(run("fasta", other, hidden), "BELLMAN_INPUT_READ", name);
        }
        assertThat(run("fasta", input).err()).isEmpty();
        assertThat(ids()).containsExactly("b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.fasta.zip", "a.fasta.Z", "a.fasta.lzma"})
    void codecsThatAreNotRead(String name) throws IOException {
        Files.writeString(input.resolve(name), ">a\nAC\n");
        write("b.fasta", ">b\nAC\n");
        expect(run("fasta", input), "BELLMAN_INPUT_READ", name, "is not supported; unpack the file");
    }

    /** A reader of a pipe, or of most devices, would never end. */
    @ParameterizedTest
    @ValueSource(strings = {"fasta", "fastq", "csv", "tsv", "json", "parquet", "orc", "text"})
    @Timeout(60)
    void pipes(String format) throws IOException {
        write("b.csv", "id\nb\n");
        Path pipe = TestFiles.pipe(input.resolve("a.csv"));
        for (Object path : List.of(pipe, input, input + "/*", "/dev/zero")) {
            expect(
                    run(format, path),
                    "BELLMAN_INPUT_READ",
                    path.equals("/dev/zero") ? "/dev/zero" : "a.csv",
                    "it is a pipe, a socket or a device, not a file");
        }
    }

    /** Tests pipes as graphs, as matrices, and as the other files to which a job refers. */
    @Test
    @Timeout(60)
    void pipesOfOtherJobs() throws IOException {
        Path pipe = TestFiles.pipe(folder.resolve("pipe"));
        Path csv = write("b.csv", "id\nb\n");
        String pairs = " --argument=id --argument='x' --input=" + csv;
        for (String job : List.of(
                "--problem=all_pairs_shortest_paths --input-format=gr --input=",
                "--problem=all_pairs_shortest_paths --input-format=mtx --input=",
                "--problem=matrix_elimination --input-format=mtx --input=",
                "--problem=edit_distance --pairing=cross --argument=id --input-format=csv --targets-format=csv --input="
                        + csv + " --targets=",
                "--problem=alignment --results=alignment_score --scoring-open=5" + pairs + " --scoring-matrix=",
                "--problem=profile_score --argument=id --input=" + csv + " --parameter=profile=",
                "--problem=rna_fold --argument=id --input=" + csv + " --parameter=options=parameters ")) {
            List<String> flags = new ArrayList<>(List.of("run", "--output=" + output));
            flags.addAll(Arrays.asList(job.split(" (?=--)")));
            flags.set(flags.size() - 1, flags.get(flags.size() - 1) + pipe);
            CommandLineRun run = CommandLineRun.of(flags.toArray(String[]::new));

            assertThat(run.err()).as(job).contains(pipe.toString(), "it is a pipe, a socket or a device, not a file");
            assertThat(run.code()).as(job).isIn(ExitCode.INPUT, ExitCode.USAGE);
        }
    }

    @Test
    void emptyFiles() throws IOException {
        write("b.fasta", ">b\nAC\n");
        Path empty = Files.createFile(input.resolve("a.fasta"));
        CommandLineRun both = run("fasta", input.resolve("b.fasta"), empty);
        assertThat(both.err()).isEmpty();
        assertThat(both.out()).contains("a.fasta has no rows");
        // in a folder with other files, the empty file simply has no records
        assertThat(run("fasta", input).err()).isEmpty();

        Path compressed = Files.createFile(input.resolve("c.fasta.gz"));
        expect(
                run("fasta", input),
                "BELLMAN_INPUT_READ",
                compressed.toString(),
                "the file is empty, but compressed files cannot be empty");
        expect(run("fasta", compressed), "BELLMAN_INPUT_READ", compressed.toString());
        Files.delete(compressed);
        Files.createFile(input.resolve("d.parquet"));
        expect(
                run("parquet", input.resolve("d.parquet")),
                "BELLMAN_INPUT_READ",
                "the file is empty, but files in this format cannot be empty");
        expect(
                run("orc", input.resolve("d.parquet")),
                "BELLMAN_INPUT_READ",
                "the file is empty, but files in this format cannot be empty");
        expect(
                run("csv", Files.createDirectory(folder.resolve("none"))),
                "BELLMAN_INPUT_EMPTY",
                "contains no data files");
    }

    /** Each path is read, and paths without rows are reported. */
    @Test
    void pathsWithoutRows() throws IOException {
        Path good = write("a.csv", "id\n1\n");
        assertThat(run("csv", good, write("b.csv", "id\n")).out()).contains("b.csv has no rows");
        assertThat(run("csv", good, write("c.csv.gz", "id\n")).out()).contains("c.csv.gz has no rows");
        expect(run("csv", good, input.resolve("nope.csv")), "BELLMAN_INPUT_READ", "no input exists at");
        expect(run("csv", good, input.resolve("n*pe.csv")), "BELLMAN_INPUT_READ", "no input exists at");
    }

    @Test
    void foldersInFolders() throws IOException {
        write("a.csv", "id\n1\n");
        Path inner = Files.createDirectory(input.resolve("more"));
        Files.writeString(inner.resolve("b.csv"), "id\n2\n");
        expect(
                run("csv", input),
                "BELLMAN_INPUT_READ",
                "more/b.csv is in a subfolder of the input",
                "recursiveFileLookup");
        assertThat(run("csv", input, "--input-option=recursiveFileLookup=true").err())
                .isEmpty();
        assertThat(ids()).containsExactly("1", "2");
        assertThat(run("csv", input, "--input-option=pathGlobFilter=a*").err()).isEmpty();
        assertThat(ids()).containsExactly("1");
    }

    @Test
    void partitions() throws IOException {
        for (String day : List.of("day=1", "day=2")) {
            Files.createDirectory(input.resolve(day));
            Files.writeString(input.resolve(day).resolve("a.csv"), "id\n" + day + "\n");
        }
        assertThat(run("csv", input, "--keep=day").err()).isEmpty();
        assertThat(ids()).containsExactly("day=1", "day=2");
        assertThat(run("csv", input + "/*/a.csv").err()).isEmpty();
        assertThat(ids()).containsExactly("day=1", "day=2");
    }

    /** A path is a pattern only if no file has that name. */
    @Test
    void namesLikePatterns() throws IOException {
        write("run1.csv", "id\nother\n");
        write("a.csv", "id\nother\n");
        Path[] odd = {
            write("run[1].csv", "id\n1\n"),
            write("{a,b}.csv", "id\n2\n"),
            write("a*.csv", "id\n3\n"),
            write("a b%20ü.csv", "id\n4\n")
        };
        assertThat(run("csv", (Object[]) odd).err()).isEmpty();
        assertThat(ids()).containsExactly("1", "2", "3", "4");
        assertThat(run("csv", input.resolve("run*.csv")).err()).isEmpty();
        assertThat(ids()).containsExactly("1", "other");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fasta", "csv", "json"})
    void damageIsAnError(String format) throws IOException {
        StringBuilder text = new StringBuilder(format.equals("csv") ? "id\n" : "");
        for (int i = 0; i < 20_000; i++) {
            text.append(
                    switch (format) {
                        case "fasta" -> ">r" + i + "\nACGT\n";
                        case "csv" -> i + "\n";
                        default -> "{\"id\": " + i + "}\n";
                    });
        }
        Path file = write("a." + format + ".gz", text.toString());
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 1));
        expect(run(format, file), "BELLMAN_INPUT_FORMAT", "a." + format + ".gz, line ", "damaged or ends too early");
        byte[] damaged = whole.clone();
        damaged[whole.length / 2] ^= 4;
        Files.write(file, damaged);
        expect(run(format, file), "BELLMAN_INPUT_FORMAT", "a." + format + ".gz, line ", "damaged or ends too early");
    }

    /** A damaged file is an error, even if a setting of the session ignores damaged files. */
    @Test
    void sparkPassesOverNothing() throws IOException {
        Path parquet = folder.resolve("p");
        spark.range(10).write().parquet(parquet.toString());
        Files.writeString(parquet.resolve("damaged.parquet"), "PAR1 nothing PAR1");
        spark.conf().set("spark.sql.files.ignoreCorruptFiles", "true");
        try {
            expect(run("parquet", parquet), "BELLMAN_INPUT_READ", "damaged.parquet");
        } finally {
            spark.conf().unset("spark.sql.files.ignoreCorruptFiles");
        }
    }

    /** A checksum reveals a flipped bit in a Parquet page. */
    @Test
    void parquetPagesAreChecked() throws IOException {
        Path parquet = folder.resolve("p");
        spark.range(1000)
                .selectExpr("uuid() id")
                .coalesce(1)
                .write()
                .option("compression", "none")
                .parquet(parquet.toString());
        Path file;
        try (Stream<Path> files = Files.list(parquet)) {
            file = files.filter(each -> each.toString().endsWith(".parquet"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] damaged = Files.readAllBytes(file);
        damaged[2000] ^= 1;
        Path copy = Files.write(folder.resolve("copy.parquet"), damaged);
        expect(run("parquet", copy), "BELLMAN_INPUT_READ", "copy.parquet");
    }

    @Test
    void rowsOfManyPaths() throws IOException {
        Path a = write("a.csv", "id\n1\n");
        Path b = write("b.csv.lz4", "id\n2\n");
        assertThat(run("csv", a, b).err()).isEmpty();
        assertThat(spark.read().parquet(output.toString()).collectAsList())
                .extracting(Row::toString)
                .containsExactlyInAnyOrder("[1,1]", "[2,1]");
    }
}
