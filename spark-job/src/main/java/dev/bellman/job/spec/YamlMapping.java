package dev.bellman.job.spec;

import dev.bellman.Suggestion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reads a mapping in a YAML document key by key. Collects problems, each with its line and column, so that one message
 * reports all of them.
 */
final class YamlMapping {
    private static final Set<String> TRUE = Set.of("true", "yes", "on");

    private final String file;
    private final String path;
    private final Node node;
    private final Map<String, Node> values = new LinkedHashMap<>();
    private final Map<String, YamlMapping> inner = new HashMap<>();
    private final List<String> problems;

    private YamlMapping(String file, String path, Node node, List<String> problems) {
        this.file = file;
        this.path = path;
        this.node = node;
        this.problems = problems;
    }

    /**
     * Returns the mapping that is the root of a document.
     *
     * @param paths the keys within the document's mappings, such as {@code output.mode}, which may be suggested if a
     *     key is unknown
     */
    static YamlMapping root(
            String file, Node node, Collection<String> known, Collection<String> paths, List<String> problems) {
        YamlMapping root = new YamlMapping(file, "", node, problems);
        root.fill(node, known, paths);
        return root;
    }

    private void fill(Node found, Collection<String> known, Collection<String> paths) {
        if (!(found instanceof MappingNode mapping)) {
            problem(found, "%s must be a mapping of keys to values".formatted(path.isEmpty() ? "a job" : path));
            return;
        }
        for (NodeTuple tuple : mapping.getValue()) {
            String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
            if (!known.isEmpty() && !known.contains(key)) {
                problem(
                        tuple.getKeyNode(),
                        "unknown key '%s'; %s".formatted(qualified(key), suggestion(key, known, paths)));
            } else if (values.put(key, tuple.getValueNode()) != null) {
                problem(tuple.getKeyNode(), "duplicate key '%s'".formatted(qualified(key)));
            }
        }
    }

    private static String suggestion(String key, Collection<String> known, Collection<String> paths) {
        List<String> choices = Stream.concat(known.stream(), paths.stream()).toList();
        return Suggestion.of(key, choices).orElseGet(() -> "its keys are " + String.join(", ", known));
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    /**
     * Returns the mapping that a key contains, or an empty mapping. If {@code known} is empty, the mapping may contain
     * any keys.
     */
    YamlMapping mapping(String key, Collection<String> known) {
        YamlMapping read = inner.get(key);
        if (read != null) {
            return read;
        }
        Node found = values.get(key);
        YamlMapping mapping = new YamlMapping(file, qualified(key), found == null ? node : found, problems);
        if (found != null) {
            mapping.fill(found, known, List.of());
        }
        inner.put(key, mapping);
        return mapping;
    }

    Collection<String> keys() {
        return values.keySet();
    }

    Optional<String> text(String key) {
        return scalar(key).map(ScalarNode::getValue);
    }

    /** Returns a list of strings; a single string becomes a list with one element. */
    Optional<List<String>> texts(String key) {
        if (!(values.get(key) instanceof SequenceNode sequence)) {
            return text(key).map(List::of);
        }
        if (sequence.getValue().isEmpty()) {
            problem(sequence, "%s is an empty list".formatted(qualified(key)));
            return Optional.empty();
        }
        List<String> texts = new ArrayList<>();
        for (Node item : sequence.getValue()) {
            if (item instanceof ScalarNode scalar && !Tag.NULL.equals(scalar.getTag())) {
                texts.add(scalar.getValue());
            } else {
                problem(
                        item,
                        item instanceof ScalarNode
                                ? "%s has an empty entry".formatted(qualified(key))
                                : "%s must be a list of strings".formatted(qualified(key)));
                texts.add("");
            }
        }
        return Optional.of(texts);
    }

    Optional<Integer> wholeNumber(String key, int least) {
        return scalar(key).flatMap(scalar -> {
            try {
                int value = Integer.parseInt(scalar.getValue());
                if (value >= least) {
                    return Optional.of(value);
                }
            } catch (NumberFormatException e) {
                // this is reported below, as for a number that is too small
            }
            problem(
                    scalar,
                    "%s must be a whole number from %d to %d, not '%s'"
                            .formatted(qualified(key), least, Integer.MAX_VALUE, scalar.getValue()));
            return Optional.empty();
        });
    }

    /** @param most the maximum, which is a whole number */
    Optional<Double> number(String key, int most) {
        return scalar(key).flatMap(scalar -> {
            try {
                double value = Double.parseDouble(scalar.getValue());
                if (value >= 0 && value <= most) {
                    return Optional.of(value);
                }
            } catch (NumberFormatException e) {
                // this is reported below, as for a number that exceeds the maximum
            }
            problem(
                    scalar,
                    "%s must be a number from 0 to %d, not '%s'".formatted(qualified(key), most, scalar.getValue()));
            return Optional.empty();
        });
    }

    Optional<Boolean> bool(String key) {
        return scalar(key).flatMap(scalar -> {
            if (Tag.BOOL.equals(scalar.getTag())) {
                return Optional.of(isTrue(scalar));
            }
            problem(scalar, "%s must be true or false, not '%s'".formatted(qualified(key), scalar.getValue()));
            return Optional.empty();
        });
    }

    /** Whether a YAML boolean is true. In YAML, several words mean true. */
    private static boolean isTrue(ScalarNode scalar) {
        return TRUE.contains(scalar.getValue().toLowerCase(Locale.ROOT));
    }

    /** Returns a number, a boolean or a string, as parsed by YAML. */
    Optional<Object> value(String key) {
        return scalar(key).flatMap(scalar -> {
            try {
                if (Tag.INT.equals(scalar.getTag())) {
                    long value = Long.parseLong(scalar.getValue());
                    return Optional.of(value == (int) value ? (Object) (int) value : (Object) value);
                }
                if (Tag.FLOAT.equals(scalar.getTag())) {
                    return Optional.of(Double.parseDouble(scalar.getValue()));
                }
            } catch (NumberFormatException e) {
                problem(scalar, "%s is not a number: '%s'".formatted(qualified(key), scalar.getValue()));
                return Optional.empty();
            }
            return Optional.of(Tag.BOOL.equals(scalar.getTag()) ? (Object) isTrue(scalar) : scalar.getValue());
        });
    }

    /** Returns the choice whose name the document contains as the value of this key. */
    <T> Optional<T> choice(String key, Collection<T> choices, Function<T, String> name) {
        return name(key).flatMap(named -> chosen(values.get(key), key, named, choices, name, ""));
    }

    /** Returns a name; {@code null} without quotes is a name, too. */
    Optional<String> name(String key) {
        // YAML parses an unquoted null as a missing value, but here it may be a name
        return values.get(key) instanceof ScalarNode scalar && scalar.getValue().equals("null")
                ? Optional.of("null")
                : text(key);
    }

    /** Parses a string in the value of this key; the string must be the name of one of the choices. */
    <T> Optional<T> chosen(String key, String text, Collection<T> choices, Function<T, String> name) {
        return chosen(key, text, choices, name, "");
    }

    /** @param others other possible values, for the message */
    <T> Optional<T> chosen(String key, String text, Collection<T> choices, Function<T, String> name, String others) {
        return chosen(values.get(key), key, text, choices, name, others);
    }

    private <T> Optional<T> chosen(
            Node where, String key, String text, Collection<T> choices, Function<T, String> name, String others) {
        Optional<T> chosen = choices.stream()
                .filter(choice -> name.apply(choice).equals(text))
                .findFirst();
        if (chosen.isEmpty()) {
            List<String> names = choices.stream().map(name).toList();
            problem(
                    where,
                    "%s is '%s'%s; it must be %s%s%s"
                            .formatted(
                                    qualified(key),
                                    text,
                                    Suggestion.hint(text, names),
                                    names.size() == 1 ? "" : "one of ",
                                    String.join(", ", names),
                                    others));
        }
        return chosen;
    }

    private Optional<ScalarNode> scalar(String key) {
        Node found = values.get(key);
        if (found == null) {
            return Optional.empty();
        }
        if (!(found instanceof ScalarNode scalar)) {
            problem(
                    found,
                    "%s must be a single value, not a %s"
                            .formatted(qualified(key), found instanceof SequenceNode ? "list" : "mapping"));
            return Optional.empty();
        }
        if (Tag.NULL.equals(scalar.getTag())) {
            problem(scalar, "%s has no value".formatted(qualified(key)));
            return Optional.empty();
        }
        return Optional.of(scalar);
    }

    /** Whether this is a mapping. If it is not, an error has already been reported. */
    boolean isMapping() {
        return node instanceof MappingNode;
    }

    void problem(String key, String message) {
        problem(values.getOrDefault(key, node), message);
    }

    private void problem(Node where, String message) {
        problems.add(location(file, where.getStartMark()) + ": " + message);
    }

    /**
     * Returns the flag that sets the value; for other values, returns {@code file:line:column} or, if there is no file,
     * {@link JobFile#COMMAND_LINE}.
     */
    private static String location(String file, Mark mark) {
        if (mark.getName().startsWith("--")) {
            return mark.getName();
        }
        return file.equals(JobFile.COMMAND_LINE)
                ? file
                : "%s:%d:%d".formatted(file, mark.getLine() + 1, mark.getColumn() + 1);
    }

    private String qualified(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }
}
