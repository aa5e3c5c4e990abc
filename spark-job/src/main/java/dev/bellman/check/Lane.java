package dev.bellman.check;

import dev.bellman.Strategies;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Signature;
import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proofs;
import java.io.Serializable;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;

/**
 * An endless stream of instances, and the settings with which they are solved: a function's signature, a strategy, an
 * engine, and the reference with which the results are compared. Instance {@code i} depends only on the seed, the
 * function, the signature's overload, the sizes and {@code i}. A signature that omits optional parameters of its
 * overload gets the same values for the other parameters as the full signature.
 */
record Lane<S extends Enum<S>>(
        BellmanFunction<S> function,
        int signatureIndex,
        S strategy,
        Engine engine,
        Sizes sizes,
        Reference<S> reference,
        long seed) {
    /** The engine on which a strategy is checked. */
    enum Engine {
        /** Spark evaluates the function's expression row by row, as in a query without generated code. */
        CPU,
        /** A query on the CPU, with generated code. */
        CPU_QUERY,
        /** A query on the GPU. */
        GPU
    }

    /** The range of sizes that a stream's instances have. */
    record Sizes(int size, int most) implements Serializable {
        static Sizes of(int size) {
            return new Sizes(size, size);
        }

        /**
         * Draws a size. To make batches uneven, one instance in 16 is twice as large, one in 16 of these is twice as
         * large again, and so on up to the maximum size.
         */
        int draw(SplittableRandom random) {
            int drawn = size;
            while (drawn < most && random.nextInt(16) == 0) {
                drawn = Math.min(most, 2 * drawn);
            }
            return drawn;
        }

        @Override
        public String toString() {
            return size == most ? "size %d".formatted(size) : "sizes %d to %d".formatted(size, most);
        }
    }

    /**
     * The reference with which results are compared.
     *
     * @param strategy the strategy with which the CPU solves the instances; null for the oracle
     */
    record Reference<S extends Enum<S>>(S strategy) {
        static <S extends Enum<S>> Reference<S> oracle() {
            return new Reference<>(null);
        }

        @Override
        public String toString() {
            return strategy == null ? "the oracle" : Strategies.name(strategy) + " on cpu";
        }
    }

    /** Returns the same lane on a different engine. */
    Lane<S> on(Engine other) {
        return new Lane<>(function, signatureIndex, strategy, other, sizes, reference, seed);
    }

    /** Returns the same lane with the oracle as its reference. */
    Lane<S> withOracle() {
        return new Lane<>(function, signatureIndex, strategy, engine, sizes, Reference.oracle(), seed);
    }

    /** Whether the instances are so small that the oracle solves each of them in about a millisecond. */
    boolean isSmall() {
        return sizes.most() == Proofs.of(signature()).generator().small();
    }

    Signature<S> signature() {
        return function.signatures().get(signatureIndex);
    }

    List<DataType> types() {
        return signature().parameters().stream().map(each -> each.type()).toList();
    }

    /**
     * Returns the function's name and parameters or, if several signatures have the same number of parameters, its name
     * and the type of its result's numbers.
     */
    String call() {
        Signature<S> own = signature();
        long alike = function.signatures().stream()
                .filter(other -> other.parameters().size() == own.parameters().size())
                .count();
        return alike == 1
                ? function.name() + own
                : "%s of %s".formatted(function.name(), own.result().sql().contains("DOUBLE") ? "DOUBLE" : "BIGINT");
    }

    /** Returns the strategy and the engine as they are printed. */
    String solver() {
        return "%s on %s".formatted(Strategies.name(strategy), Strategies.name(engine));
    }

    Stream stream() {
        long key = 31L * function.name().hashCode() + signature().overload();
        return new Stream(Proofs.of(signature()).generator(), sizes, seed ^ key << 20 ^ sizes.hashCode());
    }

    record Stream(InstanceGenerator generator, Sizes sizes, long seed) implements Serializable {
        /** The number of consecutive instances that share {@value #SHARED} arguments. A batch is seldom larger. */
        private static final int SHARING = 1 << 16;

        /** Kernels that read each distinct argument on the host read at least this many for a batch. */
        private static final int SHARED = 16;

        InternalRow instance(long number) {
            SplittableRandom random = random(seed, number);
            return generator.generate(
                    random, sizes.draw(random), () -> mixed(seed + number / SHARING * SHARED + random.nextInt(SHARED)));
        }

        /** Creates the generator for the instance that has this number in the stream with this seed. */
        static SplittableRandom random(long seed, long number) {
            return new SplittableRandom(mixed(seed + 0x9e37_79b9_7f4a_7c15L * number));
        }

        /**
         * Mixes a seed (Stafford's variant 13). If seeds were not mixed, generators whose seeds differ by a fixed step
         * would return shifted copies of the same sequence.
         */
        private static long mixed(long seed) {
            long mixed = (seed ^ seed >>> 30) * 0xbf58_476d_1ce4_e5b9L;
            mixed = (mixed ^ mixed >>> 27) * 0x94d0_49bb_1331_11ebL;
            return mixed ^ mixed >>> 31;
        }
    }
}
