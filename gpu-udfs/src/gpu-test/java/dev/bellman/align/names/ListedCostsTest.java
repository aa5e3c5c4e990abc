package dev.bellman.align.names;

import static dev.bellman.cuda.KernelConstants.assertSameLayout;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Checks the form in which individual costs are copied to the GPU. */
class ListedCostsTest {
    @Test
    void layout() {
        assertSameLayout("align/names/weighted", "ListedCosts", ListedCosts.class);
    }

    /** The kernel searches from the slot of a character's hash to the first empty slot, and there always is one. */
    @Test
    void slots() {
        Random random = new Random(1974);
        for (int count = 0; count < 300; count++) {
            Map<Integer, Integer> numbers = new HashMap<>();
            int range = count % 2 == 0 ? 2 * count : Character.MAX_CODE_POINT;
            while (numbers.size() < count) {
                numbers.putIfAbsent(random.nextInt(range), numbers.size() + 1);
            }
            int shift = ListedCosts.shift(count + 1);
            int[] slots = ListedCosts.slots(numbers, shift);
            assertThat(slots.length / 2).isEqualTo((-1 >>> shift) + 1).isGreaterThan(2 * count);
            numbers.forEach((character, number) ->
                    assertThat(find(slots, character, shift)).isEqualTo(number));
            assertThat(find(slots, Character.MAX_CODE_POINT + 1, shift)).isZero();
        }
    }

    private static int find(int[] slots, int character, int shift) {
        int slot = character * 0x9e3779b1 >>> shift;
        while (slots[2 * slot + 1] != 0 && slots[2 * slot] != character) {
            slot = (slot + 1) % (slots.length / 2);
        }
        return slots[2 * slot + 1];
    }
}
