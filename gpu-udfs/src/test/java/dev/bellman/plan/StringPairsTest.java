package dev.bellman.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.join.JoinEstimate;
import dev.bellman.join.JoinMethod;
import dev.bellman.join.JoinPlan;
import dev.bellman.join.PairSearch;
import dev.bellman.join.Passes;
import dev.bellman.join.StringBlock;
import dev.bellman.join.StringTotals;
import dev.bellman.join.Strings;
import dev.bellman.join.measure.Distance;
import dev.bellman.join.measure.Measure;
import dev.bellman.join.measure.Metric;
import dev.bellman.plan.catalyst.Scala;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import scala.Option;
import scala.collection.immutable.Seq;

class StringPairsTest {
    private static final int ROUNDS = 300;

    private record Row(String string, long group, boolean left) {
        private UTF8String utf8() {
            return UTF8String.fromString(string);
        }

        private long hash() {
            byte[] bytes = utf8().getBytes();
            long hash = XXH64.hashUnsafeBytes(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length, 42);
            return XXH64.hashLong(group, hash);
        }
    }

    private static Attribute attribute(DataType type) {
        return new AttributeReference(
                "a", type, true, Metadata.empty(), NamedExpression$.MODULE$.newExprId(), Scala.<String>seq());
    }

    private static List<StringBlock> packed(List<Row> rows) {
        Seq<Attribute> input = Scala.seq(
                attribute(DataTypes.StringType), attribute(DataTypes.LongType), attribute(DataTypes.BooleanType));
        PackedRows packed = new PackedRows(
                rows.stream()
                        .sorted(Comparator.comparingLong(Row::hash))
                        .<InternalRow>map(
                                row -> new GenericInternalRow(new Object[] {row.utf8(), row.group(), row.left()}))
                        .iterator(),
                true,
                input,
                new SimilarStrings.Rows(false, Scala.<Attribute>seq(), Scala.<Attribute>seq(), Option.empty()));
        List<StringBlock> blocks = new ArrayList<>();
        packed.forEachRemaining(blocks::add);
        return blocks;
    }

    private static Stream<String> pairs(Strings strings, PairSearch search, int part, int parts, Measure measure) {
        StringPairs pairs = new StringPairs(strings, Passes.ONE.counted(0), search, part, parts, measure, false, true);
        Stream.Builder<String> found = Stream.builder();
        while (pairs.advance()) {
            for (int pair = 0; pair < pairs.count(); pair++) {
                if (pairs.isWanted(pair)) {
                    int left = StringPairs.left(pair);
                    int right = StringPairs.right(pair);
                    found.add("%s %s %d"
                            .formatted(
                                    PairRows.string(pairs, left),
                                    PairRows.string(pairs, right),
                                    pairs.block(left).group(pairs.index(left))));
                }
            }
        }
        return found.build();
    }

    /**
     * Each part reads the strings in blocks of its own, in another order, like a process that has computed lost blocks
     * again. Together, the parts return each pair once.
     */
    @Test
    void blocksThatDifferByPart() {
        SplittableRandom random = new SplittableRandom(3);
        Measure measure = new Distance(Metric.EDIT_DISTANCE, 1);
        for (int round = 0; round < ROUNDS; round++) {
            String alphabet = List.of("ab", "aé\ud83d\ude00").get(random.nextInt(2));
            List<Row> rows = new ArrayList<>();
            for (int i = random.nextInt(200); i > 0; i--) {
                StringBuilder string = new StringBuilder();
                for (int length = random.nextInt(6); length > 0; length--) {
                    string.append(alphabet.charAt(random.nextInt(2)));
                }
                rows.add(new Row(string.toString(), random.nextInt(3), random.nextBoolean()));
            }
            int parts = 1 << random.nextInt(5);
            List<String> actual = new ArrayList<>();
            for (int part = 0; part < parts; part++) {
                int partitions = 1 + random.nextInt(3);
                List<StringBlock> blocks = new ArrayList<>();
                for (int partition = partitions - 1; partition >= 0; partition--) {
                    int chosen = partition;
                    blocks.addAll(packed(rows.stream()
                            .filter(row -> Math.floorMod(row.hash(), partitions) == chosen)
                            .toList()));
                }
                Strings strings = Strings.of(blocks);
                StringTotals totals =
                        blocks.stream().map(StringBlock::totals).reduce(StringTotals.NONE, StringTotals::plus);
                JoinPlan plan = new JoinEstimate(
                                strings, totals, Passes.ONE, measure, 1, 1 << 20, false, false, () -> {})
                        .plan(JoinMethod.PLAIN);
                // the search need not be divided, because only equal strings are compared
                try (PairSearch search = plan.search(strings, 0, () -> {})) {
                    pairs(strings, search, part, parts, measure)
                            .filter(StringPairsTest::isEqual)
                            .forEach(actual::add);
                }
            }
            TreeSet<String> expected = new TreeSet<>();
            for (Row row : rows) {
                if (row.left() && rows.contains(new Row(row.string(), row.group(), false))) {
                    expected.add("%s %s %d".formatted(row.string(), row.string(), row.group()));
                }
            }
            assertThat(actual).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    private static boolean isEqual(String pair) {
        String[] words = pair.split(" ", -1);
        return words[0].equals(words[1]);
    }
}
