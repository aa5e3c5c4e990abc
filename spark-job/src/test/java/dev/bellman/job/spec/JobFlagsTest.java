package dev.bellman.job.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.job.format.Format;
import dev.bellman.job.output.SaveMode;
import dev.bellman.job.report.Descriptions;
import dev.bellman.job.rows.BestHitsTest;
import dev.bellman.large.GraphRunTest;
import dev.bellman.large.MatrixRunTest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the command-line flags, which set keys of the job file. */
class JobFlagsTest extends JobFileFixture {
    @Test
    void flagsOverride() {
        Job job = parse(
                        SMALLEST,
                        "--results=edit_cigar,edit_distance",
                        "--input-option=header=false",
                        "--output-mode=overwrite",
                        "--parameter=max=7",
                        "--argument=x",
                        "--argument=concat(y, z)",
                        "--on-bad-row=null")
                .get(0);

        assertThat(job.results()).extracting(BellmanFunction::name).containsExactly("edit_cigar", "edit_distance");
        assertThat(job.input())
                .isEqualTo(new Job.Source(
                        List.of("pairs.tsv"), Optional.empty(), Optional.of(Format.TSV), Map.of("header", "false")));
        assertThat(job.get(JobKeys.OUTPUT_PATH)).isEqualTo("out");
        assertThat(job.get(JobKeys.OUTPUT_MODE)).isEqualTo(SaveMode.OVERWRITE);
        assertThat(job.get(JobKeys.PARAMETERS)).isEqualTo(Map.of("max", 7));
        assertThat(job.get(JobKeys.ARGUMENTS)).containsExactly("x", "concat(y, z)");
        assertThat(job.get(JobKeys.ON_BAD_ROW)).isEqualTo(OnBadRow.NULL);
    }

    /** Every key in the table has the same meaning in YAML and as a flag. */
    @Test
    void everyFlag() {
        String[] flags = {
            "--name=reads",
            "--problem=edit_distance",
            "--results=distance,edit_cigar",
            "--argument=upper(sequence)",
            "--input=reads.fq.gz",
            "--input=more.fq",
            "--input-format=fastq",
            "--input-option=case=upper",
            "--input-where=length(sequence) > 20",
            "--targets=targets.fa",
            "--targets-format=fasta",
            "--targets-option=case=upper",
            "--pairing=within",
            "--metric=edit_distance",
            "--max-distance=4",
            "--block-on=lane",
            "--id=id",
            "--keep=description,quality",
            "--output-where=distance >= 0",
            "--best=3 per id_a by `distance` desc",
            "--output=out",
            "--output-format=csv",
            "--output-option=sep=;",
            "--output-mode=append",
            "--output-skip-existing",
            "--output-parts=8",
            "--output-partitions=4",
            "--output-partition-by=id_b",
            "--output-max-records-per-file=1000",
            "--engine=cpu",
            "--strategy=serial",
            "--on-bad-row=null",
            "--verify=0.25",
            "--restricted"
        };
        assertThat(flags)
                .extracting(flag -> flag.replaceFirst("=.*", ""))
                .containsAll(keysOfRows().stream().map(JobKey::flag).toList());

        Job job = JobFile.ofFlags(flags(flags)).get(0);

        assertThat(job.values().keySet()).containsAll(keysOfRows());
        assertThat(parse(Descriptions.yaml(job.describe()))).containsExactly(job);
    }

    /**
     * Returns all keys except the keys of jobs on one instance (see {@link GraphRunTest} and {@link MatrixRunTest}),
     * the keys for scorings (see {@link BestHitsTest}), the keys of tables (see {@link #OF_TABLES}), and the keys that
     * jobs with {@code within} do not have.
     */
    private static List<JobKey<?>> keysOfRows() {
        return JobKeys.all().stream()
                .<JobKey<?>>map(key -> key)
                .filter(key -> !List.of(JobKeys.TOP, JobKeys.MIN_SIMILARITY, JobKeys.LINKAGE, JobKeys.PARAMETERS)
                        .contains(key))
                .filter(key -> !key.section().equals("scoring"))
                .filter(key ->
                        JobKinds.all().stream().noneMatch(kind -> kind.keys().contains(key)))
                .filter(key -> !OF_TABLES.contains(key))
                .toList();
    }

    private static final List<JobKey<?>> OF_TABLES =
            List.of(JobKeys.INPUT_TABLE, JobKeys.TARGETS_TABLE, JobKeys.OUTPUT_TABLE, JobKeys.OUTPUT_REPORTS);

    @Test
    void everyFlagOfTables() {
        Job job = JobFile.ofFlags(flags(
                        "--problem=edit_distance",
                        "--input-table=lake.db.reads",
                        "--targets-table=lake.db.references",
                        "--argument=sequence",
                        "--output-table=lake.db.hits",
                        "--output-reports=reports/hits"))
                .get(0);
        assertThat(job.values().keySet()).containsAll(OF_TABLES);
        assertThat(job.values()).doesNotContainKeys(JobKeys.INPUT_FORMAT, JobKeys.OUTPUT_FORMAT);
        assertThat(parse(Descriptions.yaml(job.describe()))).containsExactly(job);
    }

    @Test
    void outputFlagHoldsSeveralJobs() {
        assertThat(parse(SMALLEST + "---\nname: second\n" + SMALLEST, "--output=elsewhere"))
                .extracting(job -> job.get(JobKeys.OUTPUT_PATH))
                .containsExactly("elsewhere/job-1", "elsewhere/second");
    }

    @Test
    void problemOfAFlagNamesTheFlag() {
        assertThat(problems(SMALLEST + "engine: tpu\n", "--output-partitions=0"))
                .contains("--output-partitions: output.partitions must be a whole number");
        assertThatThrownBy(() -> parse(SMALLEST, "--output-partitions=0"))
                .hasMessageContaining("[BELLMAN_USAGE] --output-partitions: output.partitions must be a whole number");
    }
}
