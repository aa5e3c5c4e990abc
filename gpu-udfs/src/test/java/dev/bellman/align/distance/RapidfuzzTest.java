package dev.bellman.align.distance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.align.Text;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compares results with rapidfuzz's, which are in {@code rapidfuzz.tsv}. */
class RapidfuzzTest {
    private record Expected(Text a, Text b, String hamming, int damerauLevenshtein, int osa, double jaroWinkler) {
        static Expected of(String line) {
            String[] fields = line.split("\t", -1);
            return new Expected(
                    Text.of(fields[0]),
                    Text.of(fields[1]),
                    fields[2],
                    Integer.parseInt(fields[3]),
                    Integer.parseInt(fields[4]),
                    Double.parseDouble(fields[5]));
        }
    }

    private static List<Expected> expected() throws IOException {
        try (InputStream file = RapidfuzzTest.class.getResourceAsStream("rapidfuzz.tsv")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(Expected::of)
                    .toList();
        }
    }

    @Test
    void sameValues() throws IOException {
        assertThat(expected()).hasSizeGreaterThan(300).allSatisfy(pair -> {
            if (!pair.hamming().equals("-")) {
                assertThat(HammingDistance.distance(pair.a(), pair.b(), HammingDistance.Strategy.AUTO))
                        .isEqualTo(Integer.parseInt(pair.hamming()));
            }
            assertThat(DamerauLevenshtein.distance(pair.a(), pair.b(), DamerauLevenshtein.Strategy.AUTO))
                    .isEqualTo(pair.damerauLevenshtein());
            assertThat(OsaDistance.distance(pair.a(), pair.b(), OsaDistance.Strategy.AUTO))
                    .isEqualTo(pair.osa());
            assertThat(JaroWinkler.similarity(pair.a(), pair.b(), JaroWinkler.Strategy.AUTO))
                    .isEqualTo(pair.jaroWinkler());
        });
    }
}
