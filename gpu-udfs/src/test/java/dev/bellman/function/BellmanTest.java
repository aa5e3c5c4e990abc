package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.align.names.SplinkFunctions;
import dev.bellman.plan.ReplaceLevenshtein;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry$;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A session in which the functions were registered later behaves like a session that was configured with the extension.
 */
@Tag("session")
class BellmanTest {
    private static final List<String> QUERIES = List.of(
            "SELECT edit_distance('kitten', s) FROM t",
            "SELECT l.id, r.id FROM t l JOIN t r ON edit_distance(l.s, r.s) <= 1 AND l.id < r.id",
            "SELECT l.id FROM t l WHERE EXISTS (SELECT 1 FROM t r WHERE levenshtein(l.s, r.s) <= 1 AND l.id > r.id)",
            "SELECT l.*, r.* FROM t l LEFT JOIN t r ON levenshtein(l.s, r.s) <= 1 AND l.s <> r.s",
            "SELECT levenshtein(s, 'sitting', 2) FROM t");

    @AfterEach
    void stop() {
        SparkSession.active().stop();
    }

    private static SparkSession session(String extensions) {
        SparkSession spark = SparkSession.builder()
                .master("local[1]")
                .config(BellmanExtensions.KEY, extensions)
                .getOrCreate();
        prepare(spark);
        return spark;
    }

    private static void prepare(SparkSession spark) {
        spark.conf().set("spark.sql.shuffle.partitions", "2");
        spark.conf().set(ReplaceLevenshtein.KEY, "true");
        spark.sql("CREATE OR REPLACE TEMP VIEW t AS "
                + "SELECT id, element_at(array('kitten', 'sitten', 'x'), CAST(id AS INT)) AS s FROM range(1, 4)");
    }

    private static List<String> plans(SparkSession spark) {
        return QUERIES.stream()
                .map(query -> spark.sql(query).queryExecution().toString().replaceAll("#\\d+L?|id=\\d+", ""))
                .toList();
    }

    @Test
    void sessionThatIsThere() {
        SparkSession spark = session("");
        assertThat(spark.sql(QUERIES.get(2)).queryExecution().toString()).doesNotContain("SimilarStrings");

        Bellman.register(spark);
        Bellman.register(spark);
        List<String> registered = plans(spark);
        assertThat(registered.get(1)).contains("SimilarStrings");
        assertThat(registered.get(4)).contains("edit_distance(element_at");
        assertThat(spark.sql(QUERIES.get(1)).collectAsList().toString()).isEqualTo("[[1,2]]");
        spark.sql("CREATE VIEW edits AS SELECT edit_distance('kitten', 'sitting') AS d");
        SparkSession other = spark.newSession();
        assertThat(other.table("edits").first().getInt(0)).isEqualTo(3);
        prepare(other);
        assertThat(plans(other)).isEqualTo(registered);

        spark.stop();
        SparkSession configured = session(BellmanExtensions.class.getName());
        assertThat(plans(configured)).isEqualTo(registered);
        Bellman.register(configured);
        assertThat(plans(configured)).isEqualTo(registered);
    }

    /** Spark 4.3 has a different {@code jaro_winkler_similarity}, which returns 0.6 for this pair. */
    @Test
    void functionsOfTheSameName() {
        String name = "jaro_winkler_similarity";
        String call = "SELECT string(%s('abc', 'acb'))".formatted(name);
        FunctionRegistry builtIn = FunctionRegistry$.MODULE$.builtin();
        builtIn.registerFunction(
                FunctionNames.of(name),
                builtIn.lookupFunction(FunctionNames.of("concat")).get(),
                builtIn.lookupFunctionBuilder(FunctionNames.of("concat")).get());
        try {
            SparkSession spark = session("");
            assertThat(spark.sql(call).first().get(0)).isEqualTo("abcacb");
            Bellman.register(spark);
            assertThat(spark.sql(call).first().get(0)).isEqualTo("0.5555555555555555");
            spark.stop();
            spark = session(BellmanExtensions.class.getName());
            assertThat(spark.sql(call).first().get(0)).isEqualTo("0.5555555555555555");
        } finally {
            builtIn.dropFunction(FunctionNames.of(name));
        }
    }

    @Test
    void functionOfTheUserOfTheSameName() {
        SparkSession spark = session("");
        spark.udf().register("edit_distance", (UDF2<String, String, Integer>) (a, b) -> 7, DataTypes.IntegerType);

        Bellman.register(spark);

        assertThat(spark.sql("SELECT edit_distance('a', 'b')").first().get(0)).isEqualTo(1);
    }

    /**
     * Tests the setting for Splink's functions in a session with the extension, and in one in which the functions were
     * registered later.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void functionsOfSplink(boolean configured) {
        String query = "SELECT levenshtein(s, 'sitting'), damerau_levenshtein(s, 'iktten'), jaro_sim(s, 'kit'), "
                + "jaro_winkler(s, 'kit'), jaccard(s, 'kit'), cosine_distance(s, 'x y') FROM t ORDER BY id";
        SparkSession.Builder builder = SparkSession.builder().master("local[1]");
        SparkSession spark;
        if (configured) {
            spark = builder.config(BellmanExtensions.KEY, BellmanExtensions.class.getName())
                    .config(SplinkFunctions.KEY, "true")
                    .getOrCreate();
        } else {
            spark = builder.getOrCreate();
            Bellman.register(spark);
            assertThatThrownBy(() -> spark.sql("SELECT jaro_sim('a', 'a')")).isInstanceOf(AnalysisException.class);
            spark.conf().set(SplinkFunctions.KEY, "true");
            Bellman.register(spark);
        }
        prepare(spark);
        spark.conf().unset(ReplaceLevenshtein.KEY);

        assertThat(spark.sql(query).queryExecution().optimizedPlan().toString()).contains("edit_distance(s");
        assertThat(spark.sql(query).collectAsList().toString())
                .isEqualTo("[[3,1,0.8333333333333334,0.8833333333333334,0.6,1.0], "
                        + "[2,2,0.6666666666666666,0.6666666666666666,0.3333333333333333,1.0], "
                        + "[7,6,0.0,0.0,0.0,0.29289321881345254]]");
        assertThat(spark.sql("SELECT jaro_winkler(NULL, 'a'), try_cosine_distance(' ', 'a')")
                        .first()
                        .toString())
                .isEqualTo("[null,null]");
    }
}
