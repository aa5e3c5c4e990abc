package dev.bellman.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that every error has a code, an exit code and a message that contains its position. */
class CodesTest {
    private static final String CAST = "--argument=cast(split(dims, ',') as array<bigint>)";

    @TempDir
    static Path folder;

    @BeforeAll
    static void write() throws IOException {
        LocalSpark.session().sparkContext().hadoopConfiguration().set("fs.full.impl", FullDisk.class.getName());
        Files.writeString(folder.resolve("pairs.tsv"), "id\ta\tb\n1\tkitten\tsitting\n2\tx\ty\n");
        Files.writeString(folder.resolve("chains.csv"), "id,dims\nc1,\"10,20,30\"\nc2,\"10,x,30\"\nc3,\"5,6\"\n");
        Files.writeString(folder.resolve("not.parquet"), "this is no parquet file at all");
        Files.writeString(folder.resolve("not.orc"), "this is no orc file at all");
        Files.writeString(folder.resolve("empty.csv"), "");
        Files.writeString(folder.resolve("header.csv"), "id,a,b\n");
        Files.writeString(folder.resolve("not.csv.gz"), "no gzip");
        Files.writeString(folder.resolve("escape.csv"), "id,a\u001b[2J,b\n1,x,y\n");
        Files.createDirectories(folder.resolve("dir"));
        Files.writeString(folder.resolve("file"), "");
        String job =
                "problem: edit_distance\ninput: {path: %s/pairs.tsv}\noutput: {path: %1$s/out}\n".formatted(folder);
        Files.write(folder.resolve("utf16.yaml"), job.getBytes(StandardCharsets.UTF_16));
        Files.write(folder.resolve("utf16le.yaml"), job.getBytes(StandardCharsets.UTF_16LE));
        Files.write(folder.resolve("latin1.yaml"), ("name: \u00e4\n" + job).getBytes(StandardCharsets.ISO_8859_1));
        Files.writeString(folder.resolve("max.yaml"), job + "parameters: {max: abc}\n");
        Files.writeString(folder.resolve("exponent.yaml"), job + "parameters: {max: 1e3}\n");
        Files.writeString(folder.resolve("fraction.yaml"), job + "parameters: {max: 1.5}\n");
        Files.writeString(
                folder.resolve("compression.yaml"), job.replace("/out}", "/out, options: {compression: nope}}"));
        Files.writeString(folder.resolve("nul.yaml"), """
                problem: edit_distance
                input: {path: "pairs\\0.tsv"}
                output: {path: "out\\0"}
                """);
        Files.writeString(folder.resolve("zero.yaml"), "problem: edit_distance\nname: a\0b\n");
        Files.writeString(Files.createDirectory(folder.resolve("csv")).resolve("1.csv"), "a,b\nx,y\n");
        Files.writeString(folder.resolve("tabs.yaml"), "problem:\tx\n\tinput: y\n");
        Files.writeString(folder.resolve("anchors.yaml"), job + "keep: &k [*k]\n");
    }

    private static CommandLineRun run(String line) {
        return CommandLineRun.of(line.replace("$", "run --problem=edit_distance --input=@/pairs.tsv --output=@/out")
                .replace("%", "run --problem=matrix_chain --input=@/chains.csv --output=@/out")
                .replace("@", folder.toString())
                .split(" (?=--|@|/)|(?<=run|generate) "));
    }

    /**
     * {@code $} stands for a job on two pairs, {@code %} for a job on three chains, and {@code @} for the input folder.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            $ --parameter=max=two                  | 1 BELLMAN_USAGE | --parameter: parameters.max is 'two'; it must be of type INT
            $ --parameter=max=1.5                  | 1 BELLMAN_USAGE | parameters.max is '1.5'; it must be of type INT
            $ --parameter=max=1e3                  | 1 BELLMAN_USAGE | parameters.max is '1e3'; it must be of type INT
            $ --parameter=max=99999999999          | 1 BELLMAN_USAGE | parameters.max is '99999999999'; it must be of type INT
            $ --parameter=max=true                 | 1 BELLMAN_USAGE | parameters.max is 'true'; it must be of type INT
            $ --parameter=max                      | 1 BELLMAN_USAGE | KEY=VALUE
            $ --parameter=mx=1                     | 1 BELLMAN_USAGE | parameters.mx is not valid for edit_distance
            $ --engine=tpu                         | 1 BELLMAN_USAGE | --engine: engine is 'tpu' (did you mean 'gpu' or 'cpu'?); it must be one of auto, gpu, cpu
            $ --output-partitions=0                       | 1 BELLMAN_USAGE | --output-partitions: output.partitions must be a whole number
            $ --output-partitions=99999999999             | 1 BELLMAN_USAGE | --output-partitions: output.partitions must be a whole number
            $ --output-mode=replace                       | 1 BELLMAN_USAGE | --output-mode: output.mode is 'replace'
            $ --results=lcs                        | 1 BELLMAN_USAGE | --results: results is 'lcs'
            $ --argument=a                         | 1 BELLMAN_USAGE | --argument: edit_distance takes the arguments (a, b) or (a, b, max), but the job has [a]
            $ --argument=a,b                       | 1 BELLMAN_USAGE | --argument: edit_distance takes the arguments (a, b) or (a, b, max), but the job has [a,b]
            $ --argument=a --argument=             | 1 BELLMAN_USAGE | --argument needs a value
            $ --output-option=sep=                 | 1 BELLMAN_USAGE | --output-option: output.options.sep has no value
            $ --frobnicate                         | 1 BELLMAN_USAGE | unknown option '--frobnicate'
            run --problem=lcs                      | 1 BELLMAN_USAGE | command line: input.path is missing: a file, folder or glob pattern, or a list of them
            run --problem=lcs --input=@/pairs.tsv --output=@/x:y        | 1 BELLMAN_USAGE | --output: output.path is '@/x:y'; folder names must not contain NUL, characters
            run --problem=lcs --input=@/pairs.tsv --output=x:y          | 1 BELLMAN_USAGE | output.path is 'x:y'; folder names
            run --problem=lcs --input=@/pairs.tsv --output=@/x:y/z      | 1 BELLMAN_USAGE | folder names must not contain NUL, characters that this machine's locale cannot encode (set LC_ALL=C.UTF-8 to allow all characters), or colons, except after
            $ --output-option=path=@/other         | 1 BELLMAN_USAGE | --output-option: output.options.path is not an option; set the path with output.path
            $ --output-option=PATH=@/other         | 1 BELLMAN_USAGE | output.options.PATH is not an option
            $ --input-option=paths=@/other         | 1 BELLMAN_USAGE | input.options.paths is not an option; set the path with input.path
            $ --input-format=xml                    | 1 BELLMAN_USAGE | input.format is xml, which requires the name of the element that contains a row; set input.options.rowTag
            $ --output-format=xml                   | 1 BELLMAN_USAGE | output.format is xml, which requires the name of the element that contains a row; set output.options.rowTag
            run --problem=edit_cigar --input=@/pairs.tsv --output=@/out --results=lcs | 1 BELLMAN_USAGE | --results: results is 'lcs'; it must be one of edit_distance
            run --problem=bin_packing              | 1 BELLMAN_USAGE | --problem: problem is 'bin_packing'; it must be one of edit_distance
            generate pairs --count=-1 --output=@/g | 1 BELLMAN_USAGE | count is -1
            run @/utf16.yaml                       | 2 BELLMAN_JOB_FILE | utf16.yaml is not UTF-8 and looks like UTF-16; save it as UTF-8
            run @/nul.yaml                         | 2 BELLMAN_JOB_FILE | output.path is 'out\\u0000'; folder names must not contain NUL, characters that this machine's locale cannot encode
            run @/nul.yaml                         | 2 BELLMAN_JOB_FILE | input.path is 'pairs\\u0000.tsv', which contains a NUL character
            run @/utf16le.yaml                     | 2 BELLMAN_JOB_FILE | looks like UTF-16
            run @/zero.yaml                        | 2 BELLMAN_JOB_FILE | zero.yaml contains a NUL character in line 2; remove it
            run @/latin1.yaml                      | 2 BELLMAN_JOB_FILE | latin1.yaml is not UTF-8; save it as UTF-8
            run @/max.yaml                         | 2 BELLMAN_JOB_FILE | max.yaml:4:19: parameters.max is 'abc'; it must be of type INT
            run @/exponent.yaml                    | 2 BELLMAN_JOB_FILE | parameters.max is '1e3'; it must be of type INT
            run @/fraction.yaml                    | 2 BELLMAN_JOB_FILE | parameters.max is '1.5'; it must be of type INT
            run @/tabs.yaml                        | 2 BELLMAN_JOB_FILE | not YAML
            run @/anchors.yaml                     | 2 BELLMAN_JOB_FILE | keep must be a list of strings
            run @/dir                              | 2 BELLMAN_JOB_FILE | cannot read the job file
            run @/none.yaml                        | 2 BELLMAN_JOB_FILE | none.yaml does not exist
            run nope://a/b.yaml                    | 2 BELLMAN_JOB_FILE | No FileSystem for scheme
            run @/compression.yaml                 | 2 BELLMAN_JOB_FILE | The codec nope is not available
            $ --output-option=compression=nope --output-format=csv  | 2 BELLMAN_JOB_FILE | The codec nope is not available
            $ --output-option=compression=nope --output-format=orc  | 2 BELLMAN_JOB_FILE | The codec nope is not available
            $ --output-option=encoding=nope --output-format=csv     | 2 BELLMAN_JOB_FILE | expects one of the iso-8859-1
            $ --output-option=header=maybe --output-format=csv      | 2 BELLMAN_JOB_FILE | header flag can be true or false
            $ --output-option=quote=ab --output-format=csv          | 2 BELLMAN_JOB_FILE | quote cannot be more than one character
            $ --output-option=parquet.block.size=abc                | 2 BELLMAN_JOB_FILE | cannot write the output: NumberFormatException: For input string
            $ --keep=id                            | 2 BELLMAN_JOB_FILE | the output would have two columns named 'id'
            $ --argument=a --argument=cast(b as int)                    | 2 BELLMAN_INPUT_VALUE | the row with id 1 is bad: evaluating the argument 'cast(b as int)' fails: [CAST_INVALID_INPUT] The value 'sitting'
            $ --argument=a --argument=if(id = 2, element_at(split(b, ''), 9), b) | 2 BELLMAN_INPUT_VALUE | the row with id 2 is bad: evaluating the argument
            $ --argument=a --argument=substring(b, 1, 1 div (2 - id))   | 2 BELLMAN_INPUT_VALUE | the row with id 2 is bad
            $ --argument=a --argument=split(b, '')[99]                  | 2 BELLMAN_INPUT_VALUE | The index 99 is out of bounds
            $ --argument=a --argument=raise_error(concat('no ', b))     | 2 BELLMAN_INPUT_VALUE | fails: [USER_RAISED_EXCEPTION] no sitting; set onBadRow: quarantine to write such rows to a separate folder
            $ --argument=a --argument=raise_error('[BELLMAN_NOPE] no')  | 2 BELLMAN_INPUT_VALUE | fails: [USER_RAISED_EXCEPTION] [BELLMAN_NOPE] no; set onBadRow
            $ --argument=a --argument=raise_error('[BELLMAN_GPU_REQUIRED] no') | 2 BELLMAN_INPUT_VALUE | fails: [USER_RAISED_EXCEPTION] [BELLMAN_GPU_REQUIRED] no
            $ --argument=a --argument=cast('[BELLMAN_GPU_REQUIRED] x' as int)  | 2 BELLMAN_INPUT_VALUE | The value '[BELLMAN_GPU_REQUIRED] x'
            $ --argument=a --argument=raise_error('dev.bellman.BellmanException: [BELLMAN_INTERNAL] x')       | 2 BELLMAN_INPUT_VALUE | the row with id 1
            $ --argument=a --argument=raise_error('java.lang.OutOfMemoryError: x')    | 2 BELLMAN_INPUT_VALUE | fails: [USER_RAISED_EXCEPTION] java.lang.OutOfMemoryError: x
            $ --output-where=raise_error('[BELLMAN_GPU_REQUIRED] no') is null  | 2 BELLMAN_INPUT_VALUE | [BELLMAN_GPU_REQUIRED] no
            $ --output-where=raise_error('[BELLMAN_NOPE] no') is null          | 2 BELLMAN_INPUT_VALUE | [BELLMAN_NOPE] no
            $ --input-where=raise_error('ExecutorLostFailure code 52') is null | 2 BELLMAN_INPUT_VALUE | ExecutorLostFailure code 52
            $ --argument=a --argument=assert_true(id = 1)               | 2 BELLMAN_INPUT_VALUE | the row with id 2 is bad
            $ --argument=a --argument=to_date(b)                        | 2 BELLMAN_INPUT_VALUE | the row with id 1 is bad
            $ --argument=a --argument=xpath_string(b, '/x')            | 2 BELLMAN_INPUT_VALUE | the row with id 1 is bad: evaluating the argument 'xpath_string(b, '/x')' fails
            $ --argument=a --argument=regexp_replace(b, '(', 'x')       | 2 BELLMAN_INPUT_VALUE | the row with id 1 is bad
            $ --argument=a --argument=regexp_replace(b, concat(a,'('), 'x')         | 2 BELLMAN_INPUT_VALUE | invalid: 'kitten('
            $ --argument=a --argument=decode(unhex(hex(b)), 'nope')     | 2 BELLMAN_INPUT_VALUE | the row with id 1 is bad
            $ --argument=a --argument=map_from_arrays(array(id,1), array(a,b))[1]   | 2 BELLMAN_INPUT_VALUE | Duplicate map key 1
            $ --argument=a --argument=from_json(b, 'x INT', map('mode', 'FAILFAST')).x | 2 BELLMAN_INPUT_VALUE | the row with id 1 is bad
            % --argument=cast(split(dims, ',') as array<bigint>)        | 2 BELLMAN_INPUT_VALUE | the row with id c2 is bad: evaluating the argument
            $ --argument=a --argument=sum(b)       | 2 BELLMAN_INPUT_SCHEMA | does not return exactly one value per row
            $ --argument=a --argument=explode(array(b))                 | 2 BELLMAN_INPUT_SCHEMA | does not return exactly one value per row
            $ --argument=a --argument=stack(2, a, b)                    | 2 BELLMAN_INPUT_SCHEMA | does not return exactly one value per row
            $ --argument=a --argument=*            | 2 BELLMAN_INPUT_SCHEMA | does not return exactly one value per row
            $ --argument=a --argument=b +          | 2 BELLMAN_INPUT_SCHEMA | the argument 'b +' is not a valid expression: Syntax error
            $ --argument=a --argument=nope(b)      | 2 BELLMAN_INPUT_SCHEMA | Cannot resolve routine `nope`
            $ --argument=a --argument=c            | 2 BELLMAN_INPUT_SCHEMA | the input has no column 'c'; it has id, a, b
            $ --argument=a --argument=b.c          | 2 BELLMAN_INPUT_SCHEMA | is not a valid expression
            $ --argument=a --argument=b; drop table x                   | 2 BELLMAN_INPUT_SCHEMA | Syntax error at or near ';'
            $ --id=nope                            | 2 BELLMAN_INPUT_SCHEMA | the input has no column 'nope'
            $ --keep=nope                          | 2 BELLMAN_INPUT_SCHEMA | the input has no column 'nope'
            $ --argument=a --argument=array(b)     | 2 BELLMAN_FUNCTION_ARGUMENTS | must be (STRING, STRING)
            % --argument=dims                      | 2 BELLMAN_FUNCTION_ARGUMENTS | must be ARRAY<BIGINT>
            $ --input=@/none.tsv                   | 2 BELLMAN_INPUT_READ | no input exists at
            $ --input=@/not.parquet --input-format=parquet              | 2 BELLMAN_INPUT_READ | not.parquet is not a Parquet file
            $ --input=@/not.orc --input-format=orc | 2 BELLMAN_INPUT_READ | not.orc
            $ --input=nope://x/y.tsv               | 2 BELLMAN_INPUT_READ | No FileSystem for scheme "nope". Add the file system's library with --packages
            $ --input=s3a://x/y.tsv                | 2 BELLMAN_INPUT_READ | S3AFileSystem not found. Add the file system's library with --packages
            $ --output=s3a://x/y                   | 3 BELLMAN_OUTPUT_WRITE | S3AFileSystem not found. Add the file system's library with --packages
            run --problem=lcs --input=@/not.csv.gz --output=@/out       | 2 BELLMAN_INPUT_FORMAT | the compressed data is damaged or ends too early
            run --problem=lcs --input=@/not.orc --output=@/out          | 2 BELLMAN_INPUT_READ | Could not read footer
            run --problem=lcs --input=@/csv --output=@/out              | 2 BELLMAN_INPUT_READ | The format is parquet, but the file 1.csv looks like csv; set input.format
            run --problem=lcs --input=@/empty.csv --output=@/out        | 2 BELLMAN_INPUT_EMPTY | is empty
            run --problem=lcs --input=@/pairs.tsv --output=@/dir        | 2 BELLMAN_OUTPUT_EXISTS | choose a different
            run --problem=lcs --input=@/pairs.tsv --output=@/file/x     | 3 BELLMAN_OUTPUT_WRITE | cannot write the output
            run --problem=lcs --input=@/pairs.tsv --output=full:@/full  | 3 BELLMAN_OUTPUT_WRITE | No space left on device
            run --problem=lcs --input=@/pairs.tsv --output=nope://x/y   | 3 BELLMAN_OUTPUT_WRITE | No FileSystem for scheme
            """)
    void failure(String line, String code, String message) {
        CommandLineRun run = run(line);

        assertThat(run.err())
                .startsWith("error: [" + code.substring(2) + "] ")
                .contains(message.replace("@", folder.toString()));
        assertThat(run.err()).doesNotContain("Job aborted", "awaitResult", "\tat ");
        assertThat(run.code().number()).isEqualTo(Integer.parseInt(code.substring(0, 1)));
    }

    @Test
    void quietIsQuiet() {
        CommandLineRun run = run("% --output-mode=overwrite --quiet --on-bad-row=null " + CAST);

        assertThat(run).isEqualTo(new CommandLineRun(ExitCode.DONE, "", ""));
        assertThat(run("% --output-mode=overwrite --quiet --argument=nope").err())
                .contains("the input has no column 'nope'");
    }

    @Test
    void rowsWhoseArgumentFailsAreSetAside() {
        run("% --output-mode=overwrite --on-bad-row=quarantine " + CAST)
                .assertCode(ExitCode.QUARANTINED)
                .isEmpty();
        assertThat(rows("out")).containsExactly("[c1,6000]", "[c3,0]");
        List<Row> bad = LocalSpark.session()
                .read()
                .parquet(folder + "/out/_bellman/quarantine")
                .collectAsList();
        assertThat(bad).singleElement().satisfies(row -> {
            assertThat(row.getString(0)).isEqualTo("c2");
            assertThat(row.<String>getAs("reason"))
                    .isEqualTo(
                            "[BELLMAN_INPUT_VALUE] evaluating the argument 'cast(split(dims, ',') as array<bigint>)' "
                                    + "fails: [CAST_INVALID_INPUT] The value 'x' of the type \"STRING\" cannot be cast to "
                                    + "\"BIGINT\" because it is malformed. Correct the value as per the syntax, or change its "
                                    + "target type. Use `try_cast` to tolerate malformed input and return NULL instead.");
        });
    }

    /** Spark would evaluate a part that two arguments have in common before both of them, where it would end the job. */
    @Test
    void aCommonPartOfArgumentsFails() {
        run("run --problem=edit_distance --input=@/pairs.tsv --output=@/common --on-bad-row=quarantine"
                        + " --argument=string(1 div (id - 1)) --argument=string(2 + 1 div (id - 1))")
                .assertCode(ExitCode.QUARANTINED)
                .isEmpty();
        assertThat(rows("common")).containsExactly("[2,1]");
        assertThat(LocalSpark.lines(LocalSpark.session()
                        .read()
                        .parquet(folder + "/common/_bellman/quarantine")
                        .selectExpr("id", "reason")))
                .singleElement()
                .asString()
                .startsWith("[1,[BELLMAN_INPUT_VALUE] evaluating the argument 'string(1 div (id - 1))' fails: "
                        + "[DIVIDE_BY_ZERO] Division by zero.");
    }

    @Test
    void rowsWhoseArgumentFailsAreNull() {
        CommandLineRun run = run("% --output-mode=overwrite --on-bad-row=null " + CAST);

        assertThat(run.err()).isEmpty();
        run.assertDone();
        assertThat(rows("out")).containsExactly("[c1,6000]", "[c2,null]", "[c3,0]");
        assertThat(run.out()).contains("3 rows (1 rejected: their results are NULL)");
    }

    /**
     * Following the advice in a message works: a {@code try_} function as a result, on a column that fails for no row.
     */
    @Test
    void adviceIsAccepted() {
        CommandLineRun run = run("% --output-mode=overwrite --results=try_matrix_chain_cost,try_matrix_chain_order"
                + " --argument=try_cast(split(dims, ',') as array<bigint>)");

        assertThat(run.err()).isEmpty();
        run.assertDone();
        assertThat(rows("out")).containsExactly("[c1,6000,(A1A2)]", "[c2,null,null]", "[c3,0,A1]");
    }

    @Test
    void controlCharactersAreEscaped() {
        CommandLineRun missing = run("run --problem=lcs --input=@/escape.csv --output=@/escape");
        CommandLineRun kept = run("run --problem=lcs --input=@/escape.csv --output=@/escape --argument=b --argument=b"
                + " --keep=a\u001b[2J");
        CommandLineRun named = run("$ --output-mode=overwrite --name=x\u001b[2J");

        assertThat(missing.err()).contains("it has id, a\\u001b[2J, b").doesNotContain("\u001b");
        assertThat(kept.out()).contains("|a\\u001b[2J|").doesNotContain("\u001b");
        assertThat(named.err()).contains("name is 'x\\u001b[2J'").doesNotContain("\u001b");
    }

    @Test
    void deepExpressions() {
        run("$ --argument=a --argument=" + "upper(".repeat(5_000) + "b" + ")".repeat(5_000))
                .assertCode(ExitCode.INPUT)
                .startsWith("error: [BELLMAN_")
                .doesNotContain("BELLMAN_INTERNAL", "\tat ");
    }

    private static List<String> rows(String name) {
        return LocalSpark.lines(
                LocalSpark.session().read().parquet(folder.resolve(name).toString()));
    }

    /** A local disk that has no space for a single byte of a file. */
    public static final class FullDisk extends RawLocalFileSystem {
        @Override
        public String getScheme() {
            return "full";
        }

        @Override
        public URI getUri() {
            return URI.create("full:///");
        }

        @Override
        public FSDataOutputStream create(
                org.apache.hadoop.fs.Path path,
                FsPermission permission,
                boolean overwrite,
                int bufferSize,
                short replication,
                long blockSize,
                Progressable progress)
                throws IOException {
            return full();
        }

        @Override
        public FSDataOutputStream create(
                org.apache.hadoop.fs.Path path,
                boolean overwrite,
                int bufferSize,
                short replication,
                long blockSize,
                Progressable progress)
                throws IOException {
            return full();
        }

        private FSDataOutputStream full() throws IOException {
            OutputStream stream = new OutputStream() {
                @Override
                public void write(int value) throws IOException {
                    throw new IOException("No space left on device");
                }
            };
            return new FSDataOutputStream(stream, statistics);
        }
    }
}
