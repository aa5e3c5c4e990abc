package dev.bellman.align.names;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.cuda.ModuleInterface;
import org.junit.jupiter.api.Test;

/** Reads the table of {@code align/names/normalize.cu} as the kernel does. */
class NormalizedTextsTest {
    @Test
    void everyCharacter() {
        ModuleInterface module = ModuleInterface.of("align/names/normalize");
        int block = module.constant("BLOCK_POINTS");
        int other = module.constant("OTHER");
        int[] table = NormalizedTexts.table(module);

        assertThat(table.length).isLessThan(50_000);
        // the kernel does not read the index for the first block
        assertThat(table[0]).isEqualTo(module.constant("CODE_POINTS") / block);
        for (int character = 0; character < module.constant("CODE_POINTS"); character++) {
            int change = table[table[character / block] + character % block];
            assertThat(change == other ? ' ' : character + change).isEqualTo(Normalization.normalized(character));
        }
    }

    /** The kernel normalizes ASCII characters without the table. */
    @Test
    void asciiCharacters() {
        for (int character = 0; character < 0x80; character++) {
            int lower = character | ' ';
            boolean isKept = lower >= 'a' && lower <= 'z' || character >= '0' && character <= '9';
            assertThat(Normalization.normalized(character)).isEqualTo(isKept ? lower : ' ');
        }
    }

    /** The kernel replaces malformed characters without looking at the table. */
    @Test
    void malformedCharacters() {
        assertThat(Normalization.normalized(~0xff)).isEqualTo(' ');
        assertThat(Normalization.normalized(Integer.MIN_VALUE)).isEqualTo(' ');
    }
}
