package dev.bellman.best;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.udf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopNPrefilterGpuTest extends GpuTest {
    private static final StructType ROWS = new StructType()
            .add("id", DataTypes.LongType)
            .add("group", DataTypes.LongType)
            .add("value", DataTypes.LongType);

    private static List<Row> filtered(int count, List<Row> rows) {
        Dataset<Row> filtered = rows(ROWS, 3, rows)
                .where(udf(TopNPrefilter.udf(count), DataTypes.BooleanType)
                        .withName("may_be_best")
                        .apply(col("group"), col("value")));
        List<Row> left = filtered.collectAsList();
        assertThat(filtered.queryExecution().executedPlan().toString()).contains("gpu_may_be_best(");
        return left;
    }

    /** Returns the rows whose values are among the best {@code count} of their group, including ties. */
    private static List<Row> best(int count, List<Row> rows) {
        Map<Long, List<Row>> groups = new HashMap<>();
        rows.stream().filter(row -> !row.isNullAt(1) && !row.isNullAt(2)).forEach(row -> groups.computeIfAbsent(
                        row.getLong(1), any -> new ArrayList<>())
                .add(row));
        return groups.values().stream()
                .flatMap(group -> {
                    long least = group.stream()
                            .map(row -> row.getLong(2))
                            .sorted(Comparator.reverseOrder())
                            .skip(Math.min(count, group.size()) - 1L)
                            .findFirst()
                            .orElseThrow();
                    return group.stream().filter(row -> row.getLong(2) >= least);
                })
                .toList();
    }

    /**
     * @param run the length of the longest run of rows in the same group
     * @param most the maximum number of rows that the filter keeps
     */
    @ParameterizedTest
    @CsvSource({
        "10, 30000, 100, 5000",
        "1, 4096, 1000000, 200",
        "3, 300, 3, 50000",
        "1000, 20000, 1000000, 30000",
        "10, 5, 1000, 50000",
        "100000, 9000, 50, 50000",
    })
    void leavesTheBest(int count, int run, int values, int most) {
        Random random = new Random(7);
        List<Row> rows = new ArrayList<>();
        for (long group = 0, left = 0, id = 0; id < 50_000; id++, left--) {
            if (left == 0) {
                left = 1 + random.nextInt(run);
                group = random.nextInt(30) - 10L;
            }
            Long value = random.nextInt(5_000) == 0
                    ? (random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE)
                    : Long.valueOf(random.nextInt(values) - values / 2);
            rows.add(RowFactory.create(
                    id,
                    random.nextInt(500) == 0 && run > 1_000 ? null : Long.valueOf(group),
                    random.nextInt(50) == 0 ? null : value));
        }

        List<Row> left = filtered(count, rows);

        assertThat(left).containsAll(best(count, rows)).hasSizeLessThanOrEqualTo(most);
        assertThat(left).noneMatch(row -> row.isNullAt(1) || row.isNullAt(2));
        assertThat(best(count, left)).containsExactlyInAnyOrderElementsOf(best(count, rows));
    }

    @ParameterizedTest
    @CsvSource({"1", "10"})
    void fewRows(int count) {
        List<Row> none = List.of(RowFactory.create(1L, 1L, null), RowFactory.create(2L, null, 2L));

        assertThat(filtered(count, none)).isEmpty();
        assertThat(filtered(
                        count,
                        Stream.concat(none.stream(), Stream.of(RowFactory.create(3L, 1L, Long.MIN_VALUE)))
                                .toList()))
                .extracting(row -> row.getLong(0))
                .containsExactly(3L);
    }
}
