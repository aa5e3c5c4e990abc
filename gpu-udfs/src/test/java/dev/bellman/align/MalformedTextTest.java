package dev.bellman.align;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.Thorough;
import dev.bellman.align.distance.EditDistance;
import dev.bellman.align.subsequence.LongestCommonSubsequence;
import dev.bellman.align.subsequence.ShortestCommonSupersequence;
import dev.bellman.align.subsequence.SupersequenceOfAll;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

/** Tests strings that are not valid UTF-8. */
class MalformedTextTest {
    /** Compares distances between malformed strings with Spark's, with and without a limit. */
    @Test
    void editDistanceIsSparksLevenshtein() {
        Random random = new Random(101);
        for (int round = 0; round < Thorough.rounds(100_000, 1_000_000); round++) {
            byte[] a = TestPairs.malformed(random, 12);
            byte[] b = random.nextInt(3) == 0 ? changed(random, a) : TestPairs.malformed(random, 12);
            EditDistance.Strategy strategy = EditDistance.Strategy.values()[round % 3];
            int max = random.nextInt(8);
            int unlimited = EditDistance.distance(Text.of(a), Text.of(b), strategy);
            int limited = EditDistance.distance(Text.of(a), Text.of(b), max, strategy);
            UTF8String[] padded = padded(a, b);
            int expected = padded[0].levenshteinDistance(padded[1]);
            int expectedLimited = padded[0].levenshteinDistance(padded[1], max);
            if (unlimited != expected || limited != expectedLimited) {
                assertThat(List.of(unlimited, limited))
                        .as("%s %s %s %d", strategy, Arrays.toString(a), Arrays.toString(b), max)
                        .isEqualTo(List.of(expected, expectedLimited));
            }
        }
    }

    /**
     * Spark compares a truncated character with whatever bytes follow the string in memory. Here, the three bytes that
     * follow have a value that occurs in neither string, so two such characters are equal only if their existing bytes
     * are equal.
     */
    private static UTF8String[] padded(byte[] a, byte[] b) {
        boolean[] used = new boolean[256];
        for (byte[] bytes : List.of(a, b)) {
            for (byte each : bytes) {
                used[each & 0xff] = true;
            }
        }
        int unused = 0;
        while (used[unused]) {
            unused++;
        }
        return new UTF8String[] {padded(a, (byte) unused), padded(b, (byte) unused)};
    }

    private static UTF8String padded(byte[] bytes, byte with) {
        byte[] padded = Arrays.copyOf(bytes, bytes.length + 3);
        Arrays.fill(padded, bytes.length, padded.length, with);
        return UTF8String.fromBytes(padded, 0, bytes.length);
    }

    private static byte[] changed(Random random, byte[] bytes) {
        byte[] changed = bytes.clone();
        if (changed.length > 0) {
            changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
        }
        return changed;
    }

    /**
     * Compares results with the textbook's. For the textbook, each distinct character is replaced with a different code
     * point, and strings in its results are converted back.
     */
    @Test
    void pathsAreTheTextbooks() {
        Random random = new Random(102);
        for (int round = 0; round < Thorough.rounds(2_000, 20_000); round++) {
            int most = round % 100 == 0 ? 300 : 20;
            byte[] a = TestPairs.malformed(random, most);
            byte[] b = random.nextInt(3) == 0 ? changed(random, a) : TestPairs.malformed(random, most);
            Map<UTF8String, Integer> names = new LinkedHashMap<>();
            String aNames = renamed(a, names);
            String bNames = renamed(b, names);
            Text aText = Text.of(a);
            Text bText = Text.of(b);
            String cigar = Textbook.cigar(aNames, bNames);
            for (EditDistance.Strategy strategy : EditDistance.Strategy.values()) {
                assertThat(EditDistance.cigar(aText, bText, strategy)).isEqualTo(cigar);
            }
            String lcs = Textbook.lcs(aNames, bNames);
            for (LongestCommonSubsequence.Strategy strategy : LongestCommonSubsequence.Strategy.values()) {
                assertThat(LongestCommonSubsequence.length(aText, bText, strategy))
                        .isEqualTo(lcs.length());
                assertThat(LongestCommonSubsequence.subsequence(aText, bText, strategy)
                                .bytes())
                        .isEqualTo(original(lcs, names));
            }
            String scs = Textbook.scs(aNames, bNames);
            for (ShortestCommonSupersequence.Strategy strategy : ShortestCommonSupersequence.Strategy.values()) {
                assertThat(ShortestCommonSupersequence.length(aText, bText, strategy, 1))
                        .isEqualTo(scs.length());
                assertThat(ShortestCommonSupersequence.supersequence(aText, bText, strategy, 1)
                                .bytes())
                        .isEqualTo(original(scs, names));
            }
            assertThat(SupersequenceOfAll.of(List.of(aText, bText), SupersequenceOfAll.Strategy.AUTO)
                            .bytes())
                    .isEqualTo(original(scs, names));
        }
    }

    private static String renamed(byte[] bytes, Map<UTF8String, Integer> names) {
        StringBuilder renamed = new StringBuilder();
        for (int at = 0; at < bytes.length; ) {
            int end = Math.min(bytes.length, at + UTF8String.numBytesForFirstByte(bytes[at]));
            UTF8String character = UTF8String.fromBytes(Arrays.copyOfRange(bytes, at, end));
            names.putIfAbsent(character, 0x4e00 + names.size());
            renamed.append((char) (int) names.get(character));
            at = end;
        }
        return renamed.toString();
    }

    private static byte[] original(String renamed, Map<UTF8String, Integer> names) {
        List<UTF8String> characters = List.copyOf(names.keySet());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        renamed.chars()
                .forEach(name -> bytes.writeBytes(characters.get(name - 0x4e00).getBytes()));
        return bytes.toByteArray();
    }
}
