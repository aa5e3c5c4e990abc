package dev.bellman.job.rows;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The code that {@link BestHitsTest} and {@link BestHitsScoringTest} share. */
abstract class BestHitsFixture {
    static final String SCORING = "blosum62 open 12 extend 1";

    final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    final List<String> queries = new ArrayList<>();
    final List<String> targets = new ArrayList<>();

    /**
     * Writes targets that contain the end of a query between random letters. Some targets occur twice, so that scores
     * tie.
     */
    @BeforeEach
    void write() throws IOException {
        Random random = new Random(3);
        for (int i = 0; i < 9; i++) {
            queries.add(random(random, 20 + random.nextInt(40)));
        }
        for (int i = 0; i < 40; i++) {
            String query = queries.get(random.nextInt(queries.size()));
            int from = random.nextInt(query.length() / 2);
            targets.add(
                    i % 4 == 3
                            ? targets.get(i - 1)
                            : random(random, 5) + query.substring(from) + random(random, random.nextInt(20)));
        }
        fasta("queries.fa", "q", queries);
        fasta("targets.fa", "t", targets);
    }

    static String random(Random random, int length) {
        return random.ints(length, 0, 20)
                .mapToObj("ARNDCQEGHILKMFPSTWYV"::charAt)
                .collect(StringBuilder::new, StringBuilder::append, StringBuilder::append)
                .toString();
    }

    void fasta(String file, String id, List<String> sequences) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < sequences.size(); i++) {
            text.append(">%s%02d\n%s\n".formatted(id, i, sequences.get(i)));
        }
        Files.writeString(folder.resolve(file), text);
    }

    CommandLineRun run(String... more) {
        return CommandLineRun.ofJob(
                folder,
                "alignment",
                "queries.fa",
                List.of(
                        "--targets=" + folder.resolve("targets.fa"),
                        "--parameter=mode=local",
                        "--parameter=scoring=" + SCORING),
                more);
    }
}
