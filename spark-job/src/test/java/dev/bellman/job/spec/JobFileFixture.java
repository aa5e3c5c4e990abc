package dev.bellman.job.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.Thorough;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Contains the code that {@link JobFileTest} and {@link JobFlagsTest} share. */
abstract class JobFileFixture {
    static final String SMALLEST = """
            problem: edit_distance
            input: {path: pairs.tsv}
            output: {path: out}
            """;

    static List<Job> parse(String yaml, String... flags) {
        return JobFile.parse("job.yaml", "job", yaml, flags(flags));
    }

    public static JobFlags flags(String... flags) {
        CommandSpec command = new JobFlags.Options().transform(CommandSpec.create());
        return new JobFlags(new CommandLine(command).parseArgs(flags));
    }

    static String problems(String yaml, String... flags) {
        BellmanException failure = catchThrowableOfType(BellmanException.class, () -> parse(yaml, flags));
        assertThat(failure.code()).isEqualTo(ErrorCode.BELLMAN_JOB_FILE);
        return failure.getMessage();
    }

    /** Any sequence of bytes leads to a job or to a message that contains the file's name. */
    @Test
    void mutations(@TempDir Path folder) throws IOException {
        byte[] original = """
                name: reads
                problem: edit_distance
                results: [edit_distance, edit_cigar]
                arguments: ["upper(a)", &b 'b']
                parameters: {max: 10}
                input:
                  path: [pairs.tsv, more.tsv]
                  options: {header: true}
                keep: [c, d]
                output: {path: out, format: csv, options: {sep: ;}, partitions: 4}
                engine: cpu
                --- # the second
                """.concat(SMALLEST).getBytes(StandardCharsets.UTF_8);
        SplittableRandom random = new SplittableRandom(1);
        String letters = "\n\t :-[]{},&*!|>'\"%@`#?\0\u0080\u00ff0aé";
        Path file = folder.resolve("job.yaml");
        int failures = 0;
        int rounds = Thorough.rounds(500, 3_000);
        for (int i = 0; i < rounds; i++) {
            ByteArrayOutputStream mutated = new ByteArrayOutputStream();
            int edits = 1 + random.nextInt(4);
            int from = 0;
            for (int edit = 0; edit < edits; edit++) {
                int at = from + random.nextInt(original.length - from);
                mutated.write(original, from, at - from);
                int kind = random.nextInt(3);
                if (kind > 0) {
                    mutated.write(letters.charAt(random.nextInt(letters.length())));
                }
                from = kind == 1 ? at : Math.min(original.length - 1, at + 1 + random.nextInt(8));
            }
            mutated.write(original, from, original.length - from);
            Files.write(file, mutated.toByteArray());
            try {
                assertThat(JobFile.read(file.toString(), flags())).isNotEmpty();
            } catch (BellmanException e) {
                failures++;
                assertThat(e.code()).isEqualTo(ErrorCode.BELLMAN_JOB_FILE);
                assertThat(e.getMessage()).contains("job.yaml");
            }
        }
        assertThat(failures).isBetween(rounds / 3, rounds - 1);
    }
}
