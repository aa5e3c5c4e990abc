package dev.bellman.job.spec;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A key of a job file. {@link JobKeys} lists all keys.
 *
 * @param section the mapping that contains the key, such as {@code output} for {@code output.mode}; empty for top-level
 *     keys
 * @param flag the command-line flag for the key
 * @param label the name of the value in the help for the flag
 * @param scope the jobs that may set the key
 * @param need when the key is required
 * @param defaultValue the value that is used if the key is missing; empty if the key is required, or if the default
 *     depends on other keys or on the input
 * @param defaultText a description of the default, as Markdown
 * @param description the description of the key, as Markdown
 */
public record JobKey<T>(
        String section,
        String name,
        KeyType<T> type,
        String flag,
        String label,
        Scope scope,
        Need need,
        Optional<T> defaultValue,
        String defaultText,
        String description) {

    public enum Need {
        ALWAYS,
        /** The key is required if a different key in the same section is set. */
        WITH_SECTION,
        NEVER
    }

    /** Returns the name that messages and documentation use, such as {@code output.mode}. */
    public String path() {
        return section.isEmpty() ? name : section + "." + name;
    }

    @Override
    public String toString() {
        return path();
    }

    /**
     * Begins to define a key; its default and description are still missing.
     *
     * @param label the name of the value in the help for the flag; empty for a switch
     * @param table receives the key when it is complete
     */
    static <T> Draft<T> of(String path, KeyType<T> type, String label, Scope scope, Consumer<JobKey<?>> table) {
        return new Draft<>(path, type, flag(path, type.shape()), label, scope, table);
    }

    /** Begins to define a key that exists only for jobs of one {@link JobKind}. */
    public static <T> Draft<T> ofKind(String path, KeyType<T> type, String label, Consumer<JobKey<?>> table) {
        return of(path, type, label, Scope.OF_KIND, table);
    }

    /**
     * Returns the flag for the path of a key, such as {@code --output-mode} for {@code output.mode}. If a flag can be
     * repeated, its name is singular ({@code --input-option}). The flag for the path in a section is named after the
     * section ({@code --input}).
     */
    private static String flag(String path, KeyType.Shape shape) {
        boolean isRepeated = shape == KeyType.Shape.LIST || shape == KeyType.Shape.MAP;
        String name = path.endsWith(".path")
                ? path.substring(0, path.indexOf('.'))
                : isRepeated ? path.replaceFirst("s$", "") : path;
        return "--" + name.replace('.', '-').replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** A key that still lacks its default and description, and the table that receives it when it is complete. */
    public record Draft<T>(
            String path, KeyType<T> type, String flag, String label, Scope scope, Consumer<JobKey<?>> table) {
        public JobKey<T> required(String description) {
            return key(Need.ALWAYS, Optional.empty(), "", description);
        }

        public JobKey<T> requiredWithSection(String description) {
            return key(Need.WITH_SECTION, Optional.empty(), "none", description);
        }

        public JobKey<T> defaultsTo(T value, String description) {
            return defaultsTo(value, "`%s`".formatted(type.printer().apply(value)), description);
        }

        public JobKey<T> defaultsTo(T value, String valueInWords, String description) {
            return key(Need.NEVER, Optional.of(value), valueInWords, description);
        }

        /** Completes a key whose default depends on other keys or on the input. */
        public JobKey<T> optional(String defaultInWords, String description) {
            return key(Need.NEVER, Optional.empty(), defaultInWords, description);
        }

        private JobKey<T> key(Need need, Optional<T> value, String valueInWords, String description) {
            int dot = path.indexOf('.');
            String choices =
                    type.choices().stream().map(choice -> "`" + choice + "`").collect(Collectors.joining(", "));
            JobKey<T> key = new JobKey<>(
                    dot < 0 ? "" : path.substring(0, dot),
                    path.substring(dot + 1),
                    type,
                    flag,
                    label,
                    scope,
                    need,
                    value,
                    valueInWords,
                    description.replace("{choices}", choices));
            table.accept(key);
            return key;
        }
    }
}
