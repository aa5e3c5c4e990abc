package dev.bellman.align;

import dev.bellman.align.PairProofs.PairOracle;
import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Oracle;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Values;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** Creates the proofs for functions of two token arrays, whose signatures {@link TokenSolvers} adds. */
public final class TokenProofs {
    private static final int SMALL = 12;
    private static final int LARGE = 5_000;

    /** In rows with NULL tokens, about one in {@code NULLS} distinct tokens is NULL wherever it occurs. */
    private static final int NULLS = 16;

    /** Converts an oracle's result to the function's result. */
    @FunctionalInterface
    private interface Decoder extends Serializable {
        Object decoded(Object result, List<Object> tokens);
    }

    private TokenProofs() {}

    /**
     * Returns the proofs for signatures {@code (a, b)}.
     *
     * @param first the index of the first of these signatures among all signatures of the function
     */
    public static Stream<Proof> pair(String function, int first, PairOracle oracle) {
        return pair(function, first, oracle, (result, tokens) -> result);
    }

    /** Does the same as {@link #pair} for an oracle whose result is a token sequence, represented as {@code int[]}. */
    public static Stream<Proof> sequence(String function, int first, PairOracle oracle) {
        return pair(
                function,
                first,
                oracle,
                (result, tokens) -> Values.arrayOf(
                        IntStream.of((int[]) result).mapToObj(tokens::get).toArray()));
    }

    private static Stream<Proof> pair(String function, int first, PairOracle oracle, Decoder decoder) {
        return types().mapToObj(i -> {
            DataType type = Tokens.TYPES.get(i);
            return proof(
                    function,
                    first + i,
                    (random, size) -> tokens(random, PairInstances.pair(random, size), type),
                    row -> solve(oracle, decoder, row, type));
        });
    }

    /** Returns the proofs for signatures {@code (a, b, max)} of a distance. */
    public static Stream<Proof> limited(String function, int first, PairOracle distance) {
        return types().mapToObj(i -> {
            DataType type = Tokens.TYPES.get(i);
            InstanceGenerator.Draw draw = (random, size) -> {
                InternalRow strings = PairInstances.limitedPair(random, size);
                InternalRow arrays = tokens(random, strings, type);
                return Values.row(
                        arrays.get(0, Tokens.arrayOf(type)),
                        arrays.get(1, Tokens.arrayOf(type)),
                        strings.get(2, DataTypes.IntegerType));
            };
            return proof(function, first + i, draw, row -> {
                int found = (Integer) solve(distance, (result, tokens) -> result, row, type);
                return found <= row.getInt(2) ? found : -1;
            });
        });
    }

    private static IntStream types() {
        return IntStream.range(0, Tokens.TYPES.size());
    }

    private static Proof proof(String function, int overload, InstanceGenerator.Draw draw, Oracle oracle) {
        return new Proof(function, overload, new InstanceGenerator(draw, SMALL, LARGE, 2), oracle);
    }

    private static Object solve(PairOracle oracle, Decoder decoder, InternalRow row, DataType type) {
        Map<Object, Integer> numbers = new HashMap<>();
        List<Object> tokens = new ArrayList<>();
        int[] a = numbers(row.getArray(0), type, numbers, tokens);
        int[] b = numbers(row.getArray(1), type, numbers, tokens);
        return decoder.decoded(oracle.solve(a, b), tokens);
    }

    private static int[] numbers(ArrayData array, DataType type, Map<Object, Integer> numbers, List<Object> tokens) {
        return Stream.of(array.toObjectArray(type))
                .mapToInt(token -> numbers.computeIfAbsent(token, any -> {
                    tokens.add(token);
                    return tokens.size() - 1;
                }))
                .toArray();
    }

    /** Converts the characters of two strings to tokens. */
    private static InternalRow tokens(SplittableRandom random, InternalRow strings, DataType type) {
        int kind = random.nextInt(4);
        boolean nulls = random.nextInt(4) == 0;
        return Values.row(IntStream.range(0, 2)
                .mapToObj(i -> strings.isNullAt(i)
                        ? null
                        : Values.arrayOf(IntStream.of(Characters.of(strings.getUTF8String(i)))
                                .mapToObj(character ->
                                        nulls && character % NULLS == 0 ? null : token(character, kind, type))
                                .toArray()))
                .toArray());
    }

    /**
     * Returns the token for a character. Numbers are small, large or negative, or share their lower or upper half;
     * strings are empty, short or long, or share their beginning or end.
     */
    private static Object token(int character, int kind, DataType type) {
        if (type.equals(DataTypes.IntegerType)) {
            return switch (kind) {
                case 0 -> character;
                case 1 -> character * 0x9E3779B1;
                case 2 -> Integer.MIN_VALUE + character;
                default -> character << 16 | character >>> 16;
            };
        } else if (type.equals(DataTypes.LongType)) {
            return switch (kind) {
                case 0 -> (long) character;
                case 1 -> character * 0x9E3779B97F4A7C15L;
                case 2 -> Long.MAX_VALUE - character;
                default -> (long) character << 32 | 7;
            };
        }
        String digits = Integer.toString(character, Character.MAX_RADIX);
        return UTF8String.fromString(
                switch (kind) {
                    case 0 -> digits.substring(1);
                    case 1 -> "word" + digits;
                    case 2 -> digits + "\u00e9\0";
                    default -> digits.repeat(10);
                });
    }
}
