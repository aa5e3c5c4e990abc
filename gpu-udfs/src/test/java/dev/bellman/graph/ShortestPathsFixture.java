package dev.bellman.graph;

import dev.bellman.BellmanException;
import dev.bellman.entry.Signature;
import dev.bellman.graph.ShortestPaths.Strategy;
import dev.bellman.proof.Proofs;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;

/** Contains the code that {@link ShortestPathsTest} and {@link SparsePathsTest} share. */
abstract class ShortestPathsFixture {
    static final ErrorContext CONTEXT = ErrorContext.ofFunction("f");

    static Object expected(Signature<Strategy> signature, InternalRow row) {
        try {
            return values(signature.result(), Proofs.of(signature).oracle().solve(row));
        } catch (BellmanException e) {
            return e.code();
        }
    }

    static Object values(DataType type, Object result) {
        DataType row = ((ArrayType) type).elementType();
        DataType element = ((ArrayType) row).elementType();
        return Arrays.stream(((ArrayData) result).toObjectArray(row))
                .map(each -> Arrays.asList(((ArrayData) each).toObjectArray(element)))
                .toList();
    }

    static Graph graph(InternalRow row, boolean doubles) {
        ArrayData edges = row.isNullAt(1) ? null : row.getArray(1);
        if (edges == null
                || row.isNullAt(0)
                || IntStream.range(0, edges.numElements())
                        .anyMatch(
                                e -> edges.isNullAt(e) || edges.getStruct(e, 3).anyNull())) {
            throw Graph.invalid(CONTEXT, "NULL");
        }
        int count = edges.numElements();
        int[] sources = IntStream.range(0, count)
                .map(e -> edges.getStruct(e, 3).getInt(0))
                .toArray();
        int[] targets = IntStream.range(0, count)
                .map(e -> edges.getStruct(e, 3).getInt(1))
                .toArray();
        return doubles
                ? Graph.ofDoubles(
                        CONTEXT,
                        row.getInt(0),
                        sources,
                        targets,
                        IntStream.range(0, count)
                                .mapToDouble(e -> edges.getStruct(e, 3).getDouble(2))
                                .toArray())
                : Graph.ofLongs(
                        CONTEXT,
                        row.getInt(0),
                        sources,
                        targets,
                        IntStream.range(0, count)
                                .mapToLong(e -> edges.getStruct(e, 3).getLong(2))
                                .toArray());
    }

    static Graph graph(int nodes, long[]... edges) {
        return Graph.ofLongs(
                CONTEXT,
                nodes,
                Arrays.stream(edges).mapToInt(e -> (int) e[0]).toArray(),
                Arrays.stream(edges).mapToInt(e -> (int) e[1]).toArray(),
                Arrays.stream(edges).mapToLong(e -> e[2]).toArray());
    }
}
