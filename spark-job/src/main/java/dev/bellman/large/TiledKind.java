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
    private final Problem<?> problem;
    private final List<String> results;
    private final MapFunction<Long, Long> gpuMemory;

    /** @param gpuMemory determines how many bytes a table may occupy on the GPU of the thread's task */
    private TiledKind(Problem<?> problem, List<String> results, MapFunction<Long, Long> gpuMemory) {
        this.problem = problem;
        this.results = results;
        this.gpuMemory = gpuMemory;
    }

    @Override
    public final Problem<?> problem() {
        return problem;
    }

    final MapFunction<Long, Long> gpuMemory() {
        return gpuMemory;
    }

    /**
     * Returns the names of the arguments.
     *
     * @param given the number of arguments that the job has
     */
    abstract List<String> arguments(int given);

    /** Reads the instance of a job. */
    abstract TiledInstance<?> instance(SparkSession spark, Job job, Consumer<String> notes);

    @Override
    void rules(JobDocument job) {
        columns(job, results, results);
        int given = job.given(JobKeys.ARGUMENTS).map(List::size).orElse(0);
        arguments(job, JobKeys.ARGUMENTS, problem.name(), arguments(given));
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
        public Chain() {
            super(
                    MatrixChainFunctions.ONE_CHAIN,
                    List.of(ChainInstance.RESULTS.fieldNames()),
                    row -> ParenthesizationTiles.gpuMemory());
        }

        @Override
        List<String> arguments(int given) {
            return List.of(ChainInstance.ARGUMENTS.fieldNames());
        }

        @Override
        TiledInstance<?> instance(SparkSession spark, Job job, Consumer<String> notes) {
            return new ChainInstance(OneRow.read(spark, job, ChainInstance.ARGUMENTS, notes));
        }
    }

    /** Jobs that parenthesize a single long sequence. */
    public static final class Tree extends TiledKind {
        public Tree() {
            super(TreeFunctions.ONE_TREE, RangeInstance.RESULTS, row -> ParenthesizationTiles.gpuMemory());
        }

        @Override
        List<String> arguments(int given) {
            return given == RangeInput.BY_PARTS.size() ? RangeInput.BY_PARTS : RangeInput.BY_LEAVES;
        }

        @Override
        TiledInstance<?> instance(SparkSession spark, Job job, Consumer<String> notes) {
            return RangeInstance.of(RangeInput.read(spark, job, notes));
        }
    }

    /** Jobs that align a single pair of long sequences with arbitrary gap costs. */
    public static final class Gap extends TiledKind {
        public Gap() {
            super(GapFunctions.ONE_PAIR, List.of(GapInstance.RESULTS.fieldNames()), row -> GapTiles.gpuMemory());
        }

        @Override
        List<String> arguments(int given) {
            return List.of(row(given).fieldNames());
        }

        private static StructType row(int given) {
            return given == GapInstance.SEPARATE_COSTS.size() ? GapInstance.SEPARATE_COSTS : GapInstance.SHARED_COSTS;
        }

        @Override
        TiledInstance<?> instance(SparkSession spark, Job job, Consumer<String> notes) {
            StructType names = row(job.get(JobKeys.ARGUMENTS).size());
            return new GapInstance(OneRow.read(spark, job, names, notes));
        }
    }
}
