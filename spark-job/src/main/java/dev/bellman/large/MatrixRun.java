package dev.bellman.large;

import dev.bellman.GpuSide;
import dev.bellman.Strategies;
import dev.bellman.columns.TaskMemory;
import dev.bellman.job.output.StagedOutput;
import dev.bellman.job.plan.Engine;
import dev.bellman.job.progress.Quantity;
import dev.bellman.job.report.Provenance;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.JobKind;
import dev.bellman.large.grid.TileFolder;
import dev.bellman.large.grid.TileRun;
import dev.bellman.large.grid.TileSettings;
import dev.bellman.linear.Elimination;
import dev.bellman.linear.Elimination.Strategy;
import dev.bellman.linear.EliminationErrorContext;
import dev.bellman.linear.EliminationTiles;
import dev.bellman.linear.LinearFunctions;
import dev.bellman.linear.RowProducts;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Runs a job whose input is a single matrix. Computes either the factors, the solution of a linear system, or the
 * determinant, by elimination.
 *
 * <p>First, the run writes the matrix into tiles. If a GPU is available and the matrix is large enough, the GPU
 * eliminates it, in large tiles if it does not fit in GPU memory. Otherwise, a single task eliminates the matrix in
 * memory. If the matrix does not fit in the task's memory, or if a single task would be slower, all executors eliminate
 * the matrix in tiles. In any case, the result is in tiles, from which tasks write the output.
 *
 * <p>With {@code pivot}, a single task always eliminates the matrix in memory: a pivot depends on a whole column, so
 * partial pivoting in tiles would exchange a column and rows between executors at each of the n steps.
 */
final class MatrixRun extends SingleInstanceJob<MatrixRun.Work> {
    static final String LU = "lu";
    static final String SOLVE = "linear_solve";
    static final String DETERMINANT = "determinant";
    static final List<String> RESULTS = List.of(LU, SOLVE, DETERMINANT);

    /**
     * The minimum number of rows for which all cores, computing in tiles, are faster than one core computing in memory.
     */
    private static final int MIN_PARALLEL = 4_096;

    /** The minimum number of rows for which a GPU is faster than a core, even though its kernels must be loaded. */
    private static final int MIN_GPU_ROWS = 1_024;

    /** If the backward error is larger than this or NaN, the run warns and, without pivoting, suggests it. */
    private static final double LARGE_ERROR = 1e-10;

    /** The seed for the vector with which the factors are tested. */
    private static final long SEED = 1;

    private final Map<String, Object> solution = new LinkedHashMap<>();
    /** With {@code pivot}, for each row of the result, the index of the matrix row from which it was computed. */
    private Optional<int[]> permutation = Optional.empty();
    /** The maximum number of bytes that a matrix, or its tiles, may occupy in GPU memory. */
    private long gpu;

    MatrixRun(JobKind.Request request) {
        super(request);
    }

    /** The matrix, its right-hand side if there is one, and the plan. */
    record Work(MatrixInput matrix, Optional<MatrixInput> b, Strategy strategy, Place place) {
        Engine engine() {
            return place == Place.GPU || place == Place.LARGE_TILES ? Engine.GPU : Engine.CPU;
        }

        String how() {
            return "strategy %s%s on the %s%s"
                    .formatted(
                            Strategies.name(strategy),
                            place == Place.TASK_PIVOTING ? " with pivoting" : "",
                            engine(),
                            switch (place) {
                                case LARGE_TILES -> ", in large tiles in GPU memory, host memory and files";
                                case EXECUTORS -> ", in tiles on the executors";
                                default -> "";
                            });
        }
    }

    enum Place {
        TASK,
        /** Like {@link #TASK}, with partial pivoting. */
        TASK_PIVOTING,
        GPU,
        /** On one or more GPUs, in large tiles that are in GPU memory, host memory and files. */
        LARGE_TILES,
        EXECUTORS
    }

    private String result() {
        return job.get(JobKeys.RESULTS).get(0);
    }

    @Override
    Work work() {
        gpu = placement.gpuMemory(gpuMemory(row -> EliminationTiles.gpuMemory()));
        MatrixInput matrix = MatrixInput.ofMatrix(spark, job, this::note);
        Optional<MatrixInput> b =
                MatrixKind.RHS.of(job).map(source -> MatrixInput.ofRhs(spark, job, source, matrix.rows(), this::note));
        Strategy asked =
                LinearFunctions.ONE_MATRIX.strategy(job.find(JobKeys.STRATEGY).orElse("auto"));
        int n = matrix.rows();
        if (job.get(MatrixKind.PIVOT)) {
            return pivoting(matrix, b, asked);
        }
        long gpuBytes = tiles(matrix, b.isPresent(), 0).gpuBytes();
        boolean tiled = asked == Strategy.AUTO || asked == Strategy.BLOCKED;
        boolean gpuOnly = job.get(JobKeys.ENGINE) == Engine.GPU;
        boolean canBeOnGpu = asked != Strategy.SERIAL;
        if (canBeOnGpu && gpuBytes <= gpu && (gpuOnly || n >= MIN_GPU_ROWS)) {
            return new Work(matrix, b, tiled ? Strategy.BLOCKED : asked, Place.GPU);
        }
        if (tiled && gpu > 0 && (gpuOnly || n >= MIN_GPU_ROWS)) {
            return new Work(matrix, b, Strategy.BLOCKED, Place.LARGE_TILES);
        }
        if (gpuOnly) {
            throw notOnGpu(
                    canBeOnGpu
                            ? ("a matrix of %,d rows takes %,d bytes of GPU memory; the limit is %,d (%s; by "
                                            + "default three quarters of RAPIDS' pool)")
                                    .formatted(n, gpuBytes, gpu, GpuSide.MEMORY)
                            : "the strategy %s runs only on the CPU".formatted(Strategies.name(asked)));
        }
        long bytes = bytes(matrix);
        boolean parallel = n >= MIN_PARALLEL && context.defaultParallelism() > 1;
        if (tiled && (parallel || bytes > Math.min(TaskMemory.bytes(), placement.memory()))) {
            return new Work(matrix, b, Strategy.BLOCKED, Place.EXECUTORS);
        }
        TaskMemory.take(
                LinearFunctions.ONE_MATRIX.name(),
                bytes,
                "strategy: blocked (which uses tiles), ",
                () -> "a matrix of %,d rows".formatted(n));
        return new Work(matrix, b, asked.of(n), Place.TASK);
    }

    /** Returns the number of bytes that a task needs to eliminate the matrix in memory. */
    private static long bytes(MatrixInput matrix) {
        return Double.BYTES * (long) matrix.rows() * (matrix.rows() + 1);
    }

    private Work pivoting(MatrixInput matrix, Optional<MatrixInput> b, Strategy asked) {
        TaskMemory.take(
                LinearFunctions.ONE_MATRIX.name(),
                bytes(matrix),
                "",
                () -> "a matrix of %,d rows, which one task eliminates because of pivot,".formatted(matrix.rows()));
        return new Work(matrix, b, asked.of(matrix.rows()), Place.TASK_PIVOTING);
    }

    @Override
    boolean usesTiles(Work work) {
        return true;
    }

    @Override
    StructType schema(Work work) {
        StructType rows = new StructType().add("row", DataTypes.IntegerType, false);
        return switch (result()) {
            case LU -> {
                StructType factors = rows.add("l", DataTypes.createArrayType(DataTypes.DoubleType, false), false)
                        .add("u", DataTypes.createArrayType(DataTypes.DoubleType, false), false);
                yield work.place() == Place.TASK_PIVOTING
                        ? factors.add("matrix_row", DataTypes.IntegerType, false)
                        : factors;
            }
            case SOLVE -> rows.add("x", DataTypes.DoubleType, false);
            default ->
                new StructType()
                        .add(DETERMINANT, DataTypes.DoubleType, false)
                        .add("sign", DataTypes.IntegerType, false)
                        .add("log_magnitude", DataTypes.DoubleType, false);
        };
    }

    @Override
    String size(Work work) {
        long n = work.matrix().rows();
        long bytes =
                switch (result()) {
                    case LU -> n * (n * Double.BYTES + Integer.BYTES);
                    case SOLVE -> n * (Double.BYTES + Integer.BYTES);
                    default -> 2L * Double.BYTES + Integer.BYTES;
                };
        return String.format(
                Locale.ROOT,
                "a matrix of %,d rows, %s in tiles; %s: about %s before compression; %s",
                n,
                Quantity.bytes(n * n * Double.BYTES),
                result(),
                Quantity.bytes(bytes),
                work.how());
    }

    @Override
    String summary(Work work) {
        return String.format(
                Locale.ROOT,
                "%s of %,d rows in %.2f s, residual %.3g, backward error %.3g, growth %.3g; %s",
                result(),
                work.matrix().rows(),
                phases.of("load") + phases.of("solve") + phases.of("write"),
                solution.get("residual"),
                solution.get("backwardError"),
                solution.get("growth"),
                work.how());
    }

    @Override
    long solve(Work work, Provenance provenance, StagedOutput output) {
        EliminationTiles zeros = tiles(work.matrix(), work.b().isPresent(), 0);
        TileSettings settings = work.place() == Place.LARGE_TILES
                ? placement.settings(zeros, provenance, output, gpu)
                : placement.settings(zeros, provenance, output);
        TileFolder<double[][]> given = folder(zeros, settings, "given");
        double largest = phases.time("load", () -> load(work, given, settings));
        EliminationTiles tiles = tiles(work.matrix(), work.b().isPresent(), largest);
        MatrixTable before = new MatrixTable(given, tiles);
        MatrixTable after = phases.time("solve", () -> eliminate(work, tiles, settings, before));
        Optional<double[]> x = result().equals(SOLVE)
                ? Optional.of(phases.time("solve", () -> after.solution(context)))
                : Optional.empty();
        MatrixTable.Products u = phases.time("check", () -> check(work, largest, before, after, x));
        return phases.time("write", () -> write(work, rows(after, x, u.diagonal), output));
    }

    private EliminationTiles tiles(MatrixInput matrix, boolean solves, double largest) {
        return new EliminationTiles(EliminationErrorContext.ofInput(result()), matrix.rows(), solves, largest);
    }

    private TileFolder<double[][]> folder(EliminationTiles tiles, TileSettings settings, String name) {
        return new TileFolder<>(tiles, settings.parts(), settings.folder(), name, hadoop());
    }

    /**
     * Writes the matrix into tiles, unless this run continues a run that had already written them. Returns the largest
     * magnitude of an entry of the matrix.
     */
    private double load(Work work, TileFolder<double[][]> given, TileSettings settings) {
        return Double.parseDouble(loaded(
                given, settings, () -> Double.toString(MatrixLoad.load(context, work.matrix(), work.b(), given))));
    }

    private MatrixTable eliminate(Work work, EliminationTiles tiles, TileSettings settings, MatrixTable before) {
        if (work.place() == Place.EXECUTORS || work.place() == Place.LARGE_TILES) {
            TileRun<double[][]> run = new TileRun<>(context, tiles, settings, "given", this::note);
            TileFolder<double[][]> finished = run.run();
            solution.put("tiles", run.report());
            return new MatrixTable(finished, tiles);
        }
        TileFolder<double[][]> solved = folder(tiles, settings, "solved");
        solved.clear();
        switch (work.place()) {
            case GPU -> before.eliminateOnGpu(context, work.strategy(), solved);
            case TASK_PIVOTING -> permutation = Optional.of(before.eliminatePivoting(context, work.strategy(), solved));
            default -> before.eliminate(context, work.strategy(), solved);
        }
        return new MatrixTable(solved, tiles);
    }

    /**
     * Measures how accurate the result is. Returns the product of U and a vector, together with U's diagonal, which
     * contains the pivots.
     */
    private MatrixTable.Products check(
            Work work, double largest, MatrixTable before, MatrixTable after, Optional<double[]> x) {
        int n = work.matrix().rows();
        SplittableRandom random = new SplittableRandom(SEED);
        double[] signs = random.doubles(n).map(each -> each < 0.5 ? -1 : 1).toArray();
        MatrixTable.Products u = after.times(context, RowProducts.Part.UPPER, signs);
        double[] residual;
        double scale;
        if (x.isPresent()) {
            // A x - b, where b is column n
            double[] factors = Arrays.copyOf(x.get(), n + 1);
            factors[n] = -1;
            MatrixTable.Products left = before.times(context, RowProducts.Part.ALL, factors);
            residual = left.products;
            scale = left.norm() * magnitude(x.get()) + left.ofB();
            solution.put("relativeResidual", ratio(magnitude(residual), left.ofB()));
        } else {
            MatrixTable.Products a = before.times(context, RowProducts.Part.ALL, signs);
            double[] lu = after.times(context, RowProducts.Part.LOWER, u.products).products;
            residual = IntStream.range(0, n)
                    .mapToDouble(i -> a.products[permutation.map(of -> of[i]).orElse(i)] - lu[i])
                    .toArray();
            scale = a.norm();
        }
        solution.put("residual", magnitude(residual));
        solution.put("backwardError", ratio(magnitude(residual), scale));
        solution.put("growth", ratio(u.largest(), largest));
        if (!((double) solution.get("backwardError") <= LARGE_ERROR)) {
            note(String.format(
                    Locale.ROOT,
                    "the backward error is %.3g, because entries grew by a factor of %.3g during elimination%s",
                    solution.get("backwardError"),
                    solution.get("growth"),
                    permutation.isPresent()
                            ? ""
                            : "; this matrix requires pivoting, so set pivot to true (and engine to auto or cpu)"));
        }
        return u;
    }

    /** Returns the quotient, or 0 if {@code part} is 0, even if {@code whole} is 0, too. */
    private static double ratio(double part, double whole) {
        return part == 0 ? 0 : part / whole;
    }

    private static double magnitude(double... values) {
        double largest = 0;
        for (double value : values) {
            // Math.max propagates NaN
            largest = Math.max(largest, Math.abs(value));
        }
        return largest;
    }

    private JavaRDD<InternalRow> rows(MatrixTable after, Optional<double[]> x, double... pivots) {
        if (x.isPresent()) {
            List<InternalRow> rows = IntStream.range(0, pivots.length)
                    .mapToObj(i -> (InternalRow) new GenericInternalRow(new Object[] {i + 1, x.get()[i]}))
                    .toList();
            return context.parallelize(rows, 1);
        }
        if (result().equals(LU)) {
            return after.factors(context, permutation);
        }
        double determinant = 1;
        int sign = permutation.map(Elimination::sign).orElse(1);
        double log = 0;
        for (double pivot : pivots) {
            determinant *= pivot;
            sign *= (int) Math.signum(pivot);
            log += StrictMath.log(Math.abs(pivot));
        }
        if (permutation.isPresent()) {
            determinant = Elimination.determinant(permutation.get(), pivots);
        }
        solution.put(DETERMINANT, determinant);
        return context.parallelize(List.of(new GenericInternalRow(new Object[] {determinant, sign, log})), 1);
    }

    @Override
    Map<String, Object> report(Work work) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("rows", work.matrix().rows());
        report.put("engine", Strategies.name(work.engine()));
        report.put("strategy", Strategies.name(work.strategy()));
        report.putAll(solution);
        return report;
    }
}
