package dev.bellman.columns;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.BellmanException;
import dev.bellman.cuda.CudaModule;
import java.util.Arrays;
import java.util.function.ToIntFunction;

/** Numbers a batch's rows by a string argument, so that the host reads each distinct string only once. */
public final class AlikeRows {
    /** The number that stands for rows whose string was rejected. */
    private static final int WRONG = -2;

    private static final int BLOCK = 256;

    private AlikeRows() {}

    /**
     * Reads the distinct strings of a parameter in the order in which they first occur in the rows. If the parameter's
     * value is part of the call, this is the only string.
     *
     * @param most the maximum number of strings to read; other strings have no number
     * @param read returns a nonnegative number for a string; a string for which it throws a {@link BellmanException}
     *     has no number
     * @return the number of each row's string, as int32; negative for rows whose string has no number. The numbers of
     *     null rows have no meaning
     */
    public static DeviceMemoryBuffer number(
            Batch batch, SolverCall call, String parameter, int most, ToIntFunction<String> read) {
        if (call.column(parameter) >= 0) {
            return number(batch, call.column(parameter), most, read);
        }
        int number = number(call.ifAbsent(parameter).orElseThrow().toString(), read);
        if (number == 0) {
            return batch.scratch().zeroInts(batch.rows());
        }
        int[] numbers = new int[batch.rows()];
        Arrays.fill(numbers, number);
        return DeviceArrays.writeInts(batch.scratch(), numbers);
    }

    private static int number(String string, ToIntFunction<String> read) {
        try {
            return read.applyAsInt(string);
        } catch (BellmanException e) {
            // the CPU implementation reports the error in the row
            return WRONG;
        }
    }

    private static DeviceMemoryBuffer number(Batch batch, int argument, int most, ToIntFunction<String> read) {
        CudaModule module = CudaModule.load("columns/alike");
        DeviceColumn strings = batch.strings(argument);
        DeviceMemoryBuffer numbers =
                batch.scratch().filled((long) Integer.BYTES * batch.rows(), (byte) module.constant("UNNUMBERED"));
        int like = -1;
        int number = WRONG;
        for (int count = 0; ; count++) {
            like = give(batch, module, strings, like, number, numbers);
            if (like == batch.rows() || count == most) {
                return numbers;
            }
            number = number(batch.text(like, argument), read);
        }
    }

    /**
     * Assigns a number to all rows that have the same string as a given row. Returns the first non-null row
     * that still has no number, or the number of rows if every row has one.
     */
    private static int give(
            Batch batch, CudaModule module, DeviceColumn strings, int like, int number, DeviceMemoryBuffer numbers) {
        DeviceMemoryBuffer first = DeviceArrays.writeInts(batch.scratch(), batch.rows());
        module.kernel("alike_rows")
                .warps(batch.rows(), BLOCK)
                .launch(
                        batch.rows(),
                        batch.validity(),
                        strings.offsets(),
                        strings.values(),
                        like,
                        number,
                        numbers.getAddress(),
                        first.getAddress());
        int found = DeviceArrays.readInts(first, 0, 1)[0];
        batch.scratch().free(first);
        return found;
    }
}
