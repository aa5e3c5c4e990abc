package dev.bellman.join;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StringsTest {
    private static final long ASCII = 0x7F7F_7F7F_7F7F_7F7FL;

    private record Entry(String string, long group) {}

    /**
     * There are enough strings for several threads. The number of a string does not depend on the order in which
     * strings are read.
     */
    @Test
    void numbersDoNotDependOnTheOrder() {
        Random random = new Random(1);
        Set<Entry> distinct = new HashSet<>();
        while (distinct.size() < 150_000) {
            String digits = Integer.toString(random.nextInt(1 << random.nextInt(1, 31)));
            distinct.add(new Entry(random.nextInt(9) == 0 ? digits + "é" : digits, random.nextInt(3)));
        }
        List<Entry> entries = new ArrayList<>(distinct);
        Strings one = strings(entries);
        Collections.shuffle(entries, random);
        Strings other = strings(entries);

        assertThat(one.count()).isEqualTo(entries.size());
        assertThat(one.longest()).isEqualTo(11);
        for (int id = 0; id < one.count(); id++) {
            String string = new String(one.bytes(id), StandardCharsets.UTF_8);
            assertThat(distinct.remove(new Entry(string, one.group(id))))
                    .as("%d: %s", id, string)
                    .isTrue();
            if (one.length(id) != string.length()
                    || one.isAscii(id) == string.endsWith("é")
                    || one.left(id) != string.hashCode()
                    || id < one.first(one.length(id))
                    || id >= one.first(one.length(id) + 1)
                    || one.length(id) != other.length(id)
                    || one.group(id) != other.group(id)
                    || one.signature(id) != other.signature(id)
                    || !Arrays.equals(one.bytes(id), other.bytes(id))) {
                throw new AssertionError("string %d, %s, is described wrongly".formatted(id, string));
            }
        }
        assertThat(distinct).isEmpty();
    }

    /** Returns strings of 16 characters that have the same hash in group 0. */
    static List<String> withEqualHashes(Random random, int count) {
        long start = Hash.mix(0x51_7CC1_B727_220AL);
        long state = random.nextLong();
        Set<String> strings = new HashSet<>();
        while (strings.size() < count) {
            long first = random.nextLong() & ASCII;
            long hash = (start ^ first) * 0x9E3779B97F4A7C15L;
            long second = hash ^ hash >>> 29 ^ state;
            if ((second & ~ASCII) == 0) {
                byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(first)
                        .putLong(second)
                        .array();
                strings.add(new String(bytes, StandardCharsets.US_ASCII));
            }
        }
        return new ArrayList<>(strings);
    }

    @Test
    void equalHashes() {
        List<String> strings = withEqualHashes(new Random(3), 300);
        Strings numbered =
                strings(strings.stream().map(string -> new Entry(string, 0)).toList());

        Collections.sort(strings);
        for (int id = 0; id < numbered.count(); id++) {
            assertThat(new String(numbered.bytes(id), StandardCharsets.US_ASCII))
                    .isEqualTo(strings.get(id));
        }
    }

    @Test
    void none() {
        Strings strings = Strings.of(List.of());

        assertThat(strings.count()).isZero();
        assertThat(strings.longest()).isZero();
        assertThat(strings.lengthsThatOccur()).containsExactly(false);
    }

    private static Strings strings(List<Entry> entries) {
        List<StringBlock> blocks = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            if (i % 7_000 == 0) {
                blocks.add(new StringBlock(true));
            }
            Entry entry = entries.get(i);
            byte[] bytes = entry.string().getBytes(StandardCharsets.UTF_8);
            blocks.get(blocks.size() - 1)
                    .add(bytes, bytes.length, entry.group(), entry.string().hashCode(), 1);
        }
        return Strings.of(blocks);
    }
}
