package dev.bellman.job.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bellman.align.Text;
import dev.bellman.align.distance.EditDistance;
import dev.bellman.align.linkage.Linkage;
import dev.bellman.align.linkage.TextClusters;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.Thorough;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests {@code results: [cluster]} with {@code pairing: within}. */
class ClustersTest {
    @TempDir
    Path folder;

    private final List<Entry> entries = new ArrayList<>();

    @BeforeAll
    static void start() {
        LocalSpark.session();
    }

    private record Entry(String id, String text, String country) {}

    /**
     * Writes strings, some of which are equal, NULL or empty, and groups, some of which are NULL. Ids are strings in
     * random order.
     */
    private void write() throws IOException {
        Random random = new Random(7);
        List<Integer> numbers = new ArrayList<>(IntStream.range(0, 150).boxed().toList());
        Collections.shuffle(numbers, random);
        for (int number : numbers) {
            String text = random.ints(1 + random.nextInt(9), 0, 3)
                    .mapToObj(symbol -> new String[] {"a", "é", "\ud83d\ude00"}[symbol])
                    .collect(Collectors.joining());
            entries.add(new Entry(
                    "r" + number,
                    number % 19 == 0 ? null : number % 23 == 0 ? "" : text,
                    number % 17 == 0 ? null : random.nextBoolean() ? "de" : "fr"));
        }
        writeEntries();
    }

    private void writeEntries() throws IOException {
        StringBuilder lines = new StringBuilder();
        entries.forEach(entry -> lines.append("{\"id\": %s, \"text\": %s, \"country\": %s}\n"
                .formatted(quoted(entry.id()), quoted(entry.text()), quoted(entry.country()))));
        Files.writeString(folder.resolve("rows.json"), lines);
    }

    private static String quoted(String text) {
        return text == null ? "null" : '"' + text + '"';
    }

    private CommandLineRun run(String... more) {
        return ofFile(folder.resolve("rows.json"), more);
    }

    private CommandLineRun ofFile(Path input, String... more) {
        List<String> shared = List.of("--results=cluster", "--pairing=within", "--argument=text");
        return CommandLineRun.ofJob(folder, "edit_distance", input, shared, more);
    }

    /**
     * Returns the smallest id in each row's cluster, computed by propagating the smaller id of every close pair until
     * nothing changes.
     */
    private String[] expected(int max, boolean byCountry) {
        String[] clusters = entries.stream().map(Entry::id).toArray(String[]::new);
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = 0; i < clusters.length; i++) {
                for (int j = 0; j < clusters.length; j++) {
                    if (clusters[j].compareTo(clusters[i]) < 0
                            && areClose(entries.get(i), entries.get(j), max, byCountry)) {
                        clusters[i] = clusters[j];
                        changed = true;
                    }
                }
            }
        }
        return clusters;
    }

    private static boolean areClose(Entry one, Entry other, int max, boolean byCountry) {
        return one.text() != null
                && other.text() != null
                && (!byCountry || one.country() != null && one.country().equals(other.country()))
                && EditDistance.distance(one.text(), other.text(), EditDistance.Strategy.SERIAL) <= max;
    }

    static List<Arguments> definitions() {
        return Thorough.cases(
                2,
                arguments(1, true, "1"),
                arguments(2, false, "1e9"),
                arguments(0, false, "1"),
                arguments(2, false, "1"),
                arguments(0, false, "1e9"),
                arguments(1, true, "1e9"));
    }

    /** The parameter {@code factor} makes the file count as small or as large. */
    @ParameterizedTest
    @MethodSource("definitions")
    void asByTheDefinition(int max, boolean byCountry, String factor) throws IOException {
        SparkConf settings = LocalSpark.session().sparkContext().conf();
        settings.set("spark.sql.sources.fileCompressionFactor", factor);
        try {
            asByTheDefinition(max, byCountry);
        } finally {
            settings.remove("spark.sql.sources.fileCompressionFactor");
        }
        JsonNode stages = CommandLineRun.report(folder.resolve("out")).at("/timeline/stages");
        if (factor.equals("1")) {
            assertThat(stages.size()).isLessThanOrEqualTo(byCountry ? 11 : 9);
        } else {
            assertThat(stages.findValuesAsText("work")).anyMatch(work -> work.contains("exchange"));
        }
    }

    private void asByTheDefinition(int max, boolean byCountry) throws IOException {
        write();
        List<String> options = new ArrayList<>(List.of("--max-distance=" + max, "--keep=country"));
        if (byCountry) {
            options.add("--block-on=country");
        }
        CommandLineRun run = run(options.toArray(String[]::new)).assertDone();
        String[] clusters = expected(max, byCountry);
        assertThat(LocalSpark.written(folder))
                .isEqualTo(IntStream.range(0, clusters.length)
                        .mapToObj(i -> "[%s,%s,%s]"
                                .formatted(entries.get(i).id(), entries.get(i).country(), clusters[i]))
                        .sorted()
                        .toList());
        int count = new TreeSet<>(Arrays.asList(clusters)).size();
        assertThat(run.out()).contains("%d clusters".formatted(count));
        assertThat(run.out()).contains("%d rows in".formatted(clusters.length));
    }

    static List<Arguments> linkages() {
        return Thorough.cases(
                2,
                arguments(Linkage.COMPLETE, false, "1e9"),
                arguments(Linkage.AVERAGE, true, "1"),
                arguments(Linkage.COMPLETE, true, "1"),
                arguments(Linkage.AVERAGE, false, "1e9"),
                arguments(Linkage.SINGLE, true, "1e9"),
                arguments(Linkage.SINGLE, false, "1"));
    }

    /**
     * The parameter {@code factor} makes the file count as small or as large. Clustering all strings of a group at
     * once gives the same clusters as clustering each component.
     */
    @ParameterizedTest
    @MethodSource("linkages")
    void byLinkage(Linkage linkage, boolean byCountry, String factor) throws IOException {
        write();
        List<String> options = new ArrayList<>(
                List.of("--max-distance=2", "--linkage=" + linkage.name().toLowerCase(Locale.ROOT)));
        if (byCountry) {
            options.add("--block-on=country");
        }
        SparkConf settings = LocalSpark.session().sparkContext().conf();
        settings.set("spark.sql.sources.fileCompressionFactor", factor);
        CommandLineRun run = run(options.toArray(String[]::new));
        settings.remove("spark.sql.sources.fileCompressionFactor");

        run.assertDone();
        Map<String, String> expected = new TreeMap<>();
        Map<String, Integer> diameters = new TreeMap<>();
        entries.forEach(entry -> expected.put(entry.id(), "[%1$s,%1$s,%2$s,0]".formatted(entry.id(), entry.text())));
        for (String country : byCountry ? new String[] {"de", "fr"} : new String[] {""}) {
            Map<String, List<String>> idsOfTexts = new LinkedHashMap<>();
            entries.stream()
                    .filter(entry -> entry.text() != null && (!byCountry || country.equals(entry.country())))
                    .sorted(Comparator.comparing(Entry::id))
                    .forEach(entry -> idsOfTexts
                            .computeIfAbsent(entry.text(), text -> new ArrayList<>())
                            .add(entry.id()));
            List<String> texts = List.copyOf(idsOfTexts.keySet());
            List<TextClusters.Member> members =
                    TextClusters.of(texts.stream().map(Text::of).toList(), 2, linkage, TextClusters.Strategy.SERIAL);
            for (int i = 0; i < texts.size(); i++) {
                TextClusters.Member member = members.get(i);
                String cluster = idsOfTexts.get(texts.get(member.cluster())).get(0);
                diameters.put(cluster, member.diameter());
                for (String id : idsOfTexts.get(texts.get(i))) {
                    expected.put(
                            id, "[%s,%s,%s,%d]".formatted(id, cluster, texts.get(member.medoid()), member.diameter()));
                }
            }
        }
        assertThat(LocalSpark.written(folder))
                .isEqualTo(expected.values().stream().sorted().toList());
        long distant = diameters.values().stream().filter(each -> each > 2).count();
        int diameter = Collections.max(diameters.values());
        assertThat(run.out())
                .contains(
                        distant == 0
                                ? "; strings in the same cluster are at most %d edits apart".formatted(diameter)
                                : " and %d with distant strings (up to %d edits apart)".formatted(distant, diameter))
                .containsOnlyOnce("distinct strings, about");
    }

    /** Ids are sorted and groups are compared as in Spark: NaN equals NaN, and 0 equals -0. */
    @Test
    void typesOfIdsAndGroups() {
        LocalSpark.session()
                .range(60)
                .selectExpr(
                        "cast(id * 7919 % 100 - 50 AS decimal(9, 2)) AS id",
                        "concat(repeat('ab', int(id % 4)), id % 3) AS text",
                        "element_at(array(0.0D, -0.0D, double('NaN'), -double('NaN'), 1.5D, NULL), int(1 + id % 6))"
                                + " AS country")
                .write()
                .parquet(folder.resolve("rows.json").toString());
        List<List<String>> found = new ArrayList<>();
        SparkConf settings = LocalSpark.session().sparkContext().conf();
        for (String factor : List.of("1", "1e9")) {
            settings.set("spark.sql.sources.fileCompressionFactor", factor);
            CommandLineRun run = run(
                    "--input-format=parquet",
                    "--max-distance=1",
                    "--keep=country",
                    "--block-on=country",
                    "--output-mode=overwrite");
            settings.remove("spark.sql.sources.fileCompressionFactor");
            run.assertDone();
            found.add(Stream.concat(
                            LocalSpark.written(folder).stream(),
                            run.out().lines().filter(line -> line.contains("clusters") || line.startsWith("|")))
                    .toList());
        }

        assertThat(found.get(0)).hasSizeGreaterThan(60).isEqualTo(found.get(1));
    }

    /** Numbers in CSV are strings unless their types are inferred, so 10 comes before 9. */
    @Test
    void numbersInText() throws IOException {
        Path input = Files.writeString(folder.resolve("rows.csv"), "id,text\n9,anna\n10,anne\n");
        String note = "the ids are numbers but were read as strings";
        CommandLineRun strings = ofFile(input, "--max-distance=1");
        assertThat(strings.out()).as(strings.err()).contains(note);
        assertThat(LocalSpark.written(folder)).containsExactly("[10,10]", "[9,10]");
        CommandLineRun numbers =
                ofFile(input, "--max-distance=1", "--input-option=inferSchema=true", "--output-mode=overwrite");
        assertThat(numbers.out()).as(numbers.err()).doesNotContain(note);
        assertThat(LocalSpark.written(folder)).containsExactly("[10,9]", "[9,9]");
    }

    /** Checks a condition on the clusters, and the report's description of the hub of the largest cluster. */
    @Test
    void hubs() throws IOException {
        for (int i = 0; i < 20; i++) {
            entries.add(new Entry("r%02d".formatted(i), "unknow" + (char) ('a' + i), "de"));
        }
        entries.add(new Entry("r20", "unknow", "de"));
        entries.add(new Entry("r21", "quite another name", "de"));
        for (int i = 0; i < 5; i++) {
            entries.add(new Entry("s" + i, "chain" + "x".repeat(i), "de"));
        }
        writeEntries();

        CommandLineRun run =
                run("--max-distance=1", "--output-where=id = cluster").assertDone();
        assertThat(LocalSpark.written(folder)).containsExactly("[r00,r00]", "[r21,r21]", "[s0,s0]");
        assertThat(run.out())
                .contains("3 clusters, including 1 with a single row; the largest has 21 rows with 21 strings; "
                        + "'unknow")
                .contains("27 rows, 3 written");
        // these are the largest clusters, not rows
        assertThat(run.out().lines().filter(line -> line.startsWith("|")).map(line -> line.replace(" ", "")))
                .anyMatch("|cluster|rows|strings|with|"::equals)
                .anyMatch(line -> line.startsWith("|r00|21|21|unknow"))
                .anyMatch(line -> line.startsWith("|s0|5|5|chain"));
        String report = Files.readString(folder.resolve("out/_bellman/report.json"));
        assertThat(report.replaceAll("\\s+", " "))
                .contains("\"cluster\" : \"s0\", \"rows\" : 5, \"strings\" : 5, \"pairs\" : 4, \"hubs\" : [");
        assertThat(Files.readString(folder.resolve("out/_bellman/report.html"))).contains("Clusters");
        assertThat(run("--max-distance=1", "--input-where=id = 'r21'", "--output-mode=overwrite")
                        .out())
                .contains("1 cluster, including 1 with a single row\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "r1,r1 | BELLMAN_INPUT_VALUE | 2 rows have the id r1",
                "r1,r2,null | BELLMAN_INPUT_VALUE | some rows have a NULL id"
            })
    void idsMustTellRowsApart(String ids, String code, String message) throws IOException {
        for (String id : ids.split(",")) {
            entries.add(new Entry(id.equals("null") ? null : id, "text", "de"));
        }
        writeEntries();
        run("--max-distance=1").assertCode(ExitCode.INPUT).contains(code, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--max-distance=1 --results=cluster,distance | cluster is computed for each row",
                "--max-distance=1 --results=clusters | it must be one of distance, edit_cigar, cluster ",
                "--max-distance=1 --linkage=ward | linkage is 'ward'; it must be one of single, complete, average",
                "--max-distance=1 --targets=x.tsv | targets.path does not apply to clusters (pairing: within, results: [cluster]), only to pairing: cross, join, within or nearest",
                "--max-distance=1 --best=1_per_cluster | best does not apply to clusters (pairing: within, results: [cluster]), only to rows, except clusters",
                "--max-distance=1 --output-parts=2 | output.parts does not apply to clusters (pairing: within, results: [cluster]), only to rows, except clusters",
                "--max-distance=1 --output-mode=append | but clusters cannot be added to those of an earlier run",
                "--max-distance=1 --output-skip-existing --output-mode=append | output.skipExisting does not apply to clusters (pairing: within, results: [cluster]), only to rows, except clusters",
                "--max-distance=1 --verify=0.5 | verify does not apply to clusters (pairing: within, results: [cluster]), only to rows, except clusters; not if the output is a table",
                "--id=id | pairing: within requires maxDistance"
            })
    void refused(String options, String message) {
        CommandLineRun run = run(Stream.of(options.split(" "))
                .map(option -> option.replace('_', option.startsWith("--best") ? ' ' : '_'))
                .toArray(String[]::new));
        assertThat(run.code()).isNotEqualTo(ExitCode.DONE);
        assertThat(run.err()).contains(message);
    }

    @Test
    void linkageOfPairs() {
        CommandLineRun.of(
                        "run",
                        "--problem=edit_distance",
                        "--pairing=within",
                        "--max-distance=1",
                        "--linkage=complete",
                        "--input=" + folder.resolve("rows.json"),
                        "--argument=text",
                        "--output=" + folder.resolve("out"))
                .assertCode(ExitCode.USAGE)
                .contains(
                        "linkage does not apply to pairing: within, only to clusters (pairing: within, results: [cluster])");
    }

    @Test
    void columnsMustDiffer() throws IOException {
        write();
        CommandLineRun run = run("--max-distance=1", "--keep=id");
        assertThat(run.err()).contains("the output would have two columns named 'id'");
        run = run("--max-distance=1", "--id=name");
        assertThat(run.err()).contains("the input has no column 'name'");
    }
}
