package dev.bellman.job.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.bellman.job.Thorough;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests unusual ids, strings and groups. */
class UnusualPairsTest extends ClosePairsFixture {
    /**
     * Writes rows in which some ids repeat or are NULL, some strings are NULL, empty or equal, and some groups are
     * NULL. The letters have one, two or four bytes in UTF-8.
     */
    private void writeUnusual() throws IOException {
        Random random = new Random(5);
        for (List<Entry> list : List.of(queries, targets)) {
            list.clear();
            for (int i = 0; i < 60; i++) {
                String text = random.ints(random.nextInt(4), 0, 3)
                        .mapToObj(symbol -> new String[] {"a", "é", "\ud83d\ude00"}[symbol])
                        .collect(Collectors.joining());
                list.add(new Entry(
                        random.nextInt(8) == 0 ? null : random.nextInt(20),
                        random.nextInt(8) == 0 ? null : text,
                        random.nextInt(4) == 0 ? null : random.nextBoolean() ? "de" : "fr"));
            }
        }
        writeJson("queries.json", queries);
        writeJson("targets.json", targets);
    }

    @ParameterizedTest
    @MethodSource("limits")
    void unusualWithinTheInput(int max, boolean byCountry) throws IOException {
        writeUnusual();
        List<String> options = new ArrayList<>(List.of("--pairing=within", "--max-distance=" + max));
        if (byCountry) {
            options.add("--block-on=country");
        }
        runUnusual(options.toArray(String[]::new)).assertDone();
        assertThat(written())
                .isEqualTo(lines(IntStream.range(0, queries.size())
                        .boxed()
                        .flatMap(i ->
                                known(Stream.of(queries.get(i)), queries.subList(i + 1, queries.size()), byCountry))
                        .filter(pair -> pair.distance() <= max)))
                .isNotEmpty();
    }

    static List<Arguments> choices() {
        return Thorough.cases(
                3,
                arguments(1, 0, false),
                arguments(2, null, true),
                arguments(100, 3, true),
                arguments(2, 1, true),
                arguments(3, 2, false),
                arguments(2, null, false),
                arguments(100, null, false));
    }

    @ParameterizedTest
    @MethodSource("choices")
    void unusualNearest(int top, Integer max, boolean byCountry) throws IOException {
        writeUnusual();
        List<String> options = new ArrayList<>(List.of("--pairing=nearest", "--top=" + top, unusualTargets()));
        if (max != null) {
            options.add("--max-distance=" + max);
        }
        if (byCountry) {
            options.add("--block-on=country");
        }
        runUnusual(options.toArray(String[]::new)).assertDone();
        Comparator<Entry> byId = Comparator.comparing(Entry::id, Comparator.nullsFirst(Comparator.naturalOrder()));
        Comparator<Entry> order = byId.thenComparing(Entry::country, Comparator.nullsFirst(Comparator.naturalOrder()));
        assertThat(written())
                .isEqualTo(lines(queries.stream().flatMap(query -> known(Stream.of(query), targets, byCountry)
                        .filter(pair -> max == null || pair.distance() <= max)
                        .sorted(Comparator.comparingInt(Pair::distance).thenComparing(Pair::b, order))
                        .limit(top))))
                .isNotEmpty();
    }
}
