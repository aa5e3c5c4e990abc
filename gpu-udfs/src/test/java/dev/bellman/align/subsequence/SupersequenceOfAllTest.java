package dev.bellman.align.subsequence;

import static dev.bellman.Failing.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.OnInvalid;
import dev.bellman.TextbookAnswers;
import dev.bellman.align.TestPairs;
import dev.bellman.align.TestPairs.Pair;
import dev.bellman.align.Text;
import dev.bellman.align.Textbook;
import dev.bellman.align.subsequence.SupersequenceOfAll.Strategy;
import dev.bellman.entry.Signature;
import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SupersequenceOfAllTest {
    private static final String WELL_FORMED = "abÀéж中\ud83d\ude00\ud83d\ude01\ud83e\ude00";

    @Test
    void exactIsShortest() {
        Random random = new Random(31);
        for (int round = 0; round < 300; round++) {
            List<String> strings = strings(random, round % 2 == 0 ? WELL_FORMED : "ab", 3 + round % 3, 7);
            String exact = check(strings, Strategy.EXACT);
            assertThat(exact.codePointCount(0, exact.length()))
                    .as("%s", strings)
                    .isEqualTo(shortest(strings));
            assertThat(of(strings, Strategy.AUTO)).isEqualTo(exact);
        }
    }

    /** Returns the length of a shortest supersequence, found by a breadth-first search. */
    private static int shortest(List<String> strings) {
        int[][] symbols =
                strings.stream().map(string -> string.codePoints().toArray()).toArray(int[][]::new);
        List<Integer> end = Arrays.stream(symbols).map(string -> string.length).toList();
        Set<List<Integer>> reached = Set.of(end.stream().map(length -> 0).toList());
        for (int length = 0; ; length++) {
            if (reached.contains(end)) {
                return length;
            }
            Set<List<Integer>> next = new HashSet<>();
            for (List<Integer> taken : reached) {
                for (int k = 0; k < symbols.length; k++) {
                    if (taken.get(k) == symbols[k].length) {
                        continue;
                    }
                    List<Integer> after = new ArrayList<>(taken);
                    for (int other = 0; other < symbols.length; other++) {
                        if (taken.get(other) < symbols[other].length
                                && symbols[other][taken.get(other)] == symbols[k][taken.get(k)]) {
                            after.set(other, taken.get(other) + 1);
                        }
                    }
                    next.add(after);
                }
            }
            reached = next;
        }
    }

    private static List<String> strings(Random random, String alphabet, int count, int most) {
        return Stream.generate(() -> TestPairs.random(random, alphabet, random.nextInt(most + 1)))
                .limit(count)
                .toList();
    }

    private static String check(List<String> strings, Strategy strategy) {
        String all = of(strings, strategy);
        for (String string : strings) {
            assertThat(Textbook.isSubsequence(string, all))
                    .as("%s in %s by %s", string, all, strategy)
                    .isTrue();
        }
        return all;
    }

    @ParameterizedTest
    @EnumSource
    void twoStringsAndLess(Strategy strategy) {
        for (Pair pair : TestPairs.many(32).subList(0, 2_000)) {
            String expected = Textbook.scs(pair.a(), pair.b());
            String actual = of(List.of(pair.a(), pair.b()), strategy);
            if (strategy == Strategy.MAJORITY_MERGE) {
                assertThat(actual.codePointCount(0, actual.length()))
                        .isGreaterThanOrEqualTo(expected.codePointCount(0, expected.length()));
            } else {
                assertThat(actual).isEqualTo(expected);
            }
        }
        assertThat(of(List.of(), strategy)).isEmpty();
        assertThat(of(List.of("", ""), strategy)).isEmpty();
        assertThat(of(List.of("", "abc", "", "abc"), strategy)).isEqualTo("abc");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "EXACT")
    void manyStrings(Strategy strategy) {
        Random random = new Random(33);
        for (int count : new int[] {3, 10, 63, 64, 65, 130, 300}) {
            for (String alphabet : List.of("a", "ab", TestPairs.DNA, WELL_FORMED)) {
                check(strings(random, alphabet, count, 60), strategy);
            }
        }
        String text = TestPairs.random(random, TestPairs.LETTERS, 400);
        List<String> near = Stream.generate(() -> TestPairs.mutate(random, TestPairs.LETTERS, text, 0.05))
                .limit(6)
                .toList();
        String auto = check(near, Strategy.AUTO);
        assertThat(auto.length())
                .isEqualTo(Math.min(
                        check(near, Strategy.MAJORITY_MERGE).length(),
                        check(near, Strategy.PROGRESSIVE_MERGE).length()));
    }

    /**
     * Solving lists together has the same results as solving each list separately, however many strings each list has.
     */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "EXACT")
    void manyLists(Strategy strategy) {
        Random random = new Random(35);
        List<List<String>> lists = Stream.of(0, 1, 2, 3, 70, 5, 200, 2, 64, 65)
                .map(count -> strings(random, TestPairs.DNA, count, 50))
                .toList();
        assertThat(SupersequenceOfAll.ofEach(
                        lists.stream().map(SupersequenceOfAllTest::texts).toList(), strategy, PairSteps.ON_CPU))
                .isEqualTo(lists.stream()
                        .map(strings -> SupersequenceOfAll.of(texts(strings), strategy))
                        .toList());
    }

    /** U+1F600 is not a subsequence of two characters that contain its two surrogates. */
    @ParameterizedTest
    @EnumSource
    void charactersThatShareSurrogates(Strategy strategy) {
        check(List.of("\ud83d\ude00", "\ud83d\ude01\ud83e\ude00", "x"), strategy);
    }

    @Test
    void exactNamesItsLimit() {
        List<String> strings = List.of("a".repeat(200), "b".repeat(200), "c".repeat(200));
        assertFails(ErrorCode.BELLMAN_LIMIT, () -> of(strings, Strategy.EXACT))
                .hasMessageContaining("4,194,304")
                .hasMessageContaining("auto");
        assertThat(check(strings, Strategy.AUTO)).hasSize(600);
        assertThat(check(List.of("ab".repeat(80), "ba".repeat(80), "b".repeat(160)), Strategy.EXACT))
                .hasSize(240);
    }

    @Test
    void nulls() {
        AtomicLong cells = new AtomicLong();
        FunctionOptions options = new FunctionOptions(OnInvalid.FAIL, cells::addAndGet);
        assertThat(call(options, "ab", "bc", "cd\ud83d\ude00")).hasToString("abcd\ud83d\ude00");
        assertThat(cells.get()).isEqualTo(2 * 2 + 2 * 3 + 2 * 3);
        assertFails(ErrorCode.BELLMAN_INPUT_VALUE, () -> call(options, "a", null))
                .hasMessageContaining("entry 2 of texts");
        assertThat(call(options.with(OnInvalid.NULL), "a", null)).isNull();
    }

    private static Object call(FunctionOptions options, String... strings) {
        @SuppressWarnings("unchecked") // this function has this type of strategy
        Signature<Strategy> signature = (Signature<Strategy>)
                SubsequenceFunctions.list().get(4).signatures().get(0);
        return TextbookAnswers.call(signature, Strategy.AUTO, options, Values.row(array(strings)));
    }

    /** Returns an array of strings as Spark stores it. */
    private static ArrayData array(String... strings) {
        return new GenericArrayData(
                Arrays.stream(strings).map(UTF8String::fromString).toArray());
    }

    private static List<Text> texts(List<String> strings) {
        return strings.stream().map(Text::of).toList();
    }

    private static String of(List<String> strings, Strategy strategy) {
        return SupersequenceOfAll.of(texts(strings), strategy).toString();
    }
}
