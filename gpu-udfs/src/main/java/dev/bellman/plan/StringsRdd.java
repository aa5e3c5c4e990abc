package dev.bellman.plan;

import dev.bellman.columns.TaskMemory;
import dev.bellman.join.StringBlock;
import dev.bellman.join.Strings;
import java.io.Serializable;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.spark.Dependency;
import org.apache.spark.NarrowDependency;
import org.apache.spark.Partition;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/**
 * Tasks that each read all strings of another RDD. An executor fetches the strings once for all its tasks and keeps them while memory permits.
 */
final class StringsRdd<T> extends RDD<T> {
    private static final long serialVersionUID = 1L;

    /** The work of a task on all strings. */
    interface Task<T> extends Serializable {
        Iterator<T> run(Strings strings, int part);
    }

    private static final ConcurrentMap<String, Loaded> LOADED = new ConcurrentHashMap<>();

    private final int parts;
    private final int blockPartitions;
    private final Task<T> task;

    StringsRdd(RDD<StringBlock> blocks, int parts, Class<T> type, Task<T> task) {
        super(blocks.sparkContext(), Scala.<Dependency<?>>seq(new All(blocks)), ClassTag$.MODULE$.apply(type));
        this.parts = parts;
        this.task = task;
        blockPartitions = blocks.getNumPartitions();
    }

    private static final class All extends NarrowDependency<StringBlock> {
        private static final long serialVersionUID = 1L;

        private final int partitions;

        All(RDD<StringBlock> blocks) {
            super(blocks);
            partitions = blocks.getNumPartitions();
        }

        @Override
        public Seq<Object> getParents(int partition) {
            List<Object> all = new ArrayList<>();
            for (int i = 0; i < partitions; i++) {
                all.add(i);
            }
            return Scala.seq(all);
        }
    }

    private record Part(int index) implements Partition {
        @Override
        public int hashCode() {
            return index;
        }
    }

    /** The strings in this process, if fetched already. */
    private static final class Loaded {
        private SoftReference<Strings> strings = new SoftReference<>(null);

        synchronized Strings get(RDD<StringBlock> blocks, int partitions, TaskContext context) {
            Strings found = strings.get();
            if (found == null) {
                List<StringBlock> read = new ArrayList<>();
                Partition[] all = blocks.partitions();
                for (int i = 0; i < partitions; i++) {
                    blocks.iterator(all[i], context).foreach(new scala.runtime.AbstractFunction1<>() {
                        @Override
                        public Object apply(StringBlock block) {
                            return read.add(block);
                        }
                    });
                }
                found = Strings.of(read, TaskMemory.ofAllTasks() / 2);
                strings = new SoftReference<>(found);
            }
            return found;
        }
    }

    @Override
    public Partition[] getPartitions() {
        Partition[] partitions = new Partition[parts];
        for (int i = 0; i < parts; i++) {
            partitions[i] = new Part(i);
        }
        return partitions;
    }

    @Override
    @SuppressWarnings("unchecked")
    public scala.collection.Iterator<T> compute(Partition split, TaskContext context) {
        RDD<StringBlock> blocks = (RDD<StringBlock>) dependencies().head().rdd();
        LOADED.values().removeIf(each -> each.strings.get() == null);
        Strings strings = LOADED.computeIfAbsent(
                        SparkEnv.get().conf().getAppId() + "/" + blocks.id(), id -> new Loaded())
                .get(blocks, blockPartitions, context);
        return CollectionConverters.asScala(task.run(strings, split.index()));
    }
}
