package dev.bellman.job.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.columns.NamedFiles;
import dev.bellman.entry.Signature;
import dev.bellman.function.Catalogue;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RestrictedTest {
    @TempDir
    static Path folder;

    @BeforeAll
    static void write() throws IOException {
        LocalSpark.session();
        Files.writeString(folder.resolve("pairs.tsv"), "id\ta\tb\n1\tkitten\tsitting\n2\tx\ty\n");
        Files.writeString(folder.resolve("job.yaml"), """
                problem: edit_distance
                input: {path: %s/pairs.tsv}
                output: {path: %1$s/out}
                arguments: [a, "string(reflect('java.lang.System', 'getProperty', 'user.name'))"]
                restricted: false
                """.formatted(folder));
    }

    private static CommandLineRun run(String... more) {
        return CommandLineRun.ofJob(folder, "edit_distance", "pairs.tsv", more);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java_method('java.lang.System', 'getProperty', 'user.home')",
                "JAVA_METHOD('java.lang.System', 'getProperty', 'user.home')",
                "`reflect`('java.lang.System', 'getProperty', 'user.home')",
                "/* upper( */ reflect('java.lang.System', 'getProperty', 'user.home')",
                "try_reflect('java.lang.System', 'getProperty', 'user.home')",
                "system.builtin.reflect('java.lang.System', 'getProperty', 'user.home')",
                "builtin.upper(a)",
                "identifier('reflect')('java.lang.System', 'getProperty', 'user.home')",
                "upper(concat(a, reflect('java.lang.System', 'getProperty', 'user.home')))",
                "transform(array(a), x -> reflect('java.lang.System', 'getProperty', x))[0]",
                "case when id = 1 then a else reflect('java.lang.System', 'getProperty', b) end",
                "cast(reflect('java.lang.System', 'getProperty', b) as string)",
                "array(a, reflect('java.lang.System', 'getProperty', b))[1]",
                "a in (reflect('java.lang.System', 'getProperty', b))",
                "(select max(value) from text.`/etc/hostname`)",
                "(select first(a) from parquet.`/etc`)",
                "string(exists (select 1 from text.`/etc/hostname`))",
                "string(a in (select value from text.`/etc/hostname`))",
                "xpath_string(a, '/x')",
                "from_json(a, 'x STRING').x",
                "spark_partition_id()",
                "monotonically_increasing_id()",
                "input_file_name()",
                "uuid()",
                "string(rand())",
                "version()",
                "current_user()",
                "current_user",
                "user",
                "current_database()",
                "raise_error(a)",
                "assert_true(id = 1)",
                "max(a)",
                "max(a) filter (where id = 1)",
                "count(distinct a)",
                "upper(distinct a)",
                "upper(a) filter (where id = 1)",
                "upper(a) ignore nulls",
                "listagg(a) within group (order by id)",
                "max(a) over (order by id)",
                "explode(array(a))",
                "stack(1, a)",
                "a as c",
                "*",
                "session.x",
                "upper(str => a)",
                "current_date",
                "rna_fold(a, 'parameters /etc/hostname').structure",
                "try_rna_fold_energy(a, 'no_lp\tparameters /etc/hostname')",
                "rna_eval(a, b, concat('para', 'meters /etc/hostname'))",
                "RNA_EVAL(a, b, b)",
                "mea_structure(a, 1.0D, if(id = 1, 'no_lp', 'parameters /etc/hostname'))",
            })
    void attack(String expression) {
        run("--restricted", "--argument=a", "--argument=" + expression)
                .assertCode(ExitCode.INPUT)
                .containsAnyOf("which restricted: true does not allow", "the input has no column");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    /** Arguments of various types that a restricted job refuses, because their values may name files. */
    private static final List<String> FORMS = List.of(
            "'parameters /etc/hostname'",
            "' \t\nparameters\n/etc/hostname'",
            "r'parameters /etc/hostname'",
            "'para' 'meters /etc/hostname'",
            "X'706172616d6574657273202f6574632f686f73746e616d65'",
            "cast(X'706172616d6574657273202f6574632f686f73746e616d65' as string)",
            "unhex('706172616d6574657273202f6574632f686f73746e616d65')",
            "concat('no_lp ', 'parameters /etc/hostname')",
            "'no_lp ' || 'parameters /etc/hostname'",
            "array('parameters /etc/hostname')[0]",
            "element_at(array('parameters /etc/hostname'), 1)",
            "nullif('parameters /etc/hostname', '')",
            "struct('parameters /etc/hostname').col1",
            "upper('no_lp')",
            "'no_lp' collate utf8_binary",
            "5",
            "date'2020-01-01'",
            "a");

    /** Returns calls of every function with an argument that may be a file name. */
    private static Stream<String> fileCalls(List<String> forms) {
        return Catalogue.functions().stream().flatMap(function -> function.signatures().stream()
                .flatMap(signature -> IntStream.range(0, signature.parameters().size())
                        .filter(i -> signature.parameters().get(i).readsFile().isPresent())
                        .boxed()
                        .flatMap(i -> Stream.of(function.name(), function.tryName())
                                .flatMap(name -> forms.stream()
                                        .map(form -> "%s(%s)".formatted(name, arguments(signature, i, form)))))));
    }

    private static String arguments(Signature<?> signature, int place, String form) {
        return IntStream.range(0, signature.parameters().size())
                .mapToObj(i -> i == place
                        ? form
                        : switch (signature.parameters().get(i).type().sql()) {
                            case "STRING" -> "'GGGGAAAACCCC'";
                            case "DOUBLE" -> "0.5D";
                            default -> "12";
                        })
                .collect(Collectors.joining(", "));
    }

    @Test
    void noArgumentThatMayNameAFile() {
        Dataset<Row> rows = LocalSpark.session().sql("SELECT 'x' AS a, array('x') AS b");
        List<String> calls = Stream.concat(
                        fileCalls(FORMS),
                        fileCalls(List.of("x")).map("element_at(transform(b, x -> string(%s)), 1)"::formatted))
                .toList();
        assertThat(calls).hasSizeGreaterThan(300);
        for (String call : calls) {
            assertThatThrownBy(() -> Restricted.check(rows, call))
                    .as(call)
                    .hasMessageContaining("which restricted: true does not allow");
        }
        fileCalls(List.of("'no_lp'", "NULL", "'temperature 25'"))
                .forEach(call -> assertThatCode(() -> Restricted.check(rows, call))
                        .as(call)
                        .doesNotThrowAnyException());
    }

    /**
     * Even if the check of the text misses a call, functions in a restricted session open no file, neither for rows nor
     * for constants.
     */
    @Test
    void noFunctionOpensAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("rna.par"), "no parameters");
        SparkSession spark = LocalSpark.session().newSession();
        spark.conf().set(NamedFiles.ENABLED, "false");
        spark.range(1)
                .selectExpr("'parameters %s' AS options".formatted(file))
                .write()
                .parquet(folder.resolve("options").toString());
        List<String> calls =
                fileCalls(List.of("'parameters %s'".formatted(file), "options")).toList();
        for (String call : calls) {
            assertThatThrownBy(() -> spark.read()
                            .parquet(folder.resolve("options").toString())
                            .selectExpr(call)
                            .collectAsList())
                    .as(call)
                    .hasStackTraceContaining("this session does not allow functions to open files");
        }
    }

    @Test
    void noForce() {
        run("--restricted", "--output-mode=overwrite-force", "--argument=a", "--argument=b")
                .assertCode(ExitCode.USAGE)
                .contains("restricted: true does not allow overwrite-force");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fs.file.impl=evil.Files",
                "parquet.crypto.factory.class=evil.Factory",
                "Path=/etc",
                "io.compression.codecs=evil.Codec"
            })
    void attackByAnOption(String option) {
        for (String flag : List.of("--input-option=", "--output-option=")) {
            run("--restricted", flag + option)
                    .assertCode(ExitCode.USAGE)
                    .contains("restricted: true does not allow the option");
        }
    }

    @Test
    void attackByAParameter() {
        CommandLineRun.of(
                        "run",
                        "--problem=rna_fold",
                        "--input=" + folder + "/pairs.tsv",
                        "--output=" + folder + "/out",
                        "--argument=a",
                        "--parameter=options=no_lp parameters /etc/hostname",
                        "--restricted")
                .assertCode(ExitCode.USAGE)
                .contains("parameters.options is 'no_lp parameters /etc/hostname'; restricted: true does not allow "
                        + "paths");
    }

    /** A job file cannot remove the restrictions that a flag sets. */
    @Test
    void flagWins() {
        CommandLineRun.of("run", "--restricted", folder + "/job.yaml")
                .assertCode(ExitCode.INPUT)
                .startsWith("error: [BELLMAN_JOB_FILE] job: ")
                .contains("uses the function reflect");
    }

    @Test
    void allowed() {
        String all = String.join(
                ", ",
                "a",
                "B",
                "'text'",
                "upper(b)",
                "coalesce(b, '')",
                "concat(b, '-', a)",
                "b || a",
                "trim(both 'x' from b)",
                "case when id = 2 then upper(b) when b like 'x%' then 'y' else b end",
                "substring(b, 1, length(b) - 1)",
                "split(b, '')[0]",
                "transform(split(b, ''), x -> upper(x))[0]",
                "cast(cast(id as int) + 1 as string)",
                "try_cast(b as string)",
                "string(edit_distance(a, b))",
                "if(a is not null and not (b <=> 'x'), a, b)",
                "string(rna_fold_energy('GGGGAAAACCCC', 'no_lp temperature 25'))");
        CommandLineRun run = run(
                "--restricted",
                "--dry-run",
                "--argument=a",
                "--argument=concat(%s)".formatted(all),
                "--input-option=header=true");

        assertThat(run.err()).isEmpty();
        run.assertDone();
    }
}
