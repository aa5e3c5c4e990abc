package dev.bellman.align;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * Token arrays that were coded as strings, with one character per token. In each pair, a character of {@code a} equals
 * one of {@code b} if and only if their tokens are equal. See {@code align/tokens.cu}.
 *
 * @param left the rows with too many or too long tokens, which the CPU solves; their strings are empty
 */
record TokenStrings(DeviceColumn a, DeviceColumn b, List<Integer> left) {
    /** A column of token arrays in the kernels' layout ({@code TokenLists} in {@code tokens.cu}). */
    record TokenLists(long offsets, long validity, long values, long textOffsets) {
        static TokenLists of(Batch batch, int argument, DType element) {
            DeviceColumn lists = batch.column(argument, Types.list(Types.of(element)));
            DeviceColumn tokens = lists.elements();
            return new TokenLists(lists.offsets(), tokens.validity(), tokens.values(), tokens.offsets());
        }
    }

    /** The outputs of the kernels ({@code Coded} in {@code tokens.cu}). */
    record Coded(long a, long b, long aLengths, long bLengths) {}

    /** Codes the tokens in the first two arguments, whose elements have one of the types in {@link Tokens#TYPES}. */
    static TokenStrings of(Batch batch, DataType element) {
        DType type = element.equals(DataTypes.IntegerType)
                ? DType.INT32
                : element.equals(DataTypes.LongType) ? DType.INT64 : DType.STRING;
        String types = type.equals(DType.INT32) ? "ints" : type.equals(DType.INT64) ? "longs" : "texts";
        CudaModule module = CudaModule.load("align/tokens");
        int block = module.constant("CODE_BLOCK");
        int rows = batch.rows();
        TokenLists a = TokenLists.of(batch, 0, type);
        TokenLists b = TokenLists.of(batch, 1, type);
        DeviceMemoryBuffer aCodes = codes(batch, 0, type);
        DeviceMemoryBuffer bCodes = codes(batch, 1, type);
        DeviceMemoryBuffer aLengths = batch.allocateInts(rows + 1L);
        DeviceMemoryBuffer bLengths = batch.allocateInts(rows + 1L);
        Coded coded = new Coded(aCodes.getAddress(), bCodes.getAddress(), aLengths.getAddress(), bLengths.getAddress());
        DeviceMemoryBuffer longRows = batch.scratch().zeroInts(rows + 1L);
        DeviceMemoryBuffer left = batch.scratch().zeroInts(rows + 1L);
        module.kernel("token_code_" + types)
                .threads((long) rows * module.constant("SHORT_LANES"), block)
                .launch(rows, batch.validity(), a, b, coded, longRows.getAddress(), left.getAddress());
        module.kernel("token_code_long_" + types)
                .grid(DeviceArrays.readInts(longRows, 0, 1)[0])
                .block(module.constant("LONG_LANES"))
                .launch(longRows.getAddress(), a, b, coded);
        return new TokenStrings(
                write(batch, module, a, aCodes, aLengths), write(batch, module, b, bCodes, bLengths), list(left));
    }

    private static DeviceMemoryBuffer codes(Batch batch, int argument, DType element) {
        DeviceColumn lists = batch.column(argument, Types.list(Types.of(element)));
        return batch.allocate((long) Short.BYTES * lists.elements().rows());
    }

    private static DeviceColumn write(
            Batch batch, CudaModule module, TokenLists lists, DeviceMemoryBuffer codes, DeviceMemoryBuffer lengths) {
        Offsets offsets = batch.offsets(lengths);
        DeviceMemoryBuffer characters = batch.allocate(offsets.total());
        module.kernel("token_write")
                .threads((long) batch.rows() * module.constant("WRITE_LANES"), module.constant("CODE_BLOCK"))
                .launch(
                        batch.rows(),
                        lists.offsets(),
                        offsets.buffer().getAddress(),
                        codes.getAddress(),
                        characters.getAddress());
        batch.scratch().free(codes);
        batch.scratch().free(lengths);
        return DeviceColumn.strings(batch.rows(), offsets, characters);
    }

    private static List<Integer> list(DeviceMemoryBuffer counted) {
        int count = DeviceArrays.readInts(counted, 0, 1)[0];
        return Arrays.stream(DeviceArrays.readInts(counted, 1, count)).boxed().toList();
    }
}
