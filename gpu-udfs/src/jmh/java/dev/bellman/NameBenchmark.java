package dev.bellman;

import dev.bellman.align.Text;
import dev.bellman.align.names.Ratios;
import dev.bellman.align.search.EditSearch;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Measures a pair of four-word names, and a 30-letter pattern in a 100-letter text, on one thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class NameBenchmark {
    private int[] name;
    private int[] other;
    private int[] part;
    private int[] whole;
    private Text pattern;
    private Text text;

    @Setup
    public void makePairs() {
        Random random = new Random(4);
        String[] words = new String[5];
        for (int i = 0; i < words.length; i++) {
            words[i] = letters(random, 6);
        }
        name = Text.of(String.join(" ", words[0], words[1], words[2], words[3])).characters();
        other = Text.of(String.join(" ", words[1], words[0], words[2], words[4]))
                .characters();
        part = Text.of(letters(random, 30)).characters();
        whole = Text.of(letters(random, 100)).characters();
        pattern = Text.of(part, 0, part.length);
        text = Text.of(whole, 0, whole.length);
    }

    private static String letters(Random random, int length) {
        return random.ints(length, 'a', 'z' + 1).mapToObj(Character::toString).collect(Collectors.joining());
    }

    @Benchmark
    public double ratio() {
        return Ratios.ratio(name, other, Ratios.Strategy.AUTO);
    }

    @Benchmark
    public double partialRatio() {
        return Ratios.partialRatio(part, whole, Ratios.Strategy.AUTO);
    }

    @Benchmark
    public double tokenSortRatio() {
        return Ratios.tokenSortRatio(name, other, Ratios.Strategy.AUTO);
    }

    @Benchmark
    public double tokenSetRatio() {
        return Ratios.tokenSetRatio(name, other, Ratios.Strategy.AUTO);
    }

    @Benchmark
    public double weightedRatio() {
        return Ratios.weightedRatio(name, other, Ratios.Strategy.AUTO);
    }

    @Benchmark
    public int editDistanceInfix() {
        return EditSearch.infixDistance(pattern, text, EditSearch.Strategy.AUTO);
    }
}
