package dev.bellman.large;

import dev.bellman.align.gap.GapFunctions;
import dev.bellman.align.gap.GapTiles;
import dev.bellman.chain.ParenthesizationTiles;
import dev.bellman.chain.matrix.MatrixChainFunctions;
import dev.bellman.chain.tree.TreeFunctions;
import dev.bellman.entry.Problem;
import dev.bellman.job.format.Format;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobDocument;
import dev.bellman.job.spec.JobKeys;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** A problem whose table is computed in tiles, and whose results, extracted from the tiles, form a single row. */
public abstract class TiledKind extends LargeKind {
    /**
     * Returns the names of the arguments.
     *
     * @param given the number of arguments that the job has
     */
    abstract List<String> arguments(int given);

    abstract List<String> results();

    /** Returns a function that determines how many bytes a table may occupy on the GPU of the thread's task. */
    abstract MapFunction<Long, Long> gpuMemory();

    /** Reads the instance of a job. */
    abstract TiledInstance<?> instance(SparkSession spark, Job job, Consumer<String> notes);

    @Override
    void rules(JobDocument job) {
        columns(job, results(), results());
        int given = job.given(JobKeys.ARGUMENTS).map(List::size).orElse(0);
        arguments(job, JobKeys.ARGUMENTS, problem().name(), arguments(given));
        if (job.is(JobKeys.INPUT_FORMAT, Format::isInstance)) {
            noRows(job);
        }
    }

    @Override
    public Run run(Request request) {
        return new TiledRun(request, this);
    }

    /** Jobs that solve a single long matrix chain. */
    public static final class Chain extends TiledKind {
        @Override
        public Problem<?> problem() {
            return MatrixChainFunctions.ONE_CHAIN;
        }

        @Override
        List<String> arguments(int given) {
            return List.of(ChainInstance.ARGUMENTS.fieldNames());
        }

        @Override
        List<String> results() {
            return List.of(ChainInstance.RESULTS.fieldNames());
        }

        @Override
        MapFunction<Long, Long> gpuMemory() {
            return row -> ParenthesizationTiles.gpuMemory();
        }

        @Override
        TiledInstance<?> instance(SparkSession spark, Job job, Consumer<String> notes) {
            return new ChainInstance(OneRow.read(spark, job, ChainInstance.ARGUMENTS, notes));
        }
    }

    /** Jobs that parenthesize a single long sequence. */
    public static final class Tree extends TiledKind {
        @Override
        public Problem<?> problem() {
            return TreeFunctions.ONE_TREE;
        }

        @Override
        List<String> arguments(int given) {
            return given == RangeInput.BY_PARTS.size() ? RangeInput.BY_PARTS : RangeInput.BY_LEAVES;
        }

        @Override
        List<String> results() {
            return RangeInstance.RESULTS;
        }

        @Override
        MapFunction<Long, Long> gpuMemory() {
            return row -> ParenthesizationTiles.gpuMemory();
        }

        @Override
        TiledInstance<?> instance(SparkSession spark, Job job, Consumer<String> notes) {
            return RangeInstance.of(RangeInput.read(spark, job, notes));
        }
    }

    /** Jobs that align a single pair of long sequences with arbitrary gap costs. */
    public static final class Gap extends TiledKind {
        @Override
        public Problem<?> problem() {
            return GapFunctions.ONE_PAIR;
        }

        @Override
        List<String> arguments(int given) {
            return List.of(row(given).fieldNames());
        }

        private static StructType row(int given) {
            return given == GapInstance.SEPARATE_COSTS.size() ? GapInstance.SEPARATE_COSTS : GapInstance.SHARED_COSTS;
        }

        @Override
        List<String> results() {
            return List.of(GapInstance.RESULTS.fieldNames());
        }

        @Override
        MapFunction<Long, Long> gpuMemory() {
            return row -> GapTiles.gpuMemory();
        }

        @Override
        TiledInstance<?> instance(SparkSession spark, Job job, Consumer<String> notes) {
            StructType names = row(job.get(JobKeys.ARGUMENTS).size());
            return new GapInstance(OneRow.read(spark, job, names, notes));
        }
    }
}
