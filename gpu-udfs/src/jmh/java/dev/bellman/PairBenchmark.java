package dev.bellman;

import dev.bellman.align.Text;
import dev.bellman.align.distance.DamerauLevenshtein;
import dev.bellman.align.distance.EditDistance;
import dev.bellman.align.distance.HammingDistance;
import dev.bellman.align.distance.JaroWinkler;
import dev.bellman.align.distance.OsaDistance;
import dev.bellman.align.subsequence.LongestCommonSubsequence;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Measures one pair of unrelated nucleotide sequences on one thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PairBenchmark {
    @Param({"30", "150", "1000"})
    private int length;

    private Text a;
    private Text b;

    @Setup
    public void makePair() {
        Random random = new Random(length);
        a = Text.of(letters(random));
        b = Text.of(letters(random));
    }

    private String letters(Random random) {
        return random.ints(length, 0, 4)
                .mapToObj(letter -> "ACGT".substring(letter, letter + 1))
                .collect(Collectors.joining());
    }

    @Benchmark
    public int editDistance() {
        return EditDistance.distance(a, b, EditDistance.Strategy.AUTO);
    }

    @Benchmark
    public int editDistanceSerial() {
        return EditDistance.distance(a, b, EditDistance.Strategy.SERIAL);
    }

    @Benchmark
    public int editDistanceWithinTwo() {
        return EditDistance.distance(a, b, 2, EditDistance.Strategy.AUTO);
    }

    @Benchmark
    public int lcsLength() {
        return LongestCommonSubsequence.length(a, b, LongestCommonSubsequence.Strategy.AUTO);
    }

    @Benchmark
    public int hammingDistance() {
        return HammingDistance.distance(a, b, HammingDistance.Strategy.AUTO);
    }

    @Benchmark
    public int damerauLevenshtein() {
        return DamerauLevenshtein.distance(a, b, DamerauLevenshtein.Strategy.AUTO);
    }

    @Benchmark
    public int osaDistance() {
        return OsaDistance.distance(a, b, OsaDistance.Strategy.AUTO);
    }

    @Benchmark
    public double jaroWinkler() {
        return JaroWinkler.similarity(a, b, JaroWinkler.Strategy.AUTO);
    }
}
