package dev.bellman.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuTest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The GPU numbers strings in the same order as the CPU. */
class BlocksGpuTest extends GpuTest {
    private static List<StringBlock> blocks(Random random, boolean grouped, List<String> strings) {
        List<StringBlock> blocks = new ArrayList<>();
        for (int i = 0; i < strings.size(); i++) {
            if (blocks.isEmpty() || random.nextInt(5_000) == 0) {
                blocks.add(new StringBlock(grouped));
            }
            byte[] bytes = strings.get(i).getBytes(StandardCharsets.US_ASCII);
            int left = random.nextInt(3);
            blocks.get(blocks.size() - 1)
                    .add(bytes, bytes.length, grouped ? i % 3 - 1 : 0, left, left == 0 ? 1 : random.nextInt(2));
        }
        return blocks;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sameAsOnCpu(boolean grouped) {
        Random random = new Random(1);
        Set<String> distinct = new HashSet<>(StringsTest.withEqualHashes(random, 100));
        while (distinct.size() < 300_000) {
            StringBuilder string = new StringBuilder();
            for (int length = random.nextInt(StringsOnGpu.LONGEST); length > 0; length--) {
                string.append((char) random.nextInt(128));
            }
            distinct.add(string.toString());
        }
        List<String> strings = new ArrayList<>(distinct);
        Collections.shuffle(strings, random);
        List<StringBlock> blocks = blocks(random, grouped, strings);

        Strings actual = BlocksOnGpu.number(blocks).orElseThrow();
        actual.readable();
        Strings expected = Strings.of(blocks);

        assertThat(actual.count()).isEqualTo(expected.count());
        for (int id = 0; id < expected.count(); id++) {
            if (actual.block(id) != expected.block(id)
                    || actual.index(id) != expected.index(id)
                    || actual.length(id) != expected.length(id)
                    || actual.first(actual.length(id)) != expected.first(expected.length(id))
                    || actual.signature(id) != expected.signature(id)
                    || actual.sides(id) != expected.sides(id)
                    || actual.isSeveralTimesLeft(id) != expected.isSeveralTimesLeft(id)) {
                throw new AssertionError("the GPU numbers string %d differently".formatted(id));
            }
        }
    }

    @Test
    void tooManyEqualHashes() {
        Random random = new Random(2);

        assertThat(BlocksOnGpu.number(blocks(random, false, StringsTest.withEqualHashes(random, 1_000))))
                .isEmpty();
    }
}
