package dev.bellman.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.FunctionOptions;
import dev.bellman.OnInvalid;
import dev.bellman.SparkTest;
import dev.bellman.function.BellmanFunctions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** If a join on edit distance compares every pair of rows, the log and EXPLAIN show why. */
class EveryPairTest extends SparkTest {
    private static final String NOTE = "compares every pair of rows: ";
    private static final Logger LOG = (Logger) LogManager.getLogger(EveryPair.class);
    private static final Messages MESSAGES = new Messages();

    private static final class Messages extends AbstractAppender {
        final List<String> texts = new CopyOnWriteArrayList<>();

        Messages() {
            super("messages", null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            texts.add(event.getLevel() + " " + event.getMessage().getFormattedMessage());
        }
    }

    @BeforeAll
    static void listen() {
        // Catalyst validates the plan after each rule
        spark.conf().set("spark.sql.planChangeValidation", true);
        rows(spark);
        MESSAGES.start();
        LOG.addAppender(MESSAGES);
        LOG.setLevel(Level.WARN);
        LOG.setAdditive(false);
    }

    @AfterAll
    static void stopListening() {
        LOG.removeAppender(MESSAGES);
    }

    private static void rows(SparkSession session) {
        for (String name : List.of("l", "r")) {
            session.range(40)
                    .selectExpr(
                            "int(id) AS id",
                            "int(id % 3) AS n",
                            "concat(substr('kitten', 1, int(id % 7)), id % 2) AS s",
                            "concat('x', id % 5) AS u")
                    .createOrReplaceTempView(name);
        }
    }

    @BeforeEach
    void forget() {
        MESSAGES.texts.clear();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            edit_distance(l.s, r.s) <= 2 OR l.n = 1                   | the bound on the distance is within an OR
            edit_distance(l.s, r.s) <= 1 OR edit_distance(l.u, r.u) < 2 | join once for each part
            l.id < r.id AND (l.n = 1 OR (r.n = 2 AND edit_distance(l.s, r.s) = 1)) | within an OR
            r.n = 1 OR edit_distance(l.s, r.s) <= l.n                 | the bound on the distance is within an OR
            edit_distance(l.s, r.s) <= l.n                            | the limit l.n is not a constant
            edit_distance(l.s, r.s) < r.n + 1                         | the limit (r.n + 1) is not a constant
            r.n >= edit_distance(l.s, r.s)                            | the limit r.n is not a constant
            edit_distance(l.s, r.s) = l.n                             | the limit l.n is not a constant
            edit_distance(l.s, r.s, l.n) >= 0                         | the limit l.n is not a constant
            edit_distance(l.s, r.s, l.n) <> -1                        | the limit l.n is not a constant
            edit_distance(l.s, r.s, 3) <= 2                           | the call returns -1 if the distance exceeds
            edit_distance(l.s, r.s) IN (0, 2)                         | the condition compares the distance with a list; add
            edit_distance(l.s, r.s) / length(l.s) < 0.2               | add a bound on the distance itself
            1 - edit_distance(l.s, r.s) / length(l.s) >= 0.8          | the distance is part of a larger expression
            edit_distance(l.s, r.s) <= 1.5 * greatest(length(l.s), length(r.s)) | use a factor below 1
            edit_distance(l.s, r.s) <= 1.2 * length(l.s)              | the limit (1.2BD * CAST(length(l.s)
            edit_distance(l.s, r.s) <= 0.5 * l.n                      | the limit (0.5BD * CAST(l.n
            edit_distance(concat(l.s, r.u), r.s) <= 4                 | concat(l.s, r.u) uses columns from both sides
            """)
    void says(String condition, String reason) {
        String query = "SELECT l.id, r.id FROM l JOIN r ON " + condition;
        List<Row> expected = expected(withoutFunction(query));
        for (boolean adaptive : new boolean[] {true, false}) {
            spark.conf().set("spark.sql.adaptive.enabled", adaptive);
            Dataset<Row> joined = spark.sql(query);
            List<Row> rows = joined.collectAsList();

            assertThat(plan(joined)).contains("edit_distance [" + NOTE).contains(reason);
            assertThat(rows).isNotEmpty().containsExactlyInAnyOrderElementsOf(expected);
        }
        spark.conf().unset("spark.sql.adaptive.enabled");
        assertThat(MESSAGES.texts)
                .filteredOn(text -> !text.contains("levenshtein("))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("WARN The join on (")
                .contains(NOTE)
                .contains(reason);
    }

    /**
     * Returns the same query with Spark's {@code levenshtein}. A limit that is not a constant becomes a comparison,
     * because this function accepts only constant limits.
     */
    private static String withoutFunction(String query) {
        return query.replace("edit_distance", "levenshtein").replaceAll(", l\\.n\\) (>= 0|<> -1)", ") <= l.n");
    }

    @Test
    void kindsOfJoin() {
        String on = "SELECT count(*) FROM l FULL OUTER JOIN r ON edit_distance(l.s, r.s) <= 1";
        assertThat(plan(spark.sql(on))).contains(NOTE + "FULL OUTER joins are not optimized");
        String exists = "EXISTS (SELECT 1 FROM r WHERE token_sort_ratio(l.s, r.s) >= 90)";
        assertThat(plan(spark.sql("SELECT id FROM l WHERE " + exists))).contains(NOTE + "only joins on edit_distance");
        assertThat(plan(spark.sql("SELECT id, %s FROM l".formatted(exists))))
                .contains(NOTE + "only joins on edit_distance");
        spark.conf().set("spark.sql.exchange.reuse", "false");
        try {
            assertThat(plan(spark.sql("SELECT * FROM (SELECT DISTINCT s FROM l) l LEFT JOIN r"
                            + " ON edit_distance(l.s, upper(r.s)) <= 1")))
                    .contains(NOTE + "both sides of the join are read twice")
                    .contains("set spark.sql.exchange.reuse to true");
        } finally {
            spark.conf().unset("spark.sql.exchange.reuse");
        }
        assertThat(MESSAGES.texts).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            jaro_winkler_similarity(l.s, r.s) >= l.n / 3              | is not a constant; add a constant limit
            ratio(l.s, r.s) >= 90 OR l.n = 1                          | is within an OR
            ratio(l.s, r.s) / 100 > 0.9                               | the similarity is part of a larger expression
            ratio(l.s, r.s, true) >= 90                               | the call sets an optional argument; call the
            jaro_similarity(concat(l.s, r.u), r.s) >= 0.9             | concat(l.s, r.u) uses columns from both sides
            token_sort_ratio(l.s, r.s) >= 90                          | jaro_similarity or ratio avoid this; add a
            90 < weighted_ratio(l.s, r.s, true)                      | add a bound on one of these functions, or an equality
            qgram_similarity(l.s, r.s, 2, 'dice') >= 0.8              | only joins on edit_distance (or a related distance)
            edit_distance_infix(l.s, r.u) <= 1                        | only joins on edit_distance (or a related distance)
            weighted_edit_distance(l.s, r.s, 1, 1, 2) < 2             | only joins on edit_distance (or a related distance)
            """)
    void saysOfSimilarities(String condition, String reason) {
        String plan = plan(spark.sql("SELECT l.id, r.id FROM l JOIN r ON " + condition));

        assertThat(plan).contains(" [" + NOTE).contains(reason);
    }

    /** For Spark's own function, the message does not contain the name of a Bellman function. */
    @Test
    void levenshteinIsLogged() {
        spark.sql("SELECT * FROM l JOIN r ON levenshtein(l.s, r.s) <= l.n + 2").collectAsList();

        assertThat(MESSAGES.texts).singleElement().asString().contains("levenshtein(", "the limit (l.n + 2) is not");
    }

    /** A join that also has an equality may be intentional, so EXPLAIN shows the reason, but the log does not. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            l.u = r.u AND edit_distance(l.s, r.s) <= l.n              | the limit l.n is not a constant
            l.u = r.u AND edit_distance(l.s, r.s) <= 1.5 * length(l.s) | use a factor below 1
            l.u = r.u AND (edit_distance(l.s, r.s) <= 1 OR l.n = 1)   | the bound on the distance is within an OR
            token_sort_ratio(l.s, r.s) >= 90 AND l.u = r.u            | add a bound on one of these functions]
            l.u = r.u AND ratio(l.s, r.s, true) >= 90                 | the call sets an optional argument; call the
            """)
    void saysWithEqualityOnlyInPlans(String condition, String reason) {
        Dataset<Row> joined = spark.sql("SELECT l.id, r.id FROM l JOIN r ON " + condition);

        assertThat(plan(joined))
                .contains(" [compares every pair of rows with equal keys: ")
                .contains(reason);
        assertThat(joined.collectAsList()).isNotEmpty();
        assertThat(MESSAGES.texts).isEmpty();
        assertThat(plan(spark.sql("SELECT l.id, r.id FROM l JOIN r ON l.u = r.u AND edit_distance(l.s, r.s) <= 2")))
                .contains("SimilarStrings");
    }

    /**
     * Each unplanned join in the documentation returns the same rows as the query that the documentation suggests
     * instead.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            edit_distance(l.s, r.s) <= 1 OR edit_distance(l.u, r.u) < 1 \
            | SELECT l.id, r.id FROM l JOIN r ON edit_distance(l.s, r.s) <= 1 \
            UNION SELECT l.id, r.id FROM l JOIN r ON edit_distance(l.u, r.u) < 1
            token_sort_ratio(l.w, r.w) >= 90 \
            | SELECT l.id, r.id FROM lt l JOIN lt r ON ratio(l.tokens, r.tokens) >= 90
            edit_distance(l.s, r.s) <= l.n + 1 \
            | SELECT l.id, r.id FROM l JOIN r ON edit_distance(l.s, r.s) <= l.n + 1 AND edit_distance(l.s, r.s) <= 3
            """)
    void suggestionsArePlanned(String condition, String suggestion) {
        spark.sql("SELECT *, concat_ws(' ', u, reverse(s), '', 'a' || n) AS w FROM l")
                .createOrReplaceTempView("words");
        spark.sql("SELECT id, array_join(array_sort(split(trim(w), '\\\\s+')), ' ') AS tokens FROM words")
                .createOrReplaceTempView("lt");
        String table = condition.contains("l.w") ? "words" : "l";
        Dataset<Row> planned = spark.sql(suggestion);

        assertThat(plan(planned)).contains("SimilarStrings").doesNotContain(NOTE);
        assertThat(planned.collectAsList())
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(spark.sql("SELECT l.id, r.id FROM %s l JOIN %s r ON %s"
                                .formatted(table, table.equals("l") ? "r" : table, condition))
                        .collectAsList());
    }

    /**
     * Tests joins that are planned, joins that request distant strings, and calls that do not compare the two sides.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "edit_distance(l.s, r.s) <= 2",
                "edit_distance(l.s, r.s, 2) >= 0 AND edit_distance(l.s, r.s) <= l.n",
                "edit_distance(l.s, r.s) <= 1000",
                "edit_distance(l.s, r.s) <= 2 AND (l.n = 1 OR edit_distance(l.u, r.u) = 0)",
                "edit_distance(l.s, r.s) >= 2",
                "edit_distance(l.s, r.s) > l.n",
                "2 < edit_distance(l.s, r.s)",
                "edit_distance(l.s, r.s) <> 2",
                "edit_distance(l.s, r.s, 2) = -1",
                "edit_distance(l.s, r.s, 2) < 0",
                "edit_distance(l.s, r.s) / length(l.s) > 0.5",
                "1 - edit_distance(l.s, r.s) / length(l.s) < 0.5",
                "edit_distance(l.s, 'kitten') <= l.n",
                "l.id < r.id AND edit_distance(l.s, l.u) <= l.n",
                "l.id < r.id OR edit_distance(l.s, r.s) > 1",
                "l.id < r.id OR edit_distance(l.s, r.s) <> 2 AND l.n = 1",
                "osa_distance(l.s, r.s) <= 2",
                "jaro_winkler_similarity(l.s, r.s) >= 0.9",
                "jaro_winkler_similarity(l.s, r.s) < l.n",
                "token_sort_ratio(l.s, r.s) < 90",
                "weighted_edit_distance(l.s, r.s, 1, 1, 2) >= 2",
                "token_set_ratio(l.s, r.s) >= 90 AND ratio(l.s, r.s) >= 50",
                "jaro_similarity(l.s, r.s) >= 0"
            })
    void saysNothing(String condition) {
        String plan = plan(spark.sql("SELECT l.id, r.id FROM l JOIN r ON " + condition));

        assertThat(plan).doesNotContain(NOTE);
        assertThat(MESSAGES.texts).isEmpty();
    }

    /** Functions with the caller's options are planned like other functions. */
    @Test
    void functionsWithOptions() {
        SparkSession session = spark.newSession();
        BellmanFunctions.register(session, FunctionOptions.DEFAULT.with(OnInvalid.NULL));
        rows(session);

        assertThat(plan(session.sql("SELECT l.id, r.id FROM l JOIN r ON edit_distance(l.s, r.s) <= 2")))
                .contains("SimilarStrings");
        assertThat(plan(session.sql("SELECT l.id, r.id FROM l JOIN r ON edit_distance(l.s, r.s) <= r.n + 7")))
                .contains(NOTE);
    }
}
