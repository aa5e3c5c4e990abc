package dev.bellman.job.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.Thorough;
import dev.bellman.job.text.PlainReaders.Found;
import dev.bellman.job.text.RecordFormat.OnMalformed;
import dev.bellman.job.text.csv.CsvDialect;
import dev.bellman.job.text.csv.CsvParser;
import dev.bellman.job.text.csv.JsonParser;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.csv.CSVOptions;
import org.apache.spark.sql.catalyst.json.JSONOptions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;

/** Compares the text readers, on splits of any size, with {@link PlainReaders}, for mutated files. */
class TextFuzzTest {
    /** The number of files per format. */
    private static final int FILES = Integer.getInteger("fuzz.files", Thorough.rounds(800, 3_000));

    private static final StructType COLUMNS = new StructType()
            .add("id", DataTypes.StringType)
            .add("a", DataTypes.StringType)
            .add("b", DataTypes.StringType);

    @ParameterizedTest
    @ValueSource(strings = {"fasta", "fastq", "csv", "tsv", "json"})
    void mutatedFiles(String format) {
        Map<String, Integer> outcomes = new TreeMap<>();
        for (int seed = 0; seed < FILES; seed++) {
            Random random = new Random(seed);
            byte[] file = Mutations.mutate(Mutations.file(format, random), random);
            // only the first split has a header
            boolean table = format.endsWith("sv");
            boolean whole = format.equals("fastq") || table && (file.length == 0 || file[0] <= ' ');
            int part = whole || random.nextBoolean() ? file.length + 1 : (table ? 50 : 1) + random.nextInt(40);
            Found expected = expected(format, file);
            Found found = found(format, file, part);
            assertThat(found)
                    .as("seed %d, parts of %d: %s", seed, part, new String(file, StandardCharsets.ISO_8859_1))
                    .isEqualTo(expected);
            outcomes.merge(
                    expected.broken() ? "broken" : expected.malformed() > 0 ? "malformed" : "good", 1, Integer::sum);
        }
        // the mutations are useful only if some files remain valid and others do not
        assertThat(outcomes.values()).hasSizeGreaterThan(1).allMatch(count -> count > FILES / 50);
    }

    private static Found expected(String format, byte[] file) {
        return switch (format) {
            case "fasta" -> PlainReaders.fasta(file);
            case "fastq" -> PlainReaders.fastq(file);
            case "csv" -> withoutHeader(PlainReaders.csv(file));
            case "tsv" -> withoutHeader(PlainReaders.tsv(file));
            default -> {
                Found json = PlainReaders.json(file);
                yield new Found(
                        json.records().stream()
                                .map(record -> record.subList(0, 3))
                                .toList(),
                        json.malformed(),
                        false);
            }
        };
    }

    private static Found withoutHeader(Found table) {
        return table.records().isEmpty()
                ? new Found(List.of(), 0, true)
                : new Found(table.records().subList(1, table.records().size()), table.malformed(), false);
    }

    private static Found found(String format, byte[] file, int part) {
        try {
            List<List<String>> records = new ArrayList<>();
            int malformed = 0;
            for (int start = 0; start < Math.max(1, file.length); start += part) {
                TextInput input = input(file, start);
                RowSource rows = rows(format, file, input, start + part);
                while (rows.next()) {
                    var row = rows.row();
                    List<String> record = IntStream.range(0, row.numFields())
                            .mapToObj(i -> row.isNullAt(i)
                                    ? "null"
                                    : row.getUTF8String(i).toString())
                            .toList();
                    boolean table = !format.startsWith("fast");
                    if (table && !row.isNullAt(row.numFields() - 1)) {
                        malformed++;
                    } else {
                        records.add(table ? record.subList(0, record.size() - 1) : record);
                    }
                }
            }
            return new Found(records, malformed, false);
        } catch (BellmanException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.BELLMAN_INPUT_FORMAT);
            return Found.BROKEN;
        }
    }

    private static TextInput input(byte[] file, int start) {
        int from = Math.max(0, start - 1);
        return new TextInput(
                new ByteArrayInputStream(file, from, file.length - from),
                "x",
                start,
                false,
                Integer.MAX_VALUE,
                () -> new ByteArrayInputStream(file));
    }

    private static RowSource rows(String format, byte[] file, TextInput input, long end) {
        if (format.startsWith("fast")) {
            SequenceColumn[] columns = SequenceColumn.values();
            SequenceLayout layout =
                    new SequenceLayout(format.equals("fasta") ? Arrays.copyOf(columns, 3) : columns, false);
            return new SequenceRows(
                    format.equals("fasta") ? new FastaParser(input, end, layout) : new FastqParser(input, layout),
                    layout);
        }
        if (format.equals("json")) {
            Map<String, String> options = Map.of("allowSingleQuotes", "false", "allowNonNumericNumbers", "false");
            JSONOptions json = new JSONOptions(
                    scala.collection.immutable.Map.from(CollectionConverters.asScala(options)), "UTC", "unused");
            // a value of a different type is shown as text, so only its presence is compared
            return marked(input, end, new JsonParser(COLUMNS, json, false), 3);
        }
        Map<String, String> options = new HashMap<>(Map.of("header", "true", "nullValue", "\0", "escape", "\""));
        if (format.equals("tsv")) {
            options.put("sep", "\t");
            options.put("quote", "");
        }
        CSVOptions csv = new CSVOptions(
                scala.collection.immutable.Map.from(CollectionConverters.asScala(options)), false, "UTC", "unused");
        CsvDialect dialect = new CsvDialect(csv, false);
        List<String> header = CsvParser.first(input(file, 0), dialect, false);
        if (header.isEmpty()) {
            throw new BellmanException(ErrorCode.BELLMAN_INPUT_FORMAT, "no header");
        }
        List<String> names = dialect.columns(header);
        List<CsvParser.CsvValue> values = IntStream.range(0, names.size())
                .mapToObj(i -> new CsvParser.CsvValue(i, names.get(i), null))
                .toList();
        return marked(input, end, new CsvParser(dialect, names, !input.startsInside(), values, false), names.size());
    }

    /** Returns the values, followed by a column with the problem, if there is one. */
    private static RowSource marked(TextInput input, long end, RecordParser parser, int values) {
        int[] positions =
                IntStream.rangeClosed(0, values).map(i -> i < values ? i : -1).toArray();
        return new RecordRows(input, end, parser, new RecordFormat.Columns(positions, values, -1), OnMalformed.MARK);
    }
}
