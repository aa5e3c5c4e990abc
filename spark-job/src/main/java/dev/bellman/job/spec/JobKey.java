package dev.bellman.job.spec;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A key of a job file. {@link JobKeys} lists them all.
 *
 * @param section the mapping that holds it, {@code output} for {@code output.mode}; empty for top-level keys
 * @param flag its flag on the command line
 * @param label the name of its value in the flag's help
 * @param need when it must be given
 * @param defaultValue the value if the key is missing; empty if it depends on other keys or on the input
 * @param defaultText the default in words, Markdown
 * @param description Markdown
 */
public record JobKey<T>(
        String section,
        String name,
        KeyType<T> type,
        String flag,
        String label,
        Need need,
        Optional<T> defaultValue,
        String defaultText,
        String description) {

    public enum Need {
        ALWAYS,
        /** If another key of its section is given. */
        WITH_SECTION,
        NEVER
    }

    /** Its name in messages and documentation: {@code output.mode}. */
    public String path() {
        return section.isEmpty() ? name : section + "." + name;
    }

    /**
     * A key still without its default and description.
     *
     * @param flag the flag and the name of its value in the help: {@code --output-mode=MODE}
     * @param table takes the key once it is complete
     */
    public static <T> Draft<T> of(String path, KeyType<T> type, String flag, Consumer<JobKey<?>> table) {
        int equals = flag.indexOf('=');
        return new Draft<>(
                path,
                type,
                equals < 0 ? flag : flag.substring(0, equals),
                equals < 0 ? "" : flag.substring(equals + 1),
                table);
    }

    /** A key still without its default and description, and the table that it joins once it has them. */
    public record Draft<T>(String path, KeyType<T> type, String flag, String label, Consumer<JobKey<?>> table) {
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

        /** A key whose default depends on other keys or on the input. */
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
                    need,
                    value,
                    valueInWords,
                    description.replace("{choices}", choices));
            table.accept(key);
            return key;
        }
    }
}
