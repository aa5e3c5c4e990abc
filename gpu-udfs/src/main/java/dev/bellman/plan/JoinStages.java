package dev.bellman.plan;

import dev.bellman.GpuSide;
import dev.bellman.columns.TaskMemory;
import dev.bellman.join.DeletionGpu;
import dev.bellman.join.JoinEstimate;
import dev.bellman.join.JoinMethod;
import dev.bellman.join.JoinPlan;
import dev.bellman.join.Passes;
import dev.bellman.join.StringBlock;
import dev.bellman.join.StringTotals;
import dev.bellman.join.Strings;
import dev.bellman.join.measure.Measure;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.serializer.SerializerInstance;
import scala.Tuple2;
import scala.reflect.ClassTag$;

/**
 * The stages of {@link SimilarStringsExec} that precede the search: they compute totals of the strings, distribute the
 * strings to passes, and plan the join.
 *
 * @param blocks the string blocks, distributed to chunks if there are several passes
 * @param gpu whether the executors may use a GPU
 */
record JoinStages(RDD<StringBlock> blocks, Passes passes, StringTotals totals, boolean gpu) {
    /**
     * Runs the stages that precede planning.
     *
     * @param memory the executor memory for strings in bytes; 0 if not set
     */
    static JoinStages of(RDD<StringBlock> packed, long memory, boolean gpu) {
        Known known = known(packed, memory);
        Passes passes = passes(packed, known);
        return new JoinStages(passes.count() == 1 ? packed : dealt(packed, passes), passes, known.totals(), gpu);
    }

    /** Plans the join in a task, based on a sample. */
    JoinPlan plan(Measure measure, boolean oneOrder, JoinMethod method, int tasks) {
        StringTotals all = totals;
        Passes ofAll = passes;
        boolean onGpu = gpu;
        byte[] serialized = strings(
                        1,
                        1,
                        byte[].class,
                        (strings, pass, part) -> estimate(strings, all, ofAll, measure, oneOrder, method, tasks, onGpu))
                .toJavaRDD()
                .collect()
                .get(0);
        return read(serialized, JoinPlan.class);
    }

    /** Returns an RDD whose tasks read the strings of the first passes. */
    <T> RDD<T> strings(int ofPasses, int parts, Class<T> type, StringsRdd.Task<T> task) {
        boolean onGpu = gpu
                && GpuSide.find(DeletionGpu.class)
                        .filter(each -> each.numbers(totals))
                        .isPresent();
        return new StringsRdd<>(blocks, passes, ofPasses, parts, onGpu, type, task);
    }

    /**
     * Information that is available once the strings have been packed.
     *
     * @param mostBytes the memory that every executor has for strings: the minimum over the executors, in bytes
     */
    private record Known(StringTotals totals, long mostBytes) implements Serializable {
        Known plus(Known other) {
            return new Known(totals.plus(other.totals), Math.min(mostBytes, other.mostBytes));
        }
    }

    private static Known known(RDD<StringBlock> packed, long memory) {
        return packed
                .toJavaRDD()
                .mapPartitions(blocks -> {
                    Known known = new Known(
                            StringTotals.NONE,
                            Math.min(memory > 0 ? memory : TaskMemory.ofAllTasks() / 2, Strings.MAX_BYTES));
                    while (blocks.hasNext()) {
                        known = known.plus(new Known(blocks.next().totals(), known.mostBytes()));
                    }
                    return List.of(written(known)).iterator();
                })
                .collect()
                .stream()
                .map(known -> read(known, Known.class))
                .reduce(new Known(StringTotals.NONE, Long.MAX_VALUE), Known::plus);
    }

    private static Passes passes(RDD<StringBlock> packed, Known known) {
        if (known.totals().bytes() <= known.mostBytes()) {
            return Passes.ONE;
        }
        long[] bytesOfCells = new long[Passes.CELLS];
        packed.toJavaRDD()
                .mapPartitions(blocks -> {
                    long[] ofPartition = new long[Passes.CELLS];
                    blocks.forEachRemaining(block -> block.addTo(ofPartition));
                    return List.of(ofPartition).iterator();
                })
                .collect()
                .forEach(each -> Arrays.setAll(bytesOfCells, cell -> bytesOfCells[cell] + each[cell]));
        return Passes.of(bytesOfCells, known.mostBytes());
    }

    /** Shuffles the blocks into one partition per chunk. An executor reads the chunks of a pass from disk. */
    private static RDD<StringBlock> dealt(RDD<StringBlock> packed, Passes passes) {
        return packed.toJavaRDD()
                .flatMapToPair(block -> {
                    StringBlock[] ofChunks = block.split(passes);
                    return IntStream.range(0, ofChunks.length)
                            .filter(chunk -> ofChunks[chunk] != null)
                            .mapToObj(chunk -> new Tuple2<>(chunk, ofChunks[chunk]))
                            .iterator();
                })
                .partitionBy(new HashPartitioner(passes.chunks()))
                .values()
                .rdd();
    }

    /** Serializes with Java's serializer, because the session may use Kryo, which cannot serialize records. */
    private static byte[] written(Serializable object) {
        ByteBuffer bytes = serializer().serialize(object, ClassTag$.MODULE$.apply(object.getClass()));
        return Arrays.copyOfRange(
                bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.arrayOffset() + bytes.limit());
    }

    private static <T> T read(byte[] written, Class<T> type) {
        return serializer().deserialize(ByteBuffer.wrap(written), type.getClassLoader(), ClassTag$.MODULE$.apply(type));
    }

    private static SerializerInstance serializer() {
        return SparkEnv.get().closureSerializer().newInstance();
    }

    private static Iterator<byte[]> estimate(
            Strings strings,
            StringTotals totals,
            Passes passes,
            Measure measure,
            boolean oneOrder,
            JoinMethod method,
            int tasks,
            boolean gpu) {
        JoinPlan plan = new JoinEstimate(
                        strings,
                        totals,
                        passes,
                        measure,
                        tasks,
                        TaskMemory.bytes() / 2,
                        gpu,
                        oneOrder,
                        TaskContext.get()::killTaskIfInterrupted)
                .plan(method);
        return List.of(written(plan)).iterator();
    }
}
