package dev.bellman.job.spec;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.nodes.Node;

/**
 * The keys of one job, from its YAML document and the flags. Collects problems, such as invalid values, together with
 * their positions.
 */
public final class JobDocument {
    private final YamlMapping root;
    private final Map<JobKey<?>, Object> values = new HashMap<>();

    /** Reads all keys that the table of keys contains. */
    JobDocument(String file, Node node, List<String> problems) {
        List<String> paths = JobKeys.all().stream()
                .filter(key -> !key.section().isEmpty())
                .map(JobKey::path)
                .toList();
        root = YamlMapping.root(file, node, JobKeys.namesIn(""), paths, problems);
        JobKeys.all().forEach(this::read);
    }

    private <T> void read(JobKey<T> key) {
        boolean missing = key.need() == JobKey.Need.ALWAYS || key.need() == JobKey.Need.WITH_SECTION && hasSection(key);
        if (missing && !has(key)) {
            missing(key);
        }
        key.type().reader().apply(in(key), key.name()).ifPresent(value -> values.put(key, value));
    }

    /** Reports that a key is missing, and includes its description. */
    void missing(JobKey<?> key) {
        // if the section is not a mapping, a different message reports that
        if (root.isMapping() && (!hasSection(key) || in(key).isMapping())) {
            List<String> choices = key.type().choices();
            problem(
                    key,
                    "%s is missing: %s%s"
                            .formatted(
                                    key.path(),
                                    plain(key.description()),
                                    choices.isEmpty()
                                            ? ""
                                            : choices.stream()
                                                    .collect(Collectors.joining(", ", "; it must be one of ", ""))));
        }
    }

    /** Converts the Markdown of a {@link JobKey} for the terminal. */
    public static String plain(String markdown) {
        return CommandName.in(markdown.replace("`", ""));
    }

    private YamlMapping in(JobKey<?> key) {
        return key.section().isEmpty() ? root : root.mapping(key.section(), JobKeys.namesIn(key.section()));
    }

    /** Whether the document contains the section of this key. */
    public boolean hasSection(JobKey<?> key) {
        return root.has(key.section());
    }

    boolean has(JobKey<?> key) {
        return in(key).has(key.name());
    }

    /** Returns the value, if it is set and well-formed or implied by other keys. */
    @SuppressWarnings("unchecked")
    public <T> Optional<T> given(JobKey<T> key) {
        return Optional.ofNullable((T) values.get(key));
    }

    /** Returns the value that the document contains for a key, as a string. */
    public Optional<String> word(JobKey<?> key) {
        return in(key).name(key.name());
    }

    /** Returns the value that the document contains for an entry of a mapping, as a string. */
    Optional<String> word(JobKey<? extends Map<String, ?>> key, String entry) {
        return in(key).mapping(key.name(), List.of()).name(entry);
    }

    /** Whether the key has a value for which the test is true. */
    public <T> boolean is(JobKey<T> key, Predicate<T> test) {
        return given(key).filter(test).isPresent();
    }

    /** Sets an implied value, unless the document has a value. */
    public <T> void resolve(JobKey<T> key, T value) {
        values.putIfAbsent(key, value);
    }

    /** Sets the final value of a key, which replaces the value that the document contains. */
    <T> void complete(JobKey<T> key, T value) {
        values.put(key, value);
    }

    /**
     * Parses a string from a key's value; the string must be the name of one of the choices. If it does not match any
     * of them, reports an error and returns empty.
     */
    public <T> Optional<T> choose(JobKey<?> key, String text, List<T> choices, Function<T, String> name) {
        return in(key).chosen(key.name(), text, choices, name);
    }

    public void problem(JobKey<?> key, String message) {
        in(key).problem(key.name(), message);
    }

    /** Reports a key that the job must not set. */
    public void refuse(JobKey<?> key, String message) {
        if (has(key)) {
            problem(key, message);
        }
    }

    /** Reports a problem with an entry of a mapping. */
    public void problem(JobKey<? extends Map<String, ?>> key, String entry, String message) {
        in(key).mapping(key.name(), List.of()).problem(entry, message);
    }

    /** Returns the values that are set or implied, and the default values of the other keys. */
    Map<JobKey<?>, Object> values() {
        Map<JobKey<?>, Object> all = new HashMap<>(values);
        for (JobKey<?> key : JobKeys.all()) {
            key.defaultValue().ifPresent(value -> all.putIfAbsent(key, value));
        }
        return all;
    }
}
