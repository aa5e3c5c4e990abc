package dev.bellman.align;

import static dev.bellman.cuda.KernelConstants.assertSameLayout;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.cuda.ModuleInterface;
import org.junit.jupiter.api.Test;

/** Checks that the classes of pairs and a struct are the same in Java and in {@code align/pair_batch.cu}. */
class PairClassTest {
    @Test
    void numbers() {
        ModuleInterface declared = ModuleInterface.of("align/pair_batch");

        assertThat(PairClass.STRIPED).isEqualTo(declared.constant("SHAPE_STRIPED"));
        assertThat(PairClass.EMPTY).isEqualTo(declared.constant("SHAPE_EMPTY"));
        assertThat(PairClass.SHAPES).isEqualTo(declared.constant("SHAPES"));
        assertThat(PairClass.TEXT_CLASSES).isEqualTo(declared.constant("TEXT_CLASSES"));
        assertThat(PairClass.COUNT).isEqualTo(declared.constant("CLASSES"));
    }

    @Test
    void layout() {
        assertSameLayout("align/pair_batch", "Pair", PairGroups.Pair.class);
    }
}
