package dev.bellman.align.score;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.BellmanException;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.cuda.CudaModule;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * {@code bit_score} and {@code e_value} on the GPU, a thread for each row. The CPU computes rows with a scoring beyond
 * the first {@value #MAX_SCORINGS}.
 */
record StatisticsKernel(StatisticsUdf udf) implements ColumnarKernel {
    private static final int MAX_SCORINGS = 256;
    private static final int BLOCK = 256;

    @Override
    public DataType type() {
        return new BasicType(true, DType.FLOAT64);
    }

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("align/score/statistics");
        List<ScoreStatistics> known = new ArrayList<>();
        DeviceMemoryBuffer numbers = number(batch, known);
        long[] values = new long[3];
        for (int i = 0; i < udf.numbers().size(); i++) {
            values[i] = batch.column(i, new BasicType(true, DType.INT64)).values();
        }
        // registers the rows that are rejected, and those for the CPU
        new Instances(batch, udf.options, udf::onCpu, 1, Instances.UNLIMITED, rows -> module.kernel(
                        "statistics_classify")
                .threads(batch.rows(), BLOCK)
                .launch(batch.rows(), batch.validity(), numbers.getAddress(), values[0], values[1], values[2], rows));
        DeviceMemoryBuffer results = batch.allocate((long) Double.BYTES * batch.rows());
        module.kernel(udf.kernelName())
                .threads(batch.rows(), BLOCK)
                .launch(
                        batch.rows(),
                        numbers.getAddress(),
                        table(batch, known),
                        values[0],
                        values[1],
                        values[2],
                        results.getAddress());
        return Result.doubles(results);
    }

    /**
     * The number of each row's scoring, int32; WRONG_SCHEME for one without statistics.
     *
     * @param known receives the statistics by number
     */
    private DeviceMemoryBuffer number(Batch batch, List<ScoreStatistics> known) {
        int wrong = CudaModule.load("align/score/batch").constant("WRONG_SCHEME");
        DeviceColumn scorings = batch.strings(udf.numbers().size());
        DeviceMemoryBuffer numbers = batch.scratch().filled((long) Integer.BYTES * batch.rows(), (byte) -1);
        int like = -1;
        int number = wrong;
        while (true) {
            like = Schemes.give(batch, scorings, scorings, like, number, numbers);
            if (like == batch.rows() || known.size() == MAX_SCORINGS) {
                return numbers;
            }
            try {
                known.add(ScoreStatistics.of(
                        udf.function,
                        ((UTF8String) batch.row(like).get(udf.numbers().size())).toString()));
                number = known.size() - 1;
            } catch (BellmanException e) {
                // the function on the CPU reports what is wrong with the row
                number = wrong;
            }
        }
    }

    /** The address of lambda, K and the logarithm of K for each number. */
    private static long table(Batch batch, List<ScoreStatistics> known) {
        return DeviceArrays.writeLongs(
                        batch.scratch(),
                        known.stream()
                                .flatMapToDouble(each -> DoubleStream.of(each.lambda(), each.k(), each.logOfK()))
                                .mapToLong(Double::doubleToRawLongBits)
                                .toArray())
                .getAddress();
    }
}
