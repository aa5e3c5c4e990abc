package dev.bellman.join.sort;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkersTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1 << 14, 100_000, (1 << 20) - 1, 1 << 20, 5_000_003, Integer.MAX_VALUE})
    void rangesCoverAllNumbers(int count) {
        List<int[]> ranges = Collections.synchronizedList(new ArrayList<>());
        Workers.parts(count, (part, from, to) -> ranges.add(new int[] {part, from, to}));
        ranges.sort((one, other) -> Integer.compare(one[0], other[0]));
        assertThat(ranges).hasSize(Workers.parts(count));
        int end = 0;
        for (int part = 0; part < ranges.size(); part++) {
            assertThat(ranges.get(part)[0]).isEqualTo(part);
            assertThat(ranges.get(part)[1]).isEqualTo(end);
            end = ranges.get(part)[2];
        }
        assertThat(end).isEqualTo(count);
    }

    @Test
    void firstCallRunsAlone() {
        AtomicBoolean ended = new AtomicBoolean();
        List<Integer> calls = Collections.synchronizedList(new ArrayList<>());
        Workers.firstAlone(100, i -> {
            if (i == 0) {
                assertThat(calls).isEmpty();
                ended.set(true);
            }
            assertThat(ended).isTrue();
            calls.add(i);
        });
        assertThat(calls).hasSize(100).doesNotHaveDuplicates();
        Workers.firstAlone(0, i -> assertThat(i).isNegative());
    }
}
