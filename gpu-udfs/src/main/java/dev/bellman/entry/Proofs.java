package dev.bellman.entry;

import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The proofs of a family. Java's {@link ServiceLoader} finds the families' lists, which production does not need, by
 * their names in {@code META-INF/services}.
 */
public interface Proofs {
    List<Proof> list();

    /** The proof of a function's overload, by its index. */
    static Proof of(String function, int overload) {
        Proof found = Found.PROOFS.get(new Found(function, overload));
        if (found == null) {
            throw new IllegalStateException(
                    "no proof of overload %d of %s; add one to the Proofs of its family".formatted(overload, function));
        }
        return found;
    }

    /** The key of a proof. */
    record Found(String function, int overload) {
        private static final Map<Found, Proof> PROOFS =
                ServiceLoader.load(Proofs.class, Proofs.class.getClassLoader()).stream()
                        .flatMap(family -> family.get().list().stream())
                        .collect(Collectors.toUnmodifiableMap(
                                proof -> new Found(proof.function(), proof.overload()), Function.identity()));
    }
}
