package dev.bellman.job;

import dev.bellman.align.distance.EditDistance;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Suggests what an unknown name may have meant. */
final class Suggestion {
    /** A name this close to a known one is taken for a typo. */
    private static final int NEAR = 3;

    private Suggestion() {}

    /** {@code did you mean 'a' or 'b'?}; empty if no known name is close. */
    static Optional<String> of(String name, Collection<String> known) {
        List<String> near = known.stream()
                .filter(candidate -> !name.isEmpty() && candidate.startsWith(name)
                        || distance(name, candidate) <= Math.min(NEAR, Math.max(1, name.length() - 1)))
                .sorted(Comparator.comparingInt(candidate -> distance(name, candidate)))
                .limit(3)
                .toList();
        return near.isEmpty()
                ? Optional.empty()
                : Optional.of(near.stream().collect(Collectors.joining("' or '", "did you mean '", "'?")));
    }

    /** {@code unknown command 'rnu'; known are run, show (did you mean 'run'?)}. */
    static String unknown(String what, String name, Collection<String> known) {
        return "unknown %s '%s'; known are %s%s"
                .formatted(
                        what,
                        name,
                        String.join(", ", known),
                        of(name, known).map(question -> " (" + question + ")").orElse(""));
    }

    private static int distance(String name, String candidate) {
        return EditDistance.distance(name, candidate, EditDistance.Strategy.AUTO);
    }
}
