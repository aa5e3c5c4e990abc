package dev.bellman.align.score;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.BellmanException;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Runs {@code bit_score} and {@code e_value} on the GPU, with one thread per row. The CPU computes rows whose scoring
 * is not among the first {@value #MAX_SCORINGS}.
 *
 * @param function the function's name, for messages
 * @param numbers the number of arguments before the scoring
 * @param kernel the name of the kernel that computes the results
 */
record StatisticsKernel(SolverCall call, String function, int numbers, String kernel) implements ColumnarKernel {
    private static final int MAX_SCORINGS = 256;
    private static final int BLOCK = 256;

    static ColumnarKernel bitScore(SolverCall call) {
        return new StatisticsKernel(call, "bit_score", 1, "statistics_bit_scores");
    }

    static ColumnarKernel eValue(SolverCall call) {
        return new StatisticsKernel(call, "e_value", 3, "statistics_e_values");
    }

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("align/score/statistics");
        List<ScoreStatistics> known = new ArrayList<>();
        DeviceMemoryBuffer scorings = number(batch, known);
        long[] values = new long[3];
        for (int i = 0; i < numbers; i++) {
            values[i] = batch.column(i, Types.LONG).values();
        }
        // classifies the rows: registers rejected rows and the rows that the CPU computes
        new Instances(batch, call, 1, Instances.UNLIMITED, rows -> module.kernel("statistics_classify")
                .threads(batch.rows(), BLOCK)
                .launch(batch.rows(), batch.validity(), scorings.getAddress(), values[0], values[1], values[2], rows));
        DeviceMemoryBuffer results = batch.allocateDoubles(batch.rows());
        module.kernel(kernel)
                .threads(batch.rows(), BLOCK)
                .launch(
                        batch.rows(),
                        scorings.getAddress(),
                        table(batch, known),
                        values[0],
                        values[1],
                        values[2],
                        results.getAddress());
        return Result.doubles(results);
    }

    /**
     * Returns the number of each row's scoring, as int32: WRONG_SCHEME without statistics, -1 for rows left to the CPU.
     *
     * @param known receives the statistics, indexed by the scoring's number
     */
    private DeviceMemoryBuffer number(Batch batch, List<ScoreStatistics> known) {
        int wrong = CudaModule.load("align/score/batch").constant("WRONG_SCHEME");
        DeviceColumn scorings = batch.strings(numbers);
        DeviceMemoryBuffer ofRows = batch.scratch().filled((long) Integer.BYTES * batch.rows(), (byte) -1);
        int like = -1;
        int number = wrong;
        while (true) {
            like = Schemes.give(batch, scorings, scorings, like, number, ofRows);
            if (like == batch.rows() || known.size() == MAX_SCORINGS) {
                return ofRows;
            }
            try {
                known.add(ScoreStatistics.of(
                        function, ((UTF8String) batch.row(like).get(numbers)).toString()));
                number = known.size() - 1;
            } catch (BellmanException e) {
                // the CPU implementation reports the error in the row
                number = wrong;
            }
        }
    }

    /** Returns the address of lambda, K and the logarithm of K, indexed by the scoring's number. */
    private static long table(Batch batch, List<ScoreStatistics> known) {
        return DeviceArrays.writeDoubles(
                        batch.scratch(),
                        known.stream()
                                .flatMapToDouble(each -> DoubleStream.of(each.lambda(), each.k(), each.logOfK()))
                                .toArray())
                .getAddress();
    }
}
