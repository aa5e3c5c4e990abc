package dev.bellman.generate;

import static org.apache.spark.sql.functions.col;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.Iterator;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;
import scala.Tuple3;

/**
 * Generates reproducible synthetic instances as datasets, in parallel. Row {@code i} depends only on the specification,
 * its seed and {@code i}. Rows therefore do not depend on the number of partitions, and a larger dataset begins with
 * the rows of a smaller one.
 */
public final class Generator {
    private static final long BYTES_PER_PARTITION = 128L << 20;

    private Generator() {}

    /** Generates pairs of sequences: {@code id BIGINT}, {@code a STRING}, {@code b STRING}. */
    public static Dataset<Row> pairs(SparkSession spark, PairsSpec spec) {
        double rowBytes = 2 * spec.length().mean() * spec.alphabet().meanBytes();
        // encode strings as binary, because a cast then converts the bytes to a string without checking them
        return spark.range(0, spec.count(), 1, partitions(spark, spec.count(), rowBytes, spec.partitions()))
                .mapPartitions(pairRows(spec), Encoders.tuple(Encoders.LONG(), Encoders.BINARY(), Encoders.BINARY()))
                .select(
                        col("_1").as("id"),
                        col("_2").cast("string").as("a"),
                        col("_3").cast("string").as("b"));
    }

    /**
     * Generates matrix chains: {@code id BIGINT}, {@code dims ARRAY<INT>} with one more dimension than the chain has
     * matrices.
     */
    public static Dataset<Row> chains(SparkSession spark, ChainsSpec spec) {
        double rowBytes = Integer.BYTES * (spec.matrices().mean() + 1);
        return spark.range(0, spec.count(), 1, partitions(spark, spec.count(), rowBytes, spec.partitions()))
                .mapPartitions(
                        chainRows(spec),
                        Encoders.tuple(Encoders.LONG(), spark.implicits().newIntArrayEncoder()))
                .toDF("id", "dims");
    }

    static void check(long count, int partitions) {
        if (count < 0) {
            throw new BellmanException(ErrorCode.BELLMAN_USAGE, "the count is " + count + "; it must be at least 0");
        }
        if (partitions < 0) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_USAGE,
                    "the number of partitions is " + partitions + "; use at least 1, or 0 for the default");
        }
    }

    // these methods are static factories, because Spark's methods have Scala overloads, which make a lambda argument
    // ambiguous
    private static MapPartitionsFunction<Long, Tuple3<Long, byte[], byte[]>> pairRows(PairsSpec spec) {
        return rows -> {
            PairMaker maker = new PairMaker(spec);
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return rows.hasNext();
                }

                @Override
                public Tuple3<Long, byte[], byte[]> next() {
                    Long row = rows.next();
                    maker.make(row);
                    return new Tuple3<>(row, maker.textOfA(), maker.textOfB());
                }
            };
        };
    }

    private static MapPartitionsFunction<Long, Tuple2<Long, int[]>> chainRows(ChainsSpec spec) {
        return rows -> {
            RowRandom random = new RowRandom(spec.seed());
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return rows.hasNext();
                }

                @Override
                public Tuple2<Long, int[]> next() {
                    Long row = rows.next();
                    random.startRow(row);
                    int[] dimensions = new int[spec.matrices().draw(random) + 1];
                    for (int i = 0; i < dimensions.length; i++) {
                        dimensions[i] = spec.dimensions().draw(random);
                    }
                    return new Tuple2<>(row, dimensions);
                }
            };
        };
    }

    private static int partitions(SparkSession spark, long count, double rowBytes, int wanted) {
        if (wanted > 0) {
            return wanted;
        }
        int cores = spark.sparkContext().defaultParallelism();
        long bySize = (long) Math.ceil(count * rowBytes / BYTES_PER_PARTITION);
        // a multiple of the number of cores, so that all cores finish at the same time
        return (int) Math.min(1 << 20, Math.max(1, (bySize + cores - 1) / cores) * cores);
    }
}
