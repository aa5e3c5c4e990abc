package dev.bellman.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.function.Catalogue;
import dev.bellman.proof.Proofs;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class LaneTest {
    /** A GPU solves the rows of only the first few profiles in a batch, so a batch must not have many more profiles. */
    @Test
    void instancesShareArguments() {
        Lane.Stream stream = new Lane.Stream(
                Proofs.of(Catalogue.named("profile_score")
                                .orElseThrow()
                                .signatures()
                                .get(0))
                        .generator(),
                new Lane.Sizes(20, 200),
                7);
        Set<UTF8String> first = profiles(stream, 0);
        assertThat(first).hasSizeBetween(10, 16).isEqualTo(profiles(stream, 10_000));
        assertThat(profiles(stream, 1_000_000)).hasSizeBetween(10, 16).doesNotContainAnyElementsOf(first);
    }

    private static Set<UTF8String> profiles(Lane.Stream stream, long from) {
        return LongStream.range(from, from + 2_000)
                .mapToObj(stream::instance)
                .filter(row -> !row.isNullAt(1))
                .map(row -> row.getUTF8String(1))
                .collect(Collectors.toSet());
    }
}
