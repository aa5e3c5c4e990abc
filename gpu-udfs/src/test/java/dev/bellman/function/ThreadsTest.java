package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.SparkTest;
import dev.bellman.Thorough;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Several threads of a session call functions, join, cluster and register functions at the same time. */
class ThreadsTest extends SparkTest {
    private static final int THREADS = 8;
    private static final int ROUNDS = Thorough.rounds(12, 500);

    private static final List<String> QUERIES = List.of(
            "SELECT l.id, r.id FROM words l JOIN words r ON l.id < r.id AND edit_distance(l.s, r.s) <= 1",
            "SELECT l.id, r.id FROM words l JOIN words r ON l.id < r.id AND jaro_winkler_similarity(l.s, r.s) >= 0.9",
            "SELECT * FROM similar_pairs(TABLE(SELECT id, s FROM words), 's', 1)",
            "SELECT text_clusters(collect_list(s), 2, 'average') FROM (SELECT s FROM words ORDER BY s LIMIT 40)",
            "SELECT s, try_matrix_chain_cost(array(int(id % 3), 2, 3)) FROM words",
            "SELECT edit_distance(s, 'sitten'), count(*) FROM words GROUP BY 1",
            "SELECT cyk(split(s, ''), \"S -> S S [0.5] | 'a' [0.5]\") FROM words WHERE s RLIKE '^a+$'",
            "SELECT weighted_edit_distance(s, 'kitten', 1, 1, 1, 'a b 0.5') FROM words",
            "SELECT alignment(s, 'kitten', 'local', 'match 2 mismatch -1 open 3 extend 1').cigar FROM words",
            "SELECT max(soft_dtw(array(double(id)), array(1D, 2D), 1D)) FROM words");

    private static List<String> answer(String query) {
        return spark.sql(query).collectAsList().stream()
                .map(Object::toString)
                .sorted()
                .toList();
    }

    @Test
    void sameAnswers() throws InterruptedException, ExecutionException {
        spark.range(0, 300, 1, 2)
                .selectExpr("id", "substr(md5(string(id % 90)), 1, int(3 + id % 3)) AS s")
                .unionAll(spark.sql("SELECT 1000L, 'aaa' UNION ALL SELECT 1001L, 'a'"))
                .createOrReplaceTempView("words");
        List<String> queries = new ArrayList<>(QUERIES);
        Catalogue.functions()
                .forEach(function -> queries.add(
                        "SELECT %s FROM range(2)".formatted(function.example().expression())));
        Map<String, List<String>> expected = new HashMap<>();
        QUERIES.forEach(query -> expected.put(query, answer(query)));
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Integer>> calls = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                SplittableRandom random = new SplittableRandom(thread);
                calls.add(threads.submit(() -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        if (random.nextInt(4) == 0) {
                            Bellman.register(spark);
                        }
                        String query = random.nextBoolean()
                                ? QUERIES.get(random.nextInt(QUERIES.size()))
                                : queries.get(random.nextInt(queries.size()));
                        List<String> answer = answer(query);
                        if (expected.containsKey(query)) {
                            assertThat(answer).as(query).isEqualTo(expected.get(query));
                        } else {
                            assertThat(answer).as(query).hasSize(2);
                            assertThat(answer.get(0)).as(query).isEqualTo(answer.get(1));
                        }
                    }
                    return ROUNDS;
                }));
            }
            for (Future<Integer> each : calls) {
                assertThat(each.get()).isEqualTo(ROUNDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
