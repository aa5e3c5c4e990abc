package dev.bellman.align.distance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuSide;
import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeEditDistanceGpuTest extends GpuTest {
    private static final String NAME = "try_tree_edit_distance";
    private static final StructType SCHEMA = new StructType()
            .add("a", DataTypes.StringType)
            .add("b", DataTypes.StringType)
            .add("i", DataTypes.IntegerType)
            .add("d", DataTypes.IntegerType)
            .add("r", DataTypes.IntegerType);

    private static final StructType WITH_FORMAT = BYTES.add("i", DataTypes.IntegerType)
            .add("d", DataTypes.IntegerType)
            .add("r", DataTypes.IntegerType)
            .add("format", DataTypes.StringType);

    /**
     * The shapes of trees. Nodes are numbered in preorder or, if children are added to the left, in the preorder of the
     * mirror image.
     */
    private enum Shape {
        CHAIN,
        STAR,
        COMB,
        ALTERNATING,
        DEEP,
        RANDOM;

        int parent(SplittableRandom random, int node) {
            return switch (this) {
                case CHAIN -> node - 1;
                case STAR -> 0;
                case COMB, ALTERNATING -> (node - 1) / 2 * 2;
                case DEEP -> Math.max(0, node - 1 - random.nextInt(4));
                case RANDOM -> random.nextInt(node);
            };
        }
    }

    private static String label(SplittableRandom random, int kind) {
        String[] labels = {"", "a", " b", "é", "\\{", "\\\\", "\\}x", "日本", "\\a", "aa"};
        return kind == 0 ? "a" : kind == 1 ? "word" + random.nextInt(30) : labels[random.nextInt(labels.length)];
    }

    private static String tree(SplittableRandom random, Shape shape, int nodes) {
        int kind = random.nextInt(3);
        boolean isMirrored = random.nextBoolean();
        List<List<Integer>> children = Stream.generate(() -> (List<Integer>) new ArrayList<Integer>())
                .limit(nodes)
                .toList();
        for (int node = 1; node < nodes; node++) {
            int parent = shape.parent(random, node);
            List<Integer> its = children.get(parent);
            boolean isFirst = shape == Shape.ALTERNATING ? parent % 4 == 0 : isMirrored;
            its.add(isFirst ? 0 : its.size(), node);
        }
        String[] texts = new String[nodes];
        for (int node = nodes - 1; node >= 0; node--) {
            StringBuilder text = new StringBuilder("{").append(label(random, kind));
            children.get(node).forEach(child -> text.append(texts[child]));
            texts[node] = text.append(random.nextInt(50) == 0 ? "} " : "}").toString();
        }
        return texts[0];
    }

    private static String edited(SplittableRandom random, String tree) {
        String text = tree;
        for (int edits = random.nextInt(4); edits > 0; edits--) {
            int at = text.indexOf('}', random.nextInt(text.length()));
            if (at > 0 && text.charAt(at - 1) != '\\') {
                text = text.substring(0, at) + (random.nextBoolean() ? "{c}" : "}") + text.substring(at);
            }
        }
        return text;
    }

    private static Integer cost(SplittableRandom random) {
        return switch (random.nextInt(8)) {
            case 0 -> Integer.MAX_VALUE;
            case 1 -> random.nextInt(40) == 0 ? null : random.nextInt(-1, 100_000);
            case 2, 3 -> random.nextInt(5);
            default -> 1;
        };
    }

    private static Row row(SplittableRandom random, int nodes) {
        Shape[] shapes = Shape.values();
        String a = tree(random, shapes[random.nextInt(shapes.length)], nodes);
        String b = random.nextBoolean()
                ? edited(random, a)
                : tree(random, shapes[random.nextInt(shapes.length)], random.nextInt(1, nodes + 1));
        return RowFactory.create(
                random.nextInt(50) == 0 ? null : random.nextBoolean() ? a : b,
                random.nextInt(50) == 0 ? null : b,
                cost(random),
                cost(random),
                cost(random));
    }

    private static Dataset<Row> random(long seed, int count, int most) {
        SplittableRandom random = new SplittableRandom(seed);
        return rows(
                SCHEMA,
                3,
                Stream.generate(() -> row(random, random.nextInt(1, most + 1)))
                        .limit(count)
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"(a, b)", "(a, b, i)", "(a, b, i, d)", "(a, b, i, d, r)", "(a, '{a{b}{c}}', delete => d)"})
    void random(String arguments) {
        assertSameAsOnCpu(NAME, random(1, 20_000, 12), NAME + arguments);
        assertSameAsOnCpu(NAME, random(2, 2_000, 70), NAME + arguments);
        assertSameAsOnCpu(NAME, random(3, 40, 300), NAME + arguments);
    }

    /** Compares so many pairs of larger trees that each block solves several. */
    @Test
    void many() {
        assertSameAsOnCpu(NAME, random(4, 5_000, 120), NAME + "(a, b)");
    }

    /** The CPU solves rows with trees of more than 32,767 nodes or 4 MiB, and rows that need too much GPU memory. */
    @Test
    void limits() {
        String root = "{a}";
        String label = "x".repeat((1 << 22) - 2);
        List<Row> rows = new ArrayList<>();
        for (int children : new int[] {32_765, 32_766, 32_767, 40_000}) {
            rows.add(pair("{" + "{b}".repeat(children) + "}", root));
            rows.add(pair(root, "{".repeat(children + 1) + "}".repeat(children + 1)));
        }
        rows.add(pair("{" + label + "}", root));
        rows.add(pair("{" + label + "}", "{" + label + "y}"));
        rows.add(pair("{" + label + "y}", "{" + label + "y"));
        assertSameAsOnCpu(NAME, rows(SCHEMA, 1, rows), NAME + "(a, b, i, d, r)");
        withConf(GpuSide.MEMORY, "30k", () -> assertSameAsOnCpu(NAME, random(5, 400, 100), NAME + "(a, b)"));
    }

    private static Row pair(String a, String b) {
        return RowFactory.create(a, b, 1, 2, Integer.MAX_VALUE);
    }

    /** Labels may contain bytes that are not UTF-8. */
    @Test
    void malformedLabels() {
        SplittableRandom random = new SplittableRandom(6);
        List<Row> rows = Stream.generate(() -> RowFactory.create(malformed(random), malformed(random)))
                .limit(5_000)
                .toList();
        assertSameAsOnCpu(NAME, texts(BYTES, rows), NAME + "(a, b)");
    }

    /** Some of the values are malformed: they are cut, or one of their bytes has changed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "(a, b, format => 'json')",
                "(a, b, i, d, r, 'json')",
                "(a, '{\"a\": [1, {}]}', delete => d, format => 'json')",
                "(a, b, format => 'brackets')",
                "(a, b, i, d, r, format)"
            })
    void formats(String arguments) {
        SplittableRandom random = new SplittableRandom(7);
        List<Row> rows = Stream.generate(() -> {
                    InternalRow row = TreeInstances.formats(random, random.nextInt(1, 60));
                    return RowFactory.create(
                            damaged(random, row, 0),
                            damaged(random, row, 1),
                            cost(random),
                            cost(random),
                            cost(random),
                            row.isNullAt(5) || row.getUTF8String(5).toString().equals("xml")
                                    ? null
                                    : row.getUTF8String(5).toString());
                })
                .limit(20_000)
                .toList();
        assertSameAsOnCpu(NAME, texts(WITH_FORMAT, rows), NAME + arguments);
    }

    private static byte[] damaged(SplittableRandom random, InternalRow row, int column) {
        if (row.isNullAt(column)) {
            return null;
        }
        byte[] text = row.getUTF8String(column).getBytes().clone();
        int kind = text.length == 0 ? 2 : random.nextInt(20);
        if (kind == 0) {
            return Arrays.copyOf(text, random.nextInt(text.length));
        }
        if (kind == 1) {
            text[random.nextInt(text.length)] = (byte) random.nextInt(256);
        }
        return text;
    }

    /**
     * Some of these values are too large for the GPU, some are nested more deeply than a recursive parser supports, and
     * some contain the byte 0xFF.
     */
    @Test
    void unusualJson() {
        String label = "x".repeat((1 << 22) / 3 - 2);
        String[] values = {
            "1",
            "",
            "\"" + label + "\"",
            "\"" + label + "y\"",
            "[".repeat(20_000) + "]".repeat(20_000),
            "{\"\":".repeat(10_000) + "1" + "}".repeat(10_000),
            "{\"\":".repeat(20_000) + "1" + "}".repeat(20_000),
            "[".repeat(20_000) + "]".repeat(20_001),
            "[".repeat(20_001) + "]".repeat(20_000),
            "1".repeat(100_000),
            "-0." + "0".repeat(5_000) + "1e-" + "9".repeat(5_000),
            "\"\u00ff\"",
            "\u00ff",
            "1\u00ff",
            "{\"\u00ff\": 1}",
            "[1,\u00ff]",
            "\"\\u00f\u00ff\""
        };
        List<Row> rows = new ArrayList<>();
        for (String value : values) {
            rows.add(RowFactory.create(value.getBytes(ISO_8859_1), "[1]".getBytes(ISO_8859_1)));
            rows.add(RowFactory.create("{\"\u00ff\": 1}".getBytes(ISO_8859_1), value.getBytes(ISO_8859_1)));
        }
        assertSameAsOnCpu(NAME, texts(BYTES, rows), NAME + "(a, b, format => 'json')");
    }

    private static byte[] malformed(SplittableRandom random) {
        byte[] letters = {'{', '}', '{', '}', '\\', ' ', '\n', 'a', (byte) 0x80, (byte) 0xc3};
        byte[] text = new byte[random.nextInt(20)];
        for (int i = 0; i < text.length; i++) {
            text[i] = i == 0 ? (byte) '{' : i == text.length - 1 ? (byte) '}' : letters[random.nextInt(letters.length)];
        }
        return text;
    }

    @Test
    void rejectedRows() {
        for (Row last : List.of(
                RowFactory.create("{a}", "", 1, 1, 1),
                RowFactory.create("{a}{b}", "{a}", 1, 1, 1),
                RowFactory.create("{a}", "{a{b}c}", 1, 1, 1),
                RowFactory.create("{a}", "{a\\", 1, 1, 1),
                RowFactory.create("{a}", "{a}", 1, -1, 1),
                RowFactory.create("{a}", "{a}}", -1, -1, -1))) {
            List<Row> rows = new ArrayList<>();
            IntStream.range(0, 50).forEach(i -> rows.add(pair("{a}", "{b}")));
            rows.add(RowFactory.create(null, "{", 1, 1, 1));
            rows.add(last);
            Dataset<Row> input = rows(SCHEMA, 1, rows);
            String call = "tree_edit_distance(a, b, i, d, r)";
            assertThat(failure(input, call))
                    .isNotEmpty()
                    .isEqualTo(withConf("spark.rapids.sql.enabled", "false", () -> failure(input, call)));
        }
    }

    @Test
    void rejectedJson() {
        assertRejected(
                SCHEMA,
                "tree_edit_distance(a, b, i, d, r, 'json')",
                List.of(pair("{}", "[1]"), pair(null, "[")),
                pair("", "1"),
                pair("1", "{\"a\":1,}"),
                pair("01", "{}"),
                pair("\"\n\"", "\"\\x\""),
                pair("[1] 2", "[1"));
        assertRejected(
                SCHEMA,
                "tree_edit_distance(a, b, i, d, r, if(i = 1, 'json', 'xml'))",
                List.of(pair("1", "2")),
                RowFactory.create("1", "2", 2, 1, 1));
    }
}
