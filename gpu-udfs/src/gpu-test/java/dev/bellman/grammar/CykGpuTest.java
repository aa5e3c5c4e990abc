package dev.bellman.grammar;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class CykGpuTest extends GpuTest {
    private static final StructType SCHEMA = new StructType()
            .add("tokens", DataTypes.createArrayType(DataTypes.StringType))
            .add("grammar", DataTypes.StringType);

    private static final String CALL = "try_cyk(tokens, grammar)";
    private static final String[] WORDS = {"a", "bc", "\u00e9", "def", "-"};

    /** Returns a grammar with ties, in which every symbol derives a word. */
    private static String grammar(SplittableRandom random, int symbols, int rules) {
        StringBuilder grammar = new StringBuilder("S0 -> S0 S0 [0.5]\n");
        for (int i = 0; i < rules; i++) {
            grammar.append("S%d -> S%d S%d [%s]\n"
                    .formatted(
                            random.nextInt(symbols),
                            random.nextInt(symbols),
                            random.nextInt(symbols),
                            random.nextBoolean() ? 0.25 : 1 - random.nextDouble()));
        }
        for (int i = 0; i < 2 * symbols; i++) {
            grammar.append("S%d -> '%s' [0.5]\n".formatted(i / 2, WORDS[random.nextInt(WORDS.length)]));
        }
        return grammar.toString();
    }

    private static List<Row> sentences(long seed, int count, int longest, String... grammars) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String[] tokens = new String[1 + random.nextInt(longest)];
            for (int k = 0; k < tokens.length; k++) {
                tokens[k] = WORDS[random.nextInt(WORDS.length)];
            }
            rows.add(RowFactory.create(tokens, grammars[random.nextInt(grammars.length)]));
        }
        return rows;
    }

    private static String[] grammars(long seed, int count, int symbols, int rules) {
        SplittableRandom random = new SplittableRandom(seed);
        String[] grammars = new String[count];
        for (int i = 0; i < count; i++) {
            grammars[i] = grammar(random, 1 + random.nextInt(symbols), random.nextInt(rules));
        }
        return grammars;
    }

    private static void compare(List<Row> rows) {
        assertSameAsOnCpu(rows(SCHEMA, 2, rows), CALL);
    }

    /** Tests a few grammars, and more grammars than the GPU reads from a batch. */
    @Test
    void random() {
        compare(sentences(1, 3_000, 30, grammars(2, 3, 6, 40)));
        compare(sentences(3, 500, 40, grammars(4, 2, 90, 600)));
        compare(sentences(5, 300, 12, grammars(6, 40, 5, 20)));
    }

    /** Tests lengths that form separate classes, and lengths that share a class. */
    @Test
    void lengths() {
        compare(sentences(7, 80, 150, grammars(8, 1, 3, 9)));
    }

    /** Tests a single grammar for all rows. */
    @Test
    void literal() {
        String grammar =
                grammar(new SplittableRandom(9), 40, 300).replace('\n', ';').replace("'", "''");
        assertSameAsOnCpu(rows(SCHEMA, 2, sentences(10, 1_000, 25, "")), "try_cyk(tokens, '%s')".formatted(grammar));
    }

    /** Rows whose tables do not fit in GPU memory are solved on the CPU. */
    @Test
    void onCpu() {
        withConf("spark.bellman.gpuMemory", "200k", () -> compare(sentences(11, 200, 30, grammars(12, 2, 5, 20))));
    }

    /**
     * If a grammar contains U+FFFD, the GPU leaves rows with unknown words to the CPU, which replaces malformed UTF-8
     * with this character.
     */
    @Test
    void replacements() {
        String bent = "S -> S S [0.5] | '\ufffd' [0.5] | 'a' [0.25]";
        List<Row> rows =
                new ArrayList<>(Collections.nCopies(40, RowFactory.create(new String[] {"a", "\ufffd"}, bent)));
        rows.add(RowFactory.create(new String[] {"a", "b"}, bent));
        compare(rows);
    }

    @Test
    void rejectedRows() {
        String grammar = "S -> S S [0.5] | 'a' [0.5]; T -> 'b' [1]";
        List<Row> rows = new ArrayList<>(Collections.nCopies(70, RowFactory.create(new String[] {"a", "a"}, grammar)));
        rows.add(RowFactory.create(new String[] {"a", null}, grammar));
        rows.add(RowFactory.create(new String[] {"a", "c"}, grammar));
        rows.add(RowFactory.create(new String[] {"b", "a"}, grammar));
        rows.add(RowFactory.create(new String[] {"b"}, grammar));
        rows.add(RowFactory.create(new String[0], grammar));
        rows.add(RowFactory.create(null, grammar));
        rows.add(RowFactory.create(new String[] {"a"}, null));
        rows.add(RowFactory.create(new String[] {"a"}, "S -> A [1]"));
        rows.add(RowFactory.create(new String[] {"a"}, ""));
        rows.add(RowFactory.create(new String[] {"a", "a"}, "S -> 'a' [1]"));
        compare(rows);
        for (int bad = 70; bad < rows.size(); bad++) {
            Dataset<Row> input = rows(SCHEMA, 1, List.of(rows.get(0), rows.get(bad)));
            assertSameFailure(input, "cyk(tokens, grammar)");
        }
    }
}
