package dev.bellman.large.grid;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.Utils;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;

/**
 * Runs the tasks of a {@link TileRun} as Spark jobs. Each slot's work is sent to the executor that holds the slot's
 * tiles. This class does not depend on waves or checkpoints.
 */
final class SlotTasks<T> {
    /**
     * The maximum number of times that work is attempted. Several attempts are needed because Spark may send a task to
     * an executor that does not have the task's tiles.
     */
    private static final int MAX_ATTEMPTS = 3;

    /** The maximum time that a cluster needs to start a new executor. */
    private static final double EXECUTOR_SECONDS = 30;

    private final JavaSparkContext spark;
    private final Slots slots;
    private final int executors;
    private final Supplier<TileWorker.Shared<T>> newShared;
    private final Consumer<TileWorker.Done> notes;
    private final Map<Integer, String> locations = new HashMap<>();
    private Broadcast<TileWorker.Shared<T>> shared;

    /** The reasons why GPUs lost their tiles; empty if no tiles were lost. */
    private List<String> lost = List.of();

    /**
     * Creates tasks for the current executors.
     *
     * @param newShared creates the data that all tasks share; each attempt needs new data, so that executors drop the
     *     state of the previous attempt
     * @param notes receives the outcome of each task
     */
    SlotTasks(
            JavaSparkContext spark,
            Slots slots,
            Supplier<TileWorker.Shared<T>> newShared,
            Consumer<TileWorker.Done> notes) {
        this.spark = spark;
        this.slots = slots;
        this.newShared = newShared;
        this.notes = notes;
        executors = executors();
        shared = spark.broadcast(newShared.get());
    }

    List<String> lost() {
        return lost;
    }

    boolean areLost() {
        return !lost.isEmpty();
    }

    /** Declares the tiles lost if one executor holds several slots although each slot could have its own executor. */
    void mustBeApart() {
        if (new HashSet<>(locations.values()).size() < Math.min(slots.count(), executors)) {
            lost = List.of("Spark sent the tasks of several GPUs to the same executor");
        }
    }

    /** Forgets where all tiles are, and waits for an executor to replace a lost one. */
    void beginAgain() {
        lost = List.of();
        locations.clear();
        shared.unpersist();
        shared = spark.broadcast(newShared.get());
        double until = now() + EXECUTOR_SECONDS;
        try {
            while (executors() < executors && now() < until) {
                Thread.sleep(100);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BellmanException(ErrorCode.BELLMAN_INTERNAL, "interrupted", e);
        }
    }

    private int executors() {
        // Spark's list of executors also contains the driver
        return Math.max(1, spark.sc().statusTracker().getExecutorInfos().length - 1);
    }

    private static double now() {
        return System.nanoTime() / 1e9;
    }

    /**
     * Runs one task for each slot that has work. Afterwards, {@link #lost} contains the reasons why tasks of the last
     * attempt did not find their tiles.
     */
    void submit(String description, List<TileWorker.Work> works) {
        List<TileWorker.Work> left = works;
        for (int i = 0; i < MAX_ATTEMPTS && !left.isEmpty(); i++) {
            left = submitOnce(description, left);
        }
    }

    /** Returns the work of those tasks that did not find their tiles, because a different executor has or had them. */
    private List<TileWorker.Work> submitOnce(String description, List<TileWorker.Work> works) {
        Map<Integer, String> settled = settled(locations, slots.count(), executors());
        Broadcast<TileWorker.Shared<T>> all = shared;
        spark.setJobDescription(description);
        List<TileWorker.Done> done;
        try {
            done = located(works, work -> Utils.serialize(work), work -> settled.get(work.slot()))
                    .map(work -> TileWorker.run(all.value(), work))
                    .collect()
                    .stream()
                    .map(each -> Utils.<TileWorker.Done>deserialize(each, TileWorker.Done.class.getClassLoader()))
                    .toList();
        } finally {
            spark.setJobDescription(null);
        }
        Set<Integer> elsewhere = done.stream()
                .filter(each -> each.lost() != null && !each.location().equals(locations.get(each.slot())))
                .map(TileWorker.Done::slot)
                .collect(Collectors.toSet());
        done.stream().filter(each -> each.lost() == null).forEach(each -> {
            locations.put(each.slot(), each.location());
            notes.accept(each);
        });
        done.stream()
                .filter(each -> each.failure() != null)
                .min(Comparator.comparing(TileWorker.Done::failedAt))
                .ifPresent(each -> {
                    throw each.failure();
                });
        lost = done.stream().map(TileWorker.Done::lost).filter(Objects::nonNull).toList();
        return works.stream().filter(work -> elsewhere.contains(work.slot())).toList();
    }

    /** Creates a partition for each element; the element's preferred executor may be null. */
    private <E> JavaRDD<byte[]> located(List<E> all, Function<E, byte[]> content, Function<E, String> location) {
        List<Tuple2<byte[], Seq<String>>> located = all.stream()
                .map(each -> {
                    String place = location.apply(each);
                    List<String> preferred = place == null ? List.of() : List.of(place);
                    return new Tuple2<>(
                            content.apply(each),
                            CollectionConverters.asScala(preferred).toSeq());
                })
                .toList();
        ClassTag<byte[]> tag = scala.reflect.ClassTag$.MODULE$.apply(byte[].class);
        return JavaRDD.fromRDD(
                spark.sc().makeRDD(CollectionConverters.asScala(located).toSeq(), tag), tag);
    }

    /**
     * Returns the executors to which slots must return, keyed by slot; the other slots may move to any executor. If an
     * executor is lost, its slots move to the other executors. When the lost executor has been replaced, the others
     * have more slots than their share, and may lose the surplus.
     */
    static Map<Integer, String> settled(Map<Integer, String> locations, int slots, int executors) {
        int share = (slots + executors - 1) / executors;
        Map<String, Integer> counts = new HashMap<>();
        Map<Integer, String> settled = new HashMap<>();
        new TreeMap<>(locations).forEach((slot, location) -> {
            if (counts.merge(location, 1, Integer::sum) <= share) {
                settled.put(slot, location);
            }
        });
        return settled;
    }

    /** Frees the memory and disk space that this run's tiles occupy on the executors. */
    void drop() {
        String run = shared.value().run();
        if (!locations.isEmpty()) {
            located(new ArrayList<>(locations.keySet()), slot -> new byte[0], locations::get)
                    .foreach(slot -> TileWorker.drop(run));
        }
    }
}
