package dev.bellman.align.subsequence;

import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.FunctionOptions;
import dev.bellman.align.Tokens;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Lists the lines of two texts and marks the differences. The unchanged lines are a longest common subsequence, so no
 * edit script has fewer insertions and deletions, as in Hunt and McIlroy, "An algorithm for differential file
 * comparison" (1976).
 */
final class LineDiff {
    static final DataType LINES = DataTypes.createArrayType(
            new StructType()
                    .add("kind", StringType, false)
                    .add("a_line", IntegerType)
                    .add("b_line", IntegerType)
                    .add("text", StringType, false),
            false);

    private static final UTF8String EQUAL = UTF8String.fromString("equal");
    private static final UTF8String DELETE = UTF8String.fromString("delete");
    private static final UTF8String INSERT = UTF8String.fromString("insert");

    /** The number of bytes per line: for its string, its number, and its entry in the result. */
    private static final int BYTES_OF_A_LINE = 200;

    private final ArrayData a;
    private final ArrayData b;
    private final Row[] lines;
    /** The number of entries in the result so far. */
    private int count;
    /** The number of lines of {@code a} in the result so far. */
    private int aDone;

    private int bDone;

    private LineDiff(ArrayData a, ArrayData b, int entries) {
        this.a = a;
        this.b = b;
        lines = new Row[entries];
    }

    static Object of(LongestCommonSubsequence.Strategy strategy, FunctionOptions options, Arguments arguments) {
        ArrayData a = split(arguments.function(), "a", arguments.string(0));
        ArrayData b = split(arguments.function(), "b", arguments.string(1));
        Tokens.Pair pair = Tokens.of(new Arguments(arguments.function(), a, b), StringType, "a", "b");
        options.cells().add(pair.cells());
        int[] kept = LongestCommonSubsequence.indexes(pair.a(), pair.b(), strategy);
        LineDiff diff = new LineDiff(a, b, pair.a().length + pair.b().length - kept.length);
        diff.fill(kept, partners(pair, kept));
        return diff.lines;
    }

    /** Splits a text into lines, without their line feeds; the last line need not have one. */
    private static ArrayData split(String function, String name, UTF8String text) {
        byte[] bytes = text.getBytes();
        int count = 0;
        for (byte each : bytes) {
            count += each == '\n' ? 1 : 0;
        }
        int lines = count;
        TaskMemory.take(
                function, (long) BYTES_OF_A_LINE * (count + 1), "", () -> "%s with %,d lines".formatted(name, lines));
        Cancellation cancellation = new Cancellation();
        List<UTF8String> split = new ArrayList<>(count + 1);
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                cancellation.count(i - start);
                split.add(UTF8String.fromBytes(bytes, start, i - start));
                start = i + 1;
            }
        }
        if (start < bytes.length) {
            split.add(UTF8String.fromBytes(bytes, start, bytes.length - start));
        }
        return new GenericArrayData(split.toArray());
    }

    /**
     * Returns the indices in {@code b} of the common lines. These are the last possible lines, because the traceback
     * skips a line of {@code b} only if it cannot skip a line of {@code a}.
     */
    private static int[] partners(Tokens.Pair pair, int... kept) {
        int[] partners = new int[kept.length];
        int j = pair.b().length;
        for (int k = kept.length - 1; k >= 0; k--) {
            do {
                j--;
            } while (pair.b()[j] != pair.a()[kept[k]]);
            partners[k] = j;
        }
        return partners;
    }

    private void fill(int[] inA, int[] inB) {
        for (int k = 0; k < inA.length; k++) {
            addChanges(inA[k], inB[k]);
            lines[count++] = RowFactory.create(EQUAL, ++aDone, ++bDone, a.getUTF8String(inA[k]));
        }
        addChanges(a.numElements(), b.numElements());
    }

    /** Adds the lines before the next common line: first the deleted lines, then the inserted lines. */
    private void addChanges(int aEnd, int bEnd) {
        while (aDone < aEnd) {
            UTF8String text = a.getUTF8String(aDone);
            lines[count++] = RowFactory.create(DELETE, ++aDone, null, text);
        }
        while (bDone < bEnd) {
            UTF8String text = b.getUTF8String(bDone);
            lines[count++] = RowFactory.create(INSERT, null, ++bDone, text);
        }
    }
}
