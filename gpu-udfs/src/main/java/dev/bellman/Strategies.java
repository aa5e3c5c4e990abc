package dev.bellman;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Converts between strategies, which are enums in the code, and their names everywhere else, which are lowercase with
 * hyphens: {@code bit-parallel}.
 */
public final class Strategies {
    private Strategies() {}

    public static String name(Enum<?> strategy) {
        return strategy.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static <S extends Enum<S>> List<String> names(Class<S> strategies) {
        return Arrays.stream(strategies.getEnumConstants())
                .map(Strategies::name)
                .toList();
    }

    /**
     * Returns the strategy with this name.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_CONFIGURATION} if the problem has no strategy with this name
     */
    public static <S extends Enum<S>> S parse(String problem, Class<S> strategies, String name) {
        List<String> names = names(strategies);
        return Arrays.stream(strategies.getEnumConstants())
                .filter(strategy -> name(strategy).equals(name))
                .findFirst()
                .orElseThrow(() -> new BellmanException(
                        ErrorCode.BELLMAN_CONFIGURATION,
                        "%s has no strategy '%s'; expected one of %s%s"
                                .formatted(problem, name, String.join(", ", names), Suggestion.hint(name, names))));
    }
}
