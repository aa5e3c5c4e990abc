package dev.bellman.grammar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.TextbookAnswers;
import dev.bellman.columns.ConstantArray;
import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.jdk.javaapi.CollectionConverters;

/** Tests the division of strings without spaces into words. */
class WordBreakTest {
    @Test
    void equalsTheTextbook() {
        TextbookAnswers.compare(GrammarFunctions.list().get(1), 1990, 400, 60);
    }

    private static ArrayData words(String... words) {
        return Values.arrayOf(Stream.of(words).map(UTF8String::fromString).toArray());
    }

    private static String split(WordBreak.Strategy strategy, String text, double[] weights, String... words) {
        return String.join(
                " ",
                Stream.of(WordBreak.words(
                                "word_break",
                                UTF8String.fromString(text),
                                words(words),
                                weights == null ? null : new GenericArrayData(weights),
                                strategy))
                        .map(UTF8String::toString)
                        .toList());
    }

    @ParameterizedTest
    @EnumSource
    void chooses(WordBreak.Strategy strategy) {
        String[] words = {"expert", "experts", "exchange", "sex", "change"};
        assertThat(split(strategy, "expertsexchange", null, words)).isEqualTo("experts exchange");
        double[] weights = {-1, -5, -5, -1, -1};
        assertThat(split(strategy, "expertsexchange", weights, words)).isEqualTo("expert sex change");
        assertThat(split(strategy, "", null, words)).isEmpty();
        assertThat(split(strategy, "\u00fcber\u00fcber", null, "\u00fc", "ber", "\u00fcber"))
                .isEqualTo("\u00fcber \u00fcber");
        assertThatThrownBy(() -> split(strategy, "expertise", null, words))
                .hasMessage("[BELLMAN_INPUT_VALUE] word_break: the string is not a sequence of words: no word matches "
                        + "after 6 of its 9 characters. Correct the row, or use try_word_break, which returns NULL");
        assertThatThrownBy(() -> split(strategy, "\u00fcber\u00fcn", null, "\u00fcber"))
                .hasMessageContaining("after 4 of its 6 characters");
        assertThatThrownBy(() -> split(strategy, "a", null, "a", "")).hasMessageContaining("entry 2 of words");
    }

    /** Tests thousands of words, many of which begin with the same letters. */
    @Test
    void manyWords() {
        SplittableRandom random = new SplittableRandom(6);
        String[] words = new String[3_000];
        Arrays.setAll(words, i -> Integer.toString(random.nextInt(1_000_000), 4) + i % 4);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            text.append(words[random.nextInt(words.length)]);
        }
        double[] weights = random.doubles(words.length).map(Math::log).toArray();
        assertThat(split(WordBreak.Strategy.AUTO, text.toString(), weights, words))
                .isEqualTo(split(WordBreak.Strategy.SERIAL, text.toString(), weights, words));
    }

    /**
     * A call reuses the previous call's trie only if all words and weights are equal, in whatever form they are passed.
     */
    @Test
    void sameWordsAsBefore() {
        String[] words = {"a", "b", "ab"};
        double[] high = {-1, -1, -9};
        double[] low = {-1, -1, -1.5};
        WordTrie first = WordList.trie("word_break", words(words), new GenericArrayData(high));
        assertThat(WordList.trie("word_break", unsafe(words), UnsafeArrayData.fromPrimitiveArray(high)))
                .isSameAs(first);
        assertThat(WordList.trie("word_break", unsafe(words), UnsafeArrayData.fromPrimitiveArray(low)))
                .isNotSameAs(first);
        for (int i = 0; i < 3; i++) {
            assertThat(split(WordBreak.Strategy.AUTO, "ab", high, words)).isEqualTo("a b");
            assertThat(split(WordBreak.Strategy.AUTO, "ab", low, words)).isEqualTo("ab");
            assertThat(split(WordBreak.Strategy.AUTO, "ab", null, words)).isEqualTo("ab");
            assertThat(split(WordBreak.Strategy.AUTO, "ab", null, "a", "b")).isEqualTo("a b");
            assertThatThrownBy(() -> split(WordBreak.Strategy.AUTO, "ab", null, "a", null))
                    .hasMessageContaining("entry 2 of words");
        }
        WordTrie unweighted = WordList.trie("word_break", unsafe(words), null);
        assertThat(WordList.trie("word_break", unsafe(words), null)).isSameAs(unweighted);
    }

    /** A constant list is compared with other lists, but not with itself. */
    @Test
    void constantWords() {
        Object[] list = {UTF8String.fromString("a"), UTF8String.fromString("b")};
        ArrayData constant = new ConstantArray(new GenericArrayData(list));
        WordTrie first = WordList.trie("word_break", constant, null);
        ArrayData next = new ConstantArray(new GenericArrayData(list.clone()));
        assertThat(WordList.trie("word_break", next, null)).isSameAs(first);
        list[0] = UTF8String.fromString("c");
        assertThat(WordList.trie("word_break", constant, null)).isNotSameAs(first);
        WordTrie second = WordList.trie("word_break", constant, null);
        // a constant changes only in this test
        list[1] = null;
        assertThat(WordList.trie("word_break", constant, null)).isSameAs(second);
    }

    private static ArrayData unsafe(String... words) {
        DataType type = DataTypes.createArrayType(DataTypes.StringType);
        InternalRow row = InternalRow.apply(
                CollectionConverters.asScala(List.<Object>of(words(words))).toSeq());
        return UnsafeProjection.create(new DataType[] {type}).apply(row).getArray(0);
    }
}
