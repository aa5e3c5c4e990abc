package dev.bellman.entry;

import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;

/**
 * The material that a function is checked with, for one of its overloads and all of its parameters.
 *
 * @param function its name in SQL
 * @param overload its index among the overloads of the function
 * @param generator makes instances that are hard to get right
 * @param oracle defines the answers
 */
public record Proof(String function, int overload, InstanceGenerator generator, Oracle oracle) {
    /** The proof of a function with one overload. */
    public Proof(String function, InstanceGenerator generator, Oracle oracle) {
        this(function, 0, generator, oracle);
    }

    /** The proof for calls in which only the first parameters are given, {@code count} of these ones. */
    Proof given(int count, Object[] defaults, DataType... types) {
        if (count == types.length) {
            return this;
        }
        InstanceGenerator.Draw all = generator.draw();
        InstanceGenerator.Draw first = (random, size) -> {
            InternalRow row = all.generate(random, size);
            return new GenericInternalRow(IntStream.range(0, count)
                    .mapToObj(i -> row.isNullAt(i) ? null : row.get(i, types[i]))
                    .toArray());
        };
        Oracle complete = oracle;
        return new Proof(
                function,
                overload,
                new InstanceGenerator(first, generator.small(), generator.large(), generator.growth()),
                row -> complete.solve(new GenericInternalRow(IntStream.range(0, types.length)
                        .mapToObj(i -> i < count ? row.get(i, types[i]) : defaults[i])
                        .toArray())));
    }
}
