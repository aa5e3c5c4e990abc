package dev.bellman.job.cli;

import dev.bellman.Suggestion;
import dev.bellman.job.spec.JobDocument;
import dev.bellman.job.spec.JobKey;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.Scope;
import dev.bellman.job.terminal.Paragraph;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bellman keys}: prints the keys of a job file as text or as a Markdown table. */
@Command(name = "keys", mixinStandardHelpOptions = true, description = "Lists the keys of a job file.")
public final class KeysCommand implements Runnable {
    private static final String INDENT = "    ";

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "output format: text, or markdown for the table in docs/job-file.md")
    private TableFormat format;

    @Parameters(arity = "0..*", paramLabel = "KEY", description = "keys to list; all by default")
    private List<String> names = List.of();

    @Override
    public void run() {
        List<String> known = JobKeys.all().stream().map(JobKey::path).toList();
        names.stream().filter(name -> !known.contains(name)).findFirst().ifPresent(name -> {
            throw new ParameterException(spec.commandLine(), Suggestion.unknown("key", name, known));
        });
        List<JobKey<?>> keys = JobKeys.all().stream()
                .filter(key -> names.isEmpty() || names.contains(key.path()))
                .toList();
        PrintWriter out = spec.commandLine().getOut();
        out.print(format == TableFormat.MARKDOWN ? markdown(keys) : text(keys));
        out.flush();
    }

    private static String markdown(List<JobKey<?>> keys) {
        StringBuilder table =
                new StringBuilder("| key | flag | default | jobs | description |\n|---|---|---|---|---|\n");
        for (JobKey<?> key : keys) {
            table.append("| `%s` | `%s` | %s | %s | %s |\n"
                    .formatted(
                            key.path(),
                            key.flag(),
                            otherwise(key),
                            Scope.words(key),
                            key.description().replace("|", "\\|")));
        }
        return table.toString();
    }

    /** Formats each key with its flag and its default. */
    static String text(List<JobKey<?>> keys) {
        StringBuilder text = new StringBuilder();
        for (JobKey<?> key : keys) {
            String flag = key.flag() + (key.label().isEmpty() ? "" : "=" + key.label());
            text.append(Paragraph.of(
                    "", INDENT, "%s  (%s)  %s".formatted(key.path(), JobDocument.plain(otherwise(key)), flag)));
            text.append(Paragraph.of(INDENT, INDENT, "for: " + Scope.words(key)));
            text.append(Paragraph.of(INDENT, INDENT, JobDocument.plain(key.description())));
        }
        return text.toString();
    }

    private static String otherwise(JobKey<?> key) {
        return key.need() == JobKey.Need.ALWAYS ? "required" : key.defaultText();
    }
}
