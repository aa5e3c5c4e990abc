package dev.bellman;

import dev.bellman.chain.matrix.MatrixChain;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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

/** Measures one random matrix chain on one thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ChainBenchmark {
    @Param({"10", "100", "1000"})
    private int matrices;

    private long[] dims;

    @Setup
    public void makeChain() {
        dims = new Random(matrices).longs(matrices + 1, 1, 101).toArray();
    }

    @Benchmark
    public long cost() {
        return MatrixChain.cost(dims, MatrixChain.Strategy.AUTO);
    }

    @Benchmark
    public long costByTable() {
        return MatrixChain.cost(dims, MatrixChain.Strategy.TABLE);
    }
}
