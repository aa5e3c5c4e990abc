package dev.bellman.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PassesTest {
    private static StringBlock strings(int count) {
        StringBlock block = new StringBlock(true);
        for (int i = 0; i < count; i++) {
            byte[] bytes = Integer.toString(i).getBytes();
            block.add(bytes, bytes.length, i % 3, 1, 1);
        }
        return block.trimmed();
    }

    private static long[] bytesOfCells(StringBlock block) {
        long[] bytes = new long[Passes.CELLS];
        block.addTo(bytes);
        assertThat(Arrays.stream(bytes).sum()).isEqualTo(block.totals().bytes());
        return bytes;
    }

    /**
     * For any number of chunks, every pair of strings is in exactly one pass, as is each string paired with itself; no
     * pass exceeds the memory.
     */
    @Test
    void everyPairCountsOnce() {
        StringBlock all = strings(60);
        long[] bytes = bytesOfCells(all);
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < 50; round++) {
            long mostBytes = 2 * Arrays.stream(bytes).max().getAsLong() + random.nextInt(6_000);
            Passes passes = Passes.of(bytes, mostBytes);
            StringBlock[] chunks = passes.count() == 1 ? new StringBlock[] {all} : all.split(passes);
            Map<List<String>, Integer> counted = new HashMap<>();
            for (int pass = 0; pass < passes.count(); pass++) {
                List<StringBlock> read = new ArrayList<>();
                for (int chunk : passes.chunks(pass)) {
                    read.add(chunks[chunk]);
                }
                assertThat(StringTotals.of(read).bytes()).isLessThanOrEqualTo(mostBytes);
                Strings strings = Strings.of(read);
                Passes.Counted ofPass = passes.counted(pass);
                for (int x = 0; x < strings.count(); x++) {
                    for (int y = 0; y < strings.count(); y++) {
                        if (ofPass.has(strings, x, y)) {
                            counted.merge(List.of(name(strings, x), name(strings, y)), 1, Integer::sum);
                        }
                    }
                }
            }
            assertThat(counted).as("%d chunks", passes.chunks()).hasSize(60 * 60);
            assertThat(counted.values()).containsOnly(1);
        }
    }

    private static String name(Strings strings, int id) {
        return new String(strings.bytes(id)) + '/' + strings.group(id);
    }

    @Test
    void asFewAsFit() {
        long[] bytes = new long[Passes.CELLS];
        Arrays.fill(bytes, 100);
        long all = Passes.CELLS * 100L;
        assertThat(Passes.of(bytes, all).count()).isEqualTo(1);
        assertThat(Passes.of(bytes, all - 1).count()).isEqualTo(3);
        assertThat(Passes.of(bytes, all / 10).chunks()).isEqualTo(21);
        assertThat(Passes.of(bytes, all / 10).count()).isEqualTo(210);
    }

    @Test
    void stringTooLong() {
        long[] bytes = new long[Passes.CELLS];
        bytes[7] = 600;
        bytes[8] = 600;
        assertThatThrownBy(() -> Passes.of(bytes, 1_000))
                .hasMessageContaining("[BELLMAN_LIMIT] the join on close strings: an executor must hold two groups of "
                        + "strings at a time, but one group has 600 bytes")
                .hasMessageContaining("only 1,000 bytes are available for both");
    }
}
