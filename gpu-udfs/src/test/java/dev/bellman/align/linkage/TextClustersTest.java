package dev.bellman.align.linkage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.bellman.align.Text;
import dev.bellman.align.linkage.TextClusters.Member;
import dev.bellman.proof.Values;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TextClustersTest {
    private static List<Text> texts(ArrayData array) {
        return IntStream.range(0, array.numElements())
                .mapToObj(i -> Text.of(array.getUTF8String(i)))
                .toList();
    }

    private static List<Member> members(ArrayData array) {
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < array.numElements(); i++) {
            InternalRow row = array.getStruct(i, 4);
            members.add(new Member(row.getInt(0), row.getInt(1), row.getInt(2), row.getInt(3)));
        }
        return members;
    }

    @ParameterizedTest
    @EnumSource
    void equalsTheTextbook(Linkage linkage) {
        SplittableRandom random = new SplittableRandom(linkage.ordinal());
        int merged = 0;
        for (int round = 0; round < 1_500; round++) {
            InternalRow row = LinkageTextbook.instance(random, round % 50 == 0 ? 40 : 12);
            if (row.anyNull() || row.getInt(1) < 0 || Values.hasNull(row.getArray(0))) {
                continue;
            }
            row.update(2, UTF8String.fromString(linkage.name().toLowerCase(Locale.ROOT)));
            List<Member> expected = members((ArrayData) LinkageTextbook.clusters(row));
            for (TextClusters.Strategy strategy : TextClusters.Strategy.values()) {
                assertThat(TextClusters.of(texts(row.getArray(0)), row.getInt(1), linkage, strategy))
                        .as("%s of %s", strategy, row)
                        .isEqualTo(expected);
            }
            merged += (int)
                    expected.stream().filter(member -> member.neighbours() > 0).count();
        }
        assertThat(merged).isGreaterThan(1_000);
    }

    @ParameterizedTest
    @EnumSource
    void manyTexts(Linkage linkage) {
        SplittableRandom random = new SplittableRandom(7);
        for (int letters : new int[] {2, 4}) {
            List<Text> names = new ArrayList<>();
            for (int i = 0; i < 250; i++) {
                StringBuilder name = new StringBuilder();
                random.ints(2 + random.nextInt(9), 'a', 'a' + letters).forEach(c -> name.append((char) c));
                names.add(Text.of(name.toString()));
            }
            for (int max = 0; max < 5; max++) {
                assertThat(TextClusters.of(names, max, linkage, TextClusters.Strategy.AUTO))
                        .isEqualTo(TextClusters.of(names, max, linkage, TextClusters.Strategy.SERIAL));
            }
        }
    }

    /**
     * Thousands of equal strings take as few links as one string; with links between them, this test would take
     * minutes.
     */
    @ParameterizedTest
    @EnumSource
    void equalTexts(Linkage linkage) {
        List<Text> texts = IntStream.range(0, 4_500)
                .mapToObj(i -> Text.of(List.of("anna", "bob", "anne").get(i % 3)))
                .toList();
        List<Member> members = TextClusters.of(texts, 1, linkage, TextClusters.Strategy.AUTO);
        for (int i = 0; i < members.size(); i++) {
            assertThat(members.get(i)).isEqualTo(i % 3 == 1 ? new Member(1, 1, 0, 1_499) : new Member(0, 0, 1, 2_999));
        }
    }

    /** If the limit exceeds all distances, there is a single cluster; even the largest int causes no overflow. */
    @ParameterizedTest
    @EnumSource
    void noLimit(Linkage linkage) {
        List<Text> texts = Stream.of("a", "bb", "ccc", "dddd").map(Text::of).toList();
        assertThat(TextClusters.of(texts, Integer.MAX_VALUE, linkage, TextClusters.Strategy.AUTO))
                .extracting(Member::cluster, Member::diameter)
                .containsOnly(tuple(0, 4));
        assertThat(TextClusters.of(List.of(), 1, linkage, TextClusters.Strategy.AUTO))
                .isEmpty();
    }

    @Test
    void products() {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 10_000; i++) {
            long[] factors = random.longs(4, 0, random.nextInt(2) == 0 ? 5 : Long.MAX_VALUE)
                    .toArray();
            assertThat(Agglomeration.compareProducts(factors[0], factors[1], factors[2], factors[3]))
                    .isEqualTo(product(factors[0], factors[1]).compareTo(product(factors[2], factors[3])));
        }
    }

    private static BigInteger product(long a, long b) {
        return BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
    }
}
