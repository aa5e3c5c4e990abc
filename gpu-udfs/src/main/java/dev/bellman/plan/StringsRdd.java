package dev.bellman.plan;

import dev.bellman.GpuSide;
import dev.bellman.join.DeletionGpu;
import dev.bellman.join.Passes;
import dev.bellman.join.StringBlock;
import dev.bellman.join.Strings;
import dev.bellman.plan.catalyst.Scala;
import java.io.Serializable;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.Dependency;
import org.apache.spark.NarrowDependency;
import org.apache.spark.Partition;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.util.TaskCompletionListener;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/**
 * An RDD whose tasks each read all strings of a parent RDD, or the strings of a pass. An executor fetches the strings
 * once for all its tasks, retains them while memory permits, and holds the strings of only one pass at a time. Tasks of
 * other passes wait, unless they already use the strings of that pass.
 */
final class StringsRdd<T> extends RDD<T> {
    private static final long serialVersionUID = 1L;

    /** The work of a task on the strings of a pass. */
    interface Task<T> extends Serializable {
        Iterator<T> run(Strings strings, int pass, int part);
    }

    private static final Map<String, Loaded> LOADED = new HashMap<>();

    private final int passes;
    private final int parts;
    private final Reads reads;
    private final boolean gpu;
    private final Task<T> task;

    /**
     * @param blocks the blocks; if there are several passes, each chunk has its own partition
     * @param passes the number of passes
     * @param parts the number of parts of each pass
     * @param gpu whether a GPU numbers the strings
     */
    StringsRdd(RDD<StringBlock> blocks, Passes all, int passes, int parts, boolean gpu, Class<T> type, Task<T> task) {
        this(blocks, new Reads(all, blocks.getNumPartitions(), parts), passes, parts, gpu, type, task);
    }

    private StringsRdd(
            RDD<StringBlock> blocks, Reads reads, int passes, int parts, boolean gpu, Class<T> type, Task<T> task) {
        super(
                blocks.sparkContext(),
                Scala.<Dependency<?>>seq(new OfPass(blocks, reads)),
                ClassTag$.MODULE$.apply(type));
        this.passes = passes;
        this.parts = parts;
        this.reads = reads;
        this.gpu = gpu;
        this.task = task;
    }

    /** Determines the partitions of blocks that a task reads. */
    private record Reads(Passes passes, int partitions, int parts) implements Serializable {
        int[] of(int partition) {
            return passes.count() == 1 ? IntStream.range(0, partitions).toArray() : passes.chunks(partition / parts);
        }
    }

    private static final class OfPass extends NarrowDependency<StringBlock> {
        private static final long serialVersionUID = 1L;

        private final Reads reads;

        OfPass(RDD<StringBlock> blocks, Reads reads) {
            super(blocks);
            this.reads = reads;
        }

        @Override
        public Seq<Object> getParents(int partition) {
            return Scala.seq(
                    Arrays.stream(reads.of(partition)).<Object>mapToObj(i -> i).toList());
        }
    }

    /**
     * @param blocks the partitions with the blocks that the task reads, which are included because RDDs know their
     *     partitions only on the driver
     */
    private record Part(int index, Partition[] blocks) implements Partition {
        @Override
        public int hashCode() {
            return index;
        }
    }

    /** The strings of a pass in this process, if they have already been fetched. */
    private static final class Loaded {
        private static final long WAIT_MILLISECONDS = 100;

        /** The number of tasks that use the strings or will soon use them. Guarded by {@link #LOADED}. */
        private int wanted;

        private SoftReference<Strings> strings = new SoftReference<>(null);
        private int pass = -1;
        /** For each task, the number of its concurrent uses of the strings. */
        private final Map<Long, Integer> users = new HashMap<>();

        static Loaded of(String key) {
            synchronized (LOADED) {
                LOADED.values().removeIf(each -> each.wanted == 0 && each.strings.get() == null);
                Loaded loaded = LOADED.computeIfAbsent(key, each -> new Loaded());
                loaded.wanted++;
                return loaded;
            }
        }

        synchronized Strings use(int ofPass, long user, Supplier<Strings> read, Runnable checkpoint) {
            // a task that already uses the other pass must not wait, since it would wait for itself
            while (ofPass != pass && !users.isEmpty() && !users.containsKey(user)) {
                try {
                    wait(WAIT_MILLISECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException(e);
                }
                checkpoint.run();
            }
            Strings found = ofPass == pass ? strings.get() : null;
            if (found == null) {
                if (ofPass != pass && users.isEmpty()) {
                    strings.clear();
                }
                found = read.get();
                if (ofPass == pass || users.isEmpty()) {
                    pass = ofPass;
                    strings = new SoftReference<>(found);
                }
            }
            users.merge(user, 1, Integer::sum);
            return found;
        }

        void release(long user) {
            synchronized (this) {
                users.computeIfPresent(user, (same, times) -> times == 1 ? null : times - 1);
                notifyAll();
            }
            synchronized (LOADED) {
                wanted--;
            }
        }
    }

    @Override
    public Partition[] getPartitions() {
        Partition[] all = blocks().partitions();
        return IntStream.range(0, passes * parts)
                .mapToObj(i -> new Part(
                        i,
                        Arrays.stream(reads.of(i)).mapToObj(each -> all[each]).toArray(Partition[]::new)))
                .toArray(Partition[]::new);
    }

    @SuppressWarnings("unchecked")
    private RDD<StringBlock> blocks() {
        return (RDD<StringBlock>) dependencies().head().rdd();
    }

    @Override
    public scala.collection.Iterator<T> compute(Partition split, TaskContext context) {
        RDD<StringBlock> blocks = blocks();
        long user = context.taskAttemptId();
        Loaded loaded = Loaded.of(SparkEnv.get().conf().getAppId() + "/" + blocks.id());
        boolean[] released = {false};
        Runnable release = () -> {
            if (!released[0]) {
                released[0] = true;
                loaded.release(user);
            }
        };
        context.addTaskCompletionListener((TaskCompletionListener) ended -> release.run());
        Strings strings = loaded.use(
                split.index() / parts,
                user,
                () -> strings(read(blocks, ((Part) split).blocks(), context)),
                context::killTaskIfInterrupted);
        Iterator<T> results = task.run(strings, split.index() / parts, split.index() % parts);
        return CollectionConverters.asScala(new Iterator<>() {
            @Override
            public boolean hasNext() {
                boolean more = results.hasNext();
                if (!more) {
                    release.run();
                }
                return more;
            }

            @Override
            public T next() {
                return results.next();
            }
        });
    }

    private static List<StringBlock> read(RDD<StringBlock> blocks, Partition[] partitions, TaskContext context) {
        List<StringBlock> read = new ArrayList<>();
        for (Partition partition : partitions) {
            CollectionConverters.asJava(blocks.iterator(partition, context)).forEachRemaining(read::add);
        }
        return read;
    }

    private Strings strings(List<StringBlock> blocks) {
        return (gpu ? GpuSide.get(DeletionGpu.class).number(blocks) : Optional.<Strings>empty())
                .orElseGet(() -> Strings.of(blocks));
    }
}
