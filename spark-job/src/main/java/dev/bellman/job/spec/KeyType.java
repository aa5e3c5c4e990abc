package dev.bellman.job.spec;

import dev.bellman.Strategies;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Problem;
import dev.bellman.function.Catalogue;
import dev.bellman.job.format.Format;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The type of the values of a key in a job file.
 *
 * @param shape the form of the value in YAML and on the command line
 * @param choices the names that messages and the documentation list; empty if values are not chosen from a list
 * @param reader reads a key from a mapping and reports problems
 * @param printer formats a value for YAML and JSON
 */
public record KeyType<T>(
        Shape shape,
        List<String> choices,
        BiFunction<YamlMapping, String, Optional<T>> reader,
        Function<T, Object> printer) {

    enum Shape {
        /** A single value. */
        VALUE,
        /** A boolean. The flag takes no value and sets the key to true. */
        SWITCH,
        /** A list of strings; the flag is repeated for each string. */
        LIST,
        /** A list of names; a single flag takes all names, separated by commas. */
        NAMES,
        /** A mapping of names to values; the flag is repeated for each entry. */
        MAP
    }

    static KeyType<String> text() {
        return new KeyType<>(Shape.VALUE, List.of(), YamlMapping::text, text -> text);
    }

    /** A whole number that is at least {@code least}. */
    public static KeyType<Integer> wholeNumber(int least) {
        return new KeyType<>(
                Shape.VALUE, List.of(), (mapping, key) -> mapping.wholeNumber(key, least), number -> number);
    }

    /** A whole number that is at least 1. */
    public static KeyType<Integer> count() {
        return new KeyType<>(Shape.VALUE, List.of(), (mapping, key) -> mapping.wholeNumber(key, 1), count -> count);
    }

    /** A whole number that is at least 0. */
    static KeyType<Integer> countOrNone() {
        return new KeyType<>(Shape.VALUE, List.of(), (mapping, key) -> mapping.wholeNumber(key, 0), count -> count);
    }

    /** A number from 0 to 1. */
    static KeyType<Double> share() {
        return number(1);
    }

    /** A number from 0 to {@code most}. */
    public static KeyType<Double> number(int most) {
        return new KeyType<>(Shape.VALUE, List.of(), (mapping, key) -> mapping.number(key, most), number -> number);
    }

    static KeyType<Best> best() {
        return new KeyType<>(
                Shape.VALUE,
                List.of(),
                (mapping, key) -> mapping.text(key).flatMap(text -> {
                    Optional<Best> best = Best.parse(text);
                    if (best.isEmpty()) {
                        mapping.problem(key, "%s is '%s'; it must be %s".formatted(key, text, Best.FORM));
                    }
                    return best;
                }),
                Best::toString);
    }

    /**
     * A file or table format.
     *
     * @param own the formats that error messages list
     * @param allowed decides which formats are accepted, including those of other data sources
     */
    static KeyType<Format> format(List<Format> own, Predicate<Format> allowed) {
        return new KeyType<>(
                Shape.VALUE,
                own.stream().map(Format::name).toList(),
                (mapping, key) -> mapping.name(key).flatMap(text -> Format.named(text)
                        .filter(allowed)
                        .or(() -> mapping.chosen(
                                key,
                                text,
                                own,
                                Format::name,
                                ", or a Spark data source, but the classpath contains no data source with this name "
                                        + "(add its jar with --packages or --jars)"))),
                Format::name);
    }

    public static KeyType<Boolean> bool() {
        return new KeyType<>(Shape.SWITCH, List.of(), YamlMapping::bool, value -> value);
    }

    /** Strings that may contain commas, such as paths and expressions. */
    public static KeyType<List<String>> texts() {
        return new KeyType<>(
                Shape.LIST, List.of(), YamlMapping::texts, texts -> texts.size() == 1 ? texts.get(0) : texts);
    }

    static KeyType<List<String>> names() {
        return new KeyType<>(Shape.NAMES, List.of(), YamlMapping::texts, names -> names);
    }

    /** A mapping from names to values of any type. */
    static KeyType<Map<String, Object>> values() {
        return map(YamlMapping::value);
    }

    /** A mapping from names to strings. */
    public static KeyType<Map<String, String>> options() {
        return map(YamlMapping::text);
    }

    private static <V> KeyType<Map<String, V>> map(BiFunction<YamlMapping, String, Optional<V>> value) {
        BiFunction<YamlMapping, String, Optional<Map<String, V>>> reader = (mapping, key) -> {
            if (!mapping.has(key)) {
                return Optional.empty();
            }
            YamlMapping inner = mapping.mapping(key, List.of());
            Map<String, V> values = new LinkedHashMap<>();
            for (String name : inner.keys()) {
                value.apply(inner, name).ifPresent(found -> values.put(name, found));
            }
            return Optional.of(values);
        };
        return new KeyType<>(Shape.MAP, List.of(), reader, values -> values);
    }

    /** A problem, identified by its own name or by the name of one of its functions. */
    static KeyType<Problem<?>> problem(Collection<Problem<?>> problems) {
        return new KeyType<>(
                Shape.VALUE,
                problems.stream().map(Problem::name).toList(),
                (mapping, key) -> mapping.name(key).flatMap(text -> {
                    Optional<Problem<?>> ofFunction = Catalogue.named(text).map(BellmanFunction::problem);
                    boolean isProblem =
                            problems.stream().anyMatch(each -> each.name().equals(text));
                    return isProblem || ofFunction.isEmpty()
                            ? mapping.chosen(key, text, problems, Problem::name)
                            : ofFunction;
                }),
                Problem::name);
    }

    static <E extends Enum<E>> KeyType<E> choice(Class<E> type) {
        return choice(Arrays.asList(type.getEnumConstants()), Strategies::name);
    }

    public static <T> KeyType<T> choice(Collection<T> choices, Function<T, String> name) {
        return new KeyType<>(
                Shape.VALUE,
                choices.stream().map(name).toList(),
                (mapping, key) -> mapping.choice(key, choices, name),
                name::apply);
    }
}
