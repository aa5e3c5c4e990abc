package dev.bellman.proof;

import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;

/**
 * The proofs of a function family. Java's {@link ServiceLoader} finds the implementation of each family by its name in
 * {@code META-INF/services}.
 */
public interface Proofs {
    List<Proof> list();

    /**
     * Returns the proof for calls that have this signature. The oracle receives default values for the parameters that
     * the signature omits.
     */
    static Proof of(Signature<?> signature) {
        Proof all = Found.PROOFS.get(new Found(signature.function(), signature.overload()));
        if (all == null) {
            throw new IllegalStateException("overload %d of %s has no proof; add one to the Proofs class of its family"
                    .formatted(signature.overload(), signature.function()));
        }
        if (signature.leftOut().isEmpty()) {
            return all;
        }
        DataType[] given = signature.parameters().stream().map(Parameter::type).toArray(DataType[]::new);
        Object[] defaults = signature.leftOut().stream()
                .map(each -> each.ifAbsent().orElseThrow().value())
                .toArray();
        InstanceGenerator.SharingDraw draw = all.generator().draw();
        Oracle oracle = all.oracle();
        return new Proof(
                all.function(),
                all.overload(),
                new InstanceGenerator(
                        (random, size, shared) -> first(draw.generate(random, size, shared), given),
                        all.generator().small(),
                        all.generator().large(),
                        all.generator().growth()),
                row -> oracle.solve(complete(row, given, defaults)),
                all.leeway());
    }

    private static InternalRow first(InternalRow row, DataType... given) {
        return new GenericInternalRow(values(row, given).toArray());
    }

    private static InternalRow complete(InternalRow row, DataType[] given, Object... defaults) {
        return new GenericInternalRow(
                Stream.concat(values(row, given), Stream.of(defaults)).toArray());
    }

    private static Stream<Object> values(InternalRow row, DataType... types) {
        return IntStream.range(0, types.length).mapToObj(i -> row.isNullAt(i) ? null : row.get(i, types[i]));
    }

    /** The key by which a proof is found. */
    record Found(String function, int overload) {
        private static final Map<Found, Proof> PROOFS =
                ServiceLoader.load(Proofs.class, Proofs.class.getClassLoader()).stream()
                        .flatMap(family -> family.get().list().stream())
                        .collect(Collectors.toUnmodifiableMap(
                                proof -> new Found(proof.function(), proof.overload()), Function.identity()));
    }
}
