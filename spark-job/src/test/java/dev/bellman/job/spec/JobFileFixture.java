package dev.bellman.job.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.List;
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
}
