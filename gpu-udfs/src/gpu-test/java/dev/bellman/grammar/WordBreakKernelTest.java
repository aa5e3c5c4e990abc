package dev.bellman.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.cuda.KernelConstants;
import dev.bellman.proof.Values;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class WordBreakKernelTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("grammar/word_break", "WordTrie", DeviceTrie.class);
        KernelConstants.assertSameLayout("grammar/word_break", "WordList", DeviceTrie.Words.class);
        KernelConstants.assertSameLayout("grammar/word_break", "BreakRows", WordBreakKernel.Rows.class);
    }

    @Test
    void classes() {
        KernelConstants.assertFewClasses("grammar/word_break", "BREAK_CLASSES", 1);
    }

    @Test
    void wordsOnHost() {
        ArrayData words = Values.arrayOf(UTF8String.fromString("\u00e9a"), UTF8String.fromString("b"));
        HostWords read = HostWords.of("word_break", words, null);
        assertThat(read.bytes()).containsExactly(0xc3, 0xa9, 'a', 'b');
        assertThat(read.offsets()).containsExactly(0, 3, 4);
        assertThat(read.weights()).isNull();
        assertThat(HostWords.of("word_break", words, null)).isSameAs(read);

        ArrayData weights = new GenericArrayData(new double[] {-1, 2});
        assertThat(HostWords.of("word_break", words, weights).weights()).containsExactly(-1, 2);
        assertThat(HostWords.of("word_break", Values.arrayOf(), null).count()).isZero();
    }
}
