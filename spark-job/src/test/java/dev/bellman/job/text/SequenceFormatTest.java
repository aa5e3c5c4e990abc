package dev.bellman.job.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.ErrorCode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SequenceFormatTest extends SequenceFormatFixture {
    // the form of a row is id|description|sequence or id|description|sequence|quality
    private static Stream<Arguments> wellFormed() {
        return Stream.of(
                Arguments.of("one line", "fasta", ">a\nACGT\n", List.of("a|null|ACGT")),
                Arguments.of("description", "fasta", ">a b c\nAC\n", List.of("a|b c|AC")),
                Arguments.of("tab and trailing blanks", "fasta", ">a\t b  \nAC \n", List.of("a|b|AC")),
                Arguments.of("many lines", "fasta", ">a\nAC\nGT\nA\n>b\nC\n", List.of("a|null|ACGTA", "b|null|C")),
                Arguments.of("CRLF", "fasta", ">a x\r\nAC\r\nGT\r\n>b\r\nC\r\n", List.of("a|x|ACGT", "b|null|C")),
                Arguments.of(
                        "blank lines",
                        "fasta",
                        "\n\n>a\n\nAC\n\nGT\n\n\n>b\nC\n\n",
                        List.of("a|null|ACGT", "b|null|C")),
                Arguments.of("no newline at the end", "fasta", ">a\nAC", List.of("a|null|AC")),
                Arguments.of("no newline after a header", "fasta", ">a\nAC\n>b", List.of("a|null|AC", "b|null|")),
                Arguments.of("empty sequence", "fasta", ">a\n>b\nC\n", List.of("a|null|", "b|null|C")),
                Arguments.of("empty file", "fasta", "", List.of()),
                Arguments.of("only blank lines", "fasta", "\n\r\n", List.of()),
                Arguments.of("case is kept", "fasta", ">a\nacGT\n", List.of("a|null|acGT")),
                Arguments.of(
                        "blocks of ten",
                        "fasta",
                        ">a\nACGTACGTAC GTACGTACGT\n",
                        List.of("a|null|ACGTACGTACGTACGTACGT")),
                Arguments.of("CR alone", "fasta", ">a x\rAC\rGT\r>b\rC", List.of("a|x|ACGT", "b|null|C")),
                Arguments.of("mark inside a line", "fasta", ">a >b\nA>C\n", List.of("a|>b|A>C")),
                Arguments.of("gaps and stops", "fasta", ">a\nM-K*.\n", List.of("a|null|M-K*.")),
                Arguments.of("byte order mark", "fasta", "\ufeff>a\nAC\n", List.of("a|null|AC")),
                Arguments.of("UTF-8", "fasta", ">é ö\nñ𝛼漢\n", List.of("é|ö|ñ𝛼漢")),
                Arguments.of("one record", "fastq", "@a\nACGT\n+\nIIII\n", List.of("a|null|ACGT|IIII")),
                Arguments.of("repeated title", "fastq", "@a x\nAC\n+a x\n!~\n", List.of("a|x|AC|!~")),
                Arguments.of("CRLF", "fastq", "@a\r\nAC\r\n+\r\nII\r\n", List.of("a|null|AC|II")),
                Arguments.of("no newline at the end", "fastq", "@a\nAC\n+\nII", List.of("a|null|AC|II")),
                Arguments.of(
                        "many lines",
                        "fastq",
                        "@a\nAC\nGT\n+\n@+\n+@\n@b\nC\n+\n@\n",
                        List.of("a|null|ACGT|@++@", "b|null|C|@")),
                Arguments.of("wrapped differently", "fastq", "@a\nACGT\n+\nI\nII\nI\n", List.of("a|null|ACGT|IIII")),
                Arguments.of(
                        "blank lines",
                        "fastq",
                        "\n@a\nAC\n\n+\nII\n\n\n@b\nC\n+\nI\n\n",
                        List.of("a|null|AC|II", "b|null|C|I")),
                Arguments.of("empty sequence", "fastq", "@a\n\n+\n\n@b\nC\n+\nI\n", List.of("a|null||", "b|null|C|I")),
                Arguments.of("empty file", "fastq", "", List.of()));
    }

    @ParameterizedTest(name = "{1}: {0}")
    @MethodSource("wellFormed")
    void readsEveryVariant(String name, String format, String text, List<String> expected) {
        assertThat(parsed(format, text)).isEqualTo(expected);
    }

    private static Stream<Arguments> malformed() {
        return Stream.of(
                Arguments.of("fasta", "ACGT\n>a\nAC\n", "line 1: found text before the first header"),
                Arguments.of("fasta", "\n;a comment\n>a\nAC\n", "line 2: found text before the first header"),
                Arguments.of("fasta", ">a\nAC\n>\nGT\n", "line 3: the header '>' has no id"),
                Arguments.of("fasta", ">a\nAC\n> b\nGT\n", "line 3: the header '> b' has no id"),
                Arguments.of("fasta", ">a\nA\0C\n>b\nC\n", "line 2: found the control character 0x00"),
                Arguments.of("fasta", ">a\nA\n>b\0c\n", "line 3: found the control character 0x00 in a header"),
                Arguments.of("fastq", "@a\nAC\n+\nI\7\n", "line 4: found the control character 0x07"),
                Arguments.of("fastq", ">a\nAC\n", "line 1: found '>' at the start of a record"),
                Arguments.of("fastq", "@a\nAC\n+\nII\nAC\n", "line 5: found 'A' at the start of a record"),
                Arguments.of("fastq", "@\nAC\n+\nII\n", "line 1: the header '@' has no id"),
                Arguments.of(
                        "fastq", "@a\nAC\n@b\nAC\n+\nII\n", "line 3: the record a has no '+' line before the next '@'"),
                Arguments.of(
                        "fastq",
                        "@a\nAC\n+\nIII\n",
                        "line 4: the record a has 3 qualities for a sequence of 2 letters"),
                Arguments.of(
                        "fastq",
                        "@a\nACG\n+\nII\n@b\nA\n+\nI\n",
                        "line 4: the record a has 2 qualities for a sequence of 3 letters"),
                Arguments.of(
                        "fastq",
                        "@a\nACG\n+\nII\n",
                        "line 5: the file ends inside the record a; expected 3 qualities, found 2"),
                Arguments.of(
                        "fastq",
                        "@a\nACG\n",
                        "line 3: the file ends inside the record a; expected a line that starts with '+'"),
                Arguments.of("fastq", "@a", "the file ends inside the record a"));
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("malformed")
    void namesFileLineAndExpectationOfMalformedInput(String format, String text, String message) {
        assertFails(() -> parsed(format, text), ErrorCode.BELLMAN_INPUT_FORMAT, "x, ", message);
        // a query without columns reports the same errors
        SequenceLayout nothing = new SequenceLayout(new SequenceColumn[0], false);
        assertFails(
                () -> records(parser(format, text, nothing), nothing), ErrorCode.BELLMAN_INPUT_FORMAT, "x, ", message);
    }

    @Test
    void sparkReportsMalformedInput() throws IOException {
        Path file = Files.writeString(folder.resolve("malformed.fq"), "@a\nAC\n+\nIII\n");
        assertFails(
                () -> spark.read().format("fastq").load(file.toString()).collectAsList(),
                ErrorCode.BELLMAN_INPUT_FORMAT,
                "malformed.fq, line 4: the record a has 3 qualities");
    }

    @ParameterizedTest
    @ValueSource(strings = {".fa", ".gz", ".bz2", ".zst", ".deflate", ".lz4", ".snappy", ".xz", ".GZ"})
    void readsCompressedFiles(String suffix) throws IOException {
        List<String> expected = new ArrayList<>();
        byte[] text = randomFasta(500, 300, expected).getBytes(StandardCharsets.UTF_8);
        Path file = folder.resolve("sequences" + suffix);
        TestFiles.compress(text, file);
        // the splits are small, but a compressed file must not be split
        withSplits(1000, () -> {
            Dataset<Row> rows = spark.read().format("fasta").load(file.toString());
            assertThat(rows(rows)).isEqualTo(expected);
            assertThat(rows.rdd().getNumPartitions() > 1).isEqualTo(suffix.equals(".fa"));
        });
    }

    @Test
    void saysWhereACompressedFileIsDamaged() throws IOException {
        Path file = folder.resolve("truncated.gz");
        TestFiles.compress(randomFasta(500, 300, new ArrayList<>()).getBytes(StandardCharsets.UTF_8), file);
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length * 2 / 3));
        assertFails(
                () -> spark.read().format("fasta").load(file.toString()).collectAsList(),
                ErrorCode.BELLMAN_INPUT_FORMAT,
                "truncated.gz, line 1 or later, after 0 bytes of text: the compressed data is damaged or ends too early");
    }

    @Test
    void readsConcatenatedGzipMembers() throws IOException {
        Path first = folder.resolve("first.gz");
        Path second = folder.resolve("second.gz");
        TestFiles.compress(">a\nAC\nG".getBytes(StandardCharsets.UTF_8), first);
        TestFiles.compress("T\n>b\nC\n".getBytes(StandardCharsets.UTF_8), second);
        Path both = folder.resolve("both.gz");
        try (OutputStream out = Files.newOutputStream(both)) {
            Files.copy(first, out);
            Files.copy(second, out);
        }
        assertThat(rows(spark.read().format("fasta").load(both.toString()))).containsExactly("a|null|ACGT", "b|null|C");
    }

    @Test
    void readsManyPathsGlobsFoldersAndPartitionColumns() throws IOException {
        Path a = Files.createDirectories(folder.resolve("kind=x"));
        Path b = Files.createDirectories(folder.resolve("kind=y"));
        Files.writeString(a.resolve("1.fa"), ">a\nAC\n");
        Files.writeString(b.resolve("2.fa"), ">b\nGT\n");
        Files.writeString(b.resolve("_ignored.fa"), "not FASTA");
        assertThat(rows(spark.read().format("fasta").load(folder.toString()).orderBy("id")))
                .containsExactly("a|null|AC|x", "b|null|GT|y");
        assertThat(rows(spark.read()
                        .format("fasta")
                        .load(folder + "/kind=*/*.fa")
                        .orderBy("id")))
                .containsExactly("a|null|AC", "b|null|GT");
        assertThat(rows(spark.read()
                        .format("fasta")
                        .load(a.resolve("1.fa").toString(), b.resolve("2.fa").toString())
                        .orderBy("id")))
                .containsExactly("a|null|AC", "b|null|GT");
        assertThat(rows(spark.sql("SELECT sequence, upper(id) FROM fasta.`" + a.resolve("1.fa") + "`")))
                .containsExactly("AC|A");
    }

    @Test
    void foldsCaseOnlyWhereAsked() throws IOException {
        Path file = Files.writeString(folder.resolve("case.fa"), ">aB cD\nacgtNXéz\n");
        assertThat(rows(spark.read().format("fasta").option("case", "upper").load(file.toString())))
                .containsExactly("aB|cD|ACGTNXéZ");
        assertThat(rows(spark.read().format("fasta").option("case", "keep").load(file.toString())))
                .containsExactly("aB|cD|acgtNXéz");
        assertFails(
                () -> spark.read()
                        .format("fasta")
                        .option("case", "lower")
                        .load(file.toString())
                        .collectAsList(),
                ErrorCode.BELLMAN_CONFIGURATION,
                "option case is 'lower'; it must be keep or upper");
    }

    @Test
    void refusesColumnsThatItDoesNotHave() throws IOException {
        Path file = Files.writeString(folder.resolve("a.fa"), ">a\nAC\n");
        assertFails(
                () -> spark.read()
                        .schema("id STRING, quality STRING")
                        .format("fasta")
                        .load(file.toString())
                        .collectAsList(),
                ErrorCode.BELLMAN_INPUT_SCHEMA,
                "has no column quality of type string; its columns are id, description, sequence");
    }

    @Test
    void readsOnlyTheColumnsOfTheQuery() throws IOException {
        Path file = Files.writeString(folder.resolve("a.fq"), "@a x\nac\n+\nIJ\n");
        Dataset<Row> rows = spark.read().format("fastq").load(file.toString());
        assertThat(rows(rows.select("quality"))).containsExactly("IJ");
        assertThat(rows(rows.select("quality", "id"))).containsExactly("IJ|a");
        assertThat(rows.count()).isEqualTo(1);
        assertThat(rows.select("id").queryExecution().executedPlan().toString())
                .contains("ReadSchema: struct<id:string>");
    }

    @Test
    void refusesARecordThatNoRowCanHold() {
        byte[] text = (">a\n" + "ACGT\n".repeat(30)).getBytes(StandardCharsets.UTF_8);
        SequenceLayout layout = layout("fasta");
        TextInput input = input(text, 0, 100);
        SequenceParser parser = new FastaParser(input, Long.MAX_VALUE, layout);
        assertFails(parser::next, ErrorCode.BELLMAN_LIMIT, "x, line 1: the record has more than 100 bytes");
    }

    @Test
    void readsOtherEncodings() throws IOException {
        Path file = folder.resolve("utf16.fa");
        Files.writeString(file, "\ufeff>ä\nACGT\n", StandardCharsets.UTF_16LE);
        assertThat(rows(spark.read()
                        .format("fasta")
                        .option("encoding", "UTF-16")
                        .load(file.toString())))
                .containsExactly("ä|null|ACGT");
        Files.writeString(file, ">ä\nACGT\n", StandardCharsets.ISO_8859_1);
        for (String option : List.of("encoding", "charset")) {
            assertThat(rows(spark.read()
                            .format("fasta")
                            .option(option, "latin1")
                            .load(file.toString())))
                    .containsExactly("ä|null|ACGT");
        }
        assertFails(
                () -> spark.read().format("fasta").load(file.toString()).collectAsList(),
                ErrorCode.BELLMAN_INPUT_FORMAT,
                "line 1: the header is not UTF-8; set the encoding");
        assertFails(
                () -> spark.read()
                        .format("fasta")
                        .option("encoding", "nope")
                        .load(file.toString())
                        .collectAsList(),
                ErrorCode.BELLMAN_CONFIGURATION,
                "unknown encoding 'nope'");
    }
}
