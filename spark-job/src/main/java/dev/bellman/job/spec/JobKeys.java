package dev.bellman.job.spec;

import static dev.bellman.job.spec.KeyType.best;
import static dev.bellman.job.spec.KeyType.bool;
import static dev.bellman.job.spec.KeyType.choice;
import static dev.bellman.job.spec.KeyType.count;
import static dev.bellman.job.spec.KeyType.countOrNone;
import static dev.bellman.job.spec.KeyType.format;
import static dev.bellman.job.spec.KeyType.names;
import static dev.bellman.job.spec.KeyType.number;
import static dev.bellman.job.spec.KeyType.options;
import static dev.bellman.job.spec.KeyType.share;
import static dev.bellman.job.spec.KeyType.text;
import static dev.bellman.job.spec.KeyType.texts;
import static dev.bellman.job.spec.KeyType.values;
import static dev.bellman.job.spec.KeyType.wholeNumber;

import dev.bellman.align.linkage.Linkage;
import dev.bellman.entry.Problem;
import dev.bellman.function.Catalogue;
import dev.bellman.job.format.Format;
import dev.bellman.job.output.SaveMode;
import dev.bellman.job.plan.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The keys of a job file. To add a key, only an entry in this class is needed. The YAML reader, the flag, the messages,
 * a report's resolved job and the table in {@code docs/job-file.md} are derived from the entry. {@link JobFlags}
 * selects the flags that {@code --help} shows. A job outside the {@link Scope} of a key rejects the key. Other code
 * reads values with {@link Job#get} or {@link Job#find}.
 *
 * <p>In a description, {@code {choices}} stands for the names that can be chosen.
 */
public final class JobKeys {
    /** The entries below add themselves to this list, in order. */
    private static final List<JobKey<?>> ALL = new ArrayList<>();

    private static final String ONE_COMMIT =
            "a table is written in a single commit. Write files instead, and load them into the table";

    public static final String FORMAT_BY_EXTENSION = "determined by the extension, else `parquet`";

    public static final JobKey<String> NAME = key("name", text(), "NAME", Scope.ALL)
            .optional("the file's name", "the job's name in messages and in the report");

    public static final JobKey<Problem<?>> PROBLEM = key("problem", KeyType.problem(problems()), "PROBLEM", Scope.ALL)
            .required("the problem to solve, or one of its functions; `submit/bellman functions` lists both. For one "
                    + "large input: `all_pairs_shortest_paths` (a graph), `matrix_elimination` (a matrix), "
                    + "`matrix_chain_multiplication` (a long chain), `optimal_parenthesization` (a long sequence), "
                    + "`general_gap_alignment` (a pair of long sequences), `hidden_markov_training` (sequences to "
                    + "which one model is fitted)");

    public static final JobKey<List<String>> RESULTS = key("results", names(), "FUNCTION", Scope.ALL)
            .optional(
                    "the function in `problem`, or the problem's first function",
                    "functions of the problem, or their `try_` variants; each becomes an output column. All must have "
                            + "the same arguments, except `bit_score` and `e_value` after `alignment_score`. With "
                            + "`pairing: within` or `nearest`, a distance between strings is named `distance`. With "
                            + "`pairing: within`, `cluster` returns the cluster of each row. For one graph: "
                            + "`distance`, `next`, `hops`, `previous`. For one matrix: `lu`, `linear_solve` or "
                            + "`determinant`. For one chain: `cost`, `order`, `splits`. For one long sequence: `cost`, "
                            + "`splits`. For one pair: `score`, `cigar`. For training: `start`, `transitions`, "
                            + "`emissions`, `log_probabilities`");

    public static final JobKey<List<String>> ARGUMENTS = key("arguments", texts(), "EXPRESSION", Scope.ALL)
            .optional(
                    "the function's parameters, such as `[a, b]` or `[dims]`; for FASTA and FASTQ, `[sequence]` if a "
                            + "function takes one string or rows are paired",
                    "for each argument that the function's page lists for jobs, a column or SQL expression over the "
                            + "input, in the order of the page (constants: see `parameters`). If `pairing` is "
                            + "neither `columns` nor `join`, give only one expression. For one graph: `[source, "
                            + "target, weight]`. For one matrix: `[row, entries]` or `[row, column, value]`. For one "
                            + "chain: `[dims]`. For one long sequence: `[first, costs]` or `[first, last, cost]`. For "
                            + "one pair: `[a, b, match, mismatch, gap_costs]`, or `a_gap_costs` and `b_gap_costs` "
                            + "instead of the last. For training: the sequence, by default `[symbols]`");

    public static final JobKey<Map<String, Object>> PARAMETERS = key(
                    "parameters", values(), "NAME=VALUE", Scope.FUNCTIONS)
            .defaultsTo(Map.of(), "none", "constants for the functions' parameters, by name: `{max: 10}`");

    static final JobKey<String> SCORING_MATRIX = key("scoring.matrix", text(), "MATRIX", Scope.FUNCTIONS)
            .optional(
                    "none",
                    "for `alignment`, instead of `parameters.scoring`: the name of a substitution matrix, or the path "
                            + "of a matrix file in NCBI's format");

    static final JobKey<Integer> SCORING_UNKNOWN = key("scoring.unknown", score(), "SCORE", Scope.FUNCTIONS)
            .optional("an error", "the score of letters that are missing from the matrix");

    static final JobKey<Integer> SCORING_MATCH = key("scoring.match", score(), "SCORE", Scope.FUNCTIONS)
            .optional("none", "without a matrix: the score of two equal characters");

    static final JobKey<Integer> SCORING_MISMATCH = key("scoring.mismatch", score(), "SCORE", Scope.FUNCTIONS)
            .optional("none", "without a matrix: the score of two different characters");

    public static final JobKey<Integer> SCORING_OPEN = key("scoring.open", cost(), "COST", Scope.FUNCTIONS)
            .requiredWithSection("the cost of the first letter in a gap");

    static final JobKey<Integer> SCORING_EXTEND = key("scoring.extend", cost(), "COST", Scope.FUNCTIONS)
            .optional("`scoring.open`", "the cost of each further letter in a gap");
    static final JobKey<Integer> SCORING_GAP_IN_A_OPEN = key("scoring.gapInAOpen", cost(), "COST", Scope.FUNCTIONS)
            .optional(
                    "`scoring.open`",
                    "the cost of the first letter in a gap in `a` (opposite letters of `b`), if it differs from the "
                            + "cost in `b`; requires `scoring.gapInAExtend`. `scoring.open` and `scoring.extend` then "
                            + "apply only to gaps in `b`");
    static final JobKey<Integer> SCORING_GAP_IN_A_EXTEND = key("scoring.gapInAExtend", cost(), "COST", Scope.FUNCTIONS)
            .optional(
                    "`scoring.extend`",
                    "the cost of each further letter in a gap in `a`; requires `scoring.gapInAOpen`");

    static final JobKey<List<String>> INPUT_PATH = key("input.path", texts(), "PATH", Scope.ALL)
            .optional(
                    "required without `input.table`",
                    "a file, folder or glob pattern, or a list of them. The name of an existing file or folder is "
                            + "never a pattern. For table formats, the table's path");

    static final JobKey<String> INPUT_TABLE = key("input.table", text(), "TABLE", Scope.ALL)
            .optional(
                    "none",
                    "instead of `input.path` and `input.format`: a table or view in a catalogue, such as "
                            + "`lake.db.reads`");

    public static final JobKey<Format> INPUT_FORMAT = key(
                    "input.format", format(Format.readable(), format -> true), "FORMAT", Scope.ALL)
            .optional(
                    FORMAT_BY_EXTENSION,
                    "{choices}, or any Spark data source on the classpath, such as `delta`, `iceberg` or `avro`");

    public static final JobKey<Map<String, String>> INPUT_OPTIONS = key(
                    "input.options", options(), "KEY=VALUE", Scope.ALL)
            .defaultsTo(
                    Map.of(),
                    "none",
                    "options for Spark's reader and for Bellman's formats. `case: upper` converts FASTA and FASTQ "
                            + "sequences to uppercase");

    public static final JobKey<String> INPUT_WHERE = key("input.where", text(), "CONDITION", Scope.ALL)
            .optional(
                    "every row",
                    "an SQL condition over the input's columns. Only rows that meet the condition are solved; if the "
                            + "format supports it, other rows are not even read");

    public static final JobKey<List<String>> TARGETS_PATH = key("targets.path", texts(), "PATH", Scope.TARGETS)
            .optional("required without `targets.table`", "a second input to pair with the first");

    public static final JobKey<String> TARGETS_TABLE =
            key("targets.table", text(), "TABLE", Scope.TARGETS).optional("none", "same as `input.table`");

    public static final JobKey<Format> TARGETS_FORMAT = key(
                    "targets.format", format(Format.readable(), format -> true), "FORMAT", Scope.TARGETS)
            .optional(FORMAT_BY_EXTENSION, "same as `input.format`");

    static final JobKey<Map<String, String>> TARGETS_OPTIONS = key(
                    "targets.options", options(), "KEY=VALUE", Scope.TARGETS)
            .defaultsTo(Map.of(), "none", "same as `input.options`");

    public static final JobKey<PairingMode> PAIRING = key("pairing", choice(PairingMode.class), "PAIRING", Scope.ROWS)
            .optional(
                    "`cross` with `targets`, else `columns`",
                    "`columns`: each row has both arguments. `cross`: pairs every input row with every row of "
                            + "`targets`. `join`: pairs rows with equal `blockOn`; `arguments` may use the columns of "
                            + "both rows, as `x_a` and `x_b`. `all-vs-all`: pairs the input rows with each other, "
                            + "each pair once (with `best`, in both directions). `within`: like `cross` or, without "
                            + "`targets`, `all-vs-all`, but returns only pairs whose distance is at most "
                            + "`maxDistance` or whose similarity is at least `minSimilarity`, without computing all "
                            + "pairs. `nearest`: pairs every row with its closest `targets`. For results other than "
                            + "string measures, such as `dtw`, `nearest` is equivalent to `cross` with `top`");

    public static final JobKey<String> METRIC = key("metric", text(), "FUNCTION", Scope.CLOSE)
            .optional(
                    "the only measure among `results`",
                    "the function to which `maxDistance` or `minSimilarity` applies, and by which `nearest` ranks. "
                            + "Required if `results` has several measures. If it has none, as for clusters, the "
                            + "default is the function in `problem` or the problem's first measure");

    public static final JobKey<Integer> MAX_DISTANCE = key("maxDistance", countOrNone(), "EDITS", Scope.CLOSE)
            .optional(
                    "none",
                    "the maximum distance for a pair to be returned by `nearest` or `within`; required for "
                            + "`within` with a distance, and for `nearest` with `hamming_distance`");

    public static final JobKey<Double> MIN_SIMILARITY = key("minSimilarity", number(100), "SIMILARITY", Scope.CLOSE)
            .optional(
                    "none",
                    "the minimum similarity of pairs that `nearest` or `within` returns; required for a similarity");

    public static final JobKey<Linkage> LINKAGE = key("linkage", choice(Linkage.class), "LINKAGE", Scope.OF_CLUSTERS)
            .optional(
                    "none",
                    "for `edit_distance`: how clusters are formed. `single`: any two strings in a cluster are linked "
                            + "by a chain of close strings. `complete`: no two strings in a cluster are more than "
                            + "`maxDistance` apart. `average`: clusters merge while the mean distance between them is "
                            + "at most `maxDistance`. With `linkage`, the output also has `representative`, the "
                            + "string with the smallest sum of distances to the other strings in its cluster (ties: "
                            + "the string with the smallest id), and `diameter`, the largest distance in the cluster");

    public static final JobKey<List<String>> BLOCK_ON = key("blockOn", names(), "COLUMN", Scope.BLOCKED)
            .defaultsTo(List.of(), "none", "columns that must be equal in both rows of a pair; required for `join`");

    public static final JobKey<Integer> TOP = key("top", count(), "COUNT", Scope.TOP)
            .optional(
                    "`1` for `nearest`, else every row",
                    "for `cross` and `nearest`, the number of targets to return for each row. For strings, `nearest` "
                            + "ranks targets by `metric`; otherwise, targets are ranked by the first result. Ties: the "
                            + "smallest ids");

    public static final JobKey<String> ID = key("id", text(), "COLUMN", Scope.ROWS)
            .optional(
                    "`id`, if it exists",
                    "the column that identifies a row. For pairs, the output has `id_a` and `id_b`");

    public static final JobKey<List<String>> KEEP = key("keep", names(), "COLUMN", Scope.ROWS)
            .defaultsTo(
                    List.of(), "none", "other input columns to write. For pairs, a column `x` becomes `x_a` and `x_b`");

    public static final JobKey<Best> BEST = key("best", best(), "N-PER-COLUMN", Scope.BEST)
            .optional(
                    "every row",
                    "writes only the best `N` rows for each value of a column, such as `1 per id_a` or `3 "
                            + "per id_a by lcs_length desc`. Rows are ranked by the result after `by`, or by the "
                            + "first result. If the input is paired with itself, `best` considers each pair in both "
                            + "directions, so `1 per id_a` returns the best partner of each row. Ties: the smallest "
                            + "of the other ids. A row is not written if the result that ranks it is NULL or a "
                            + "distance beyond the parameter `max`. With `pairing: cross` or `all-vs-all`, results "
                            + "that are used neither for ranking nor in `output.where` are computed only for the "
                            + "written rows, unless `onBadRow` is `quarantine`");

    public static final JobKey<String> OUTPUT_PATH = key("output.path", text(), "PATH", Scope.ALL)
            .optional(
                    "required without `output.table`",
                    "the folder to create. For a file with several jobs, the flag sets the parent folder of their "
                            + "outputs. For table formats, the path of the table to create or write to");

    public static final JobKey<String> OUTPUT_TABLE = key("output.table", text(), "TABLE", Scope.ROWS)
            .optional(
                    "none",
                    "instead of `output.path`: a table in a catalogue to create or write to, such as `lake.db.scores`");

    public static final JobKey<String> OUTPUT_REPORTS = key(
                    "output.reports",
                    text(),
                    "PATH",
                    Scope.ROWS.onlyForTables("their reports are written to <output>/_bellman"))
            .optional(
                    "required for a table",
                    "if the output is a table: the folder for reports and quarantined rows. If the output is a folder, "
                            + "they are in `<output>/_bellman`");

    public static final JobKey<Format> OUTPUT_FORMAT = key(
                    "output.format", format(Format.writable(), Format::isWritable), "FORMAT", Scope.ALL)
            .optional(
                    "`parquet`",
                    "{choices}, or any Spark data source on the classpath, such as `delta` or `iceberg`. For "
                            + "`output.table`, the default is the format of the catalogue. For one large input, only "
                            + "`parquet` is supported");

    public static final JobKey<Map<String, String>> OUTPUT_OPTIONS = key(
                    "output.options", options(), "KEY=VALUE", Scope.ALL)
            .defaultsTo(Map.of(), "none", "options for Spark's writer");

    public static final JobKey<String> OUTPUT_WHERE = key("output.where", text(), "CONDITION", Scope.ROWS)
            .optional(
                    "every row",
                    "an SQL condition over the output's columns, including results, such as `edit_distance <= 2`. "
                            + "Only rows that meet the condition are written");

    public static final JobKey<SaveMode> OUTPUT_MODE = key("output.mode", choice(SaveMode.class), "MODE", Scope.ALL)
            .defaultsTo(
                    SaveMode.ERROR,
                    "{choices}: what to do if the output exists. `overwrite` replaces only files that Spark or "
                            + "Bellman wrote; `overwrite-force` replaces all files");

    public static final JobKey<Boolean> OUTPUT_SKIP_EXISTING = key("output.skipExisting", bool(), "", Scope.FUNCTIONS)
            .defaultsTo(
                    false,
                    "with `append`, skips rows whose ids are already in the output or quarantined there; with `best`, "
                            + "skips groups that already have a row. Rows with a NULL argument are not written; a "
                            + "later run solves them once they have a value. Running the same job again on unchanged "
                            + "input changes nothing");

    public static final JobKey<Integer> OUTPUT_PARTS = key(
                    "output.parts", count(), "COUNT", Scope.FUNCTIONS.notForTables(ONE_COMMIT))
            .defaultsTo(
                    1,
                    "the number of parts into which the job is divided. Parts are solved one after another; finished "
                            + "parts are kept, and `--resume` continues a killed run with the next part. Each part "
                            + "reads the input again or, for pairs, one of the two sides");

    public static final JobKey<Integer> OUTPUT_PARTITIONS = key("output.partitions", count(), "COUNT", Scope.ROWS)
            .optional(
                    "determined by the input",
                    "the number of partitions to compute and of files to write, unless other `output` keys increase "
                            + "it; for all_pairs_shortest_paths, the maximum number");

    public static final JobKey<List<String>> OUTPUT_PARTITION_BY = key(
                    "output.partitionBy", names(), "COLUMN", Scope.ROWS)
            .defaultsTo(
                    List.of(),
                    "none",
                    "output columns whose values become folder names, such as `lang=en/part-...`, instead of columns "
                            + "in the files");

    public static final JobKey<Integer> OUTPUT_MAX_RECORDS_PER_FILE = key(
                    "output.maxRecordsPerFile",
                    count(),
                    "COUNT",
                    Scope.ROWS.notForTables("set a property of the table, or use output.options"))
            .optional("no limit", "the maximum number of rows in a file");

    public static final JobKey<Engine> ENGINE = key("engine", choice(Engine.class), "ENGINE", Scope.ALL)
            .defaultsTo(Engine.AUTO, "{choices}; `gpu` fails unless every function runs on a GPU");

    public static final JobKey<String> STRATEGY = key("strategy", text(), "STRATEGY", Scope.FUNCTIONS)
            .optional("`auto`", "the problem's strategy; `submit/bellman functions` lists the strategies");

    public static final JobKey<OnBadRow> ON_BAD_ROW = key("onBadRow", choice(OnBadRow.class), "ACTION", Scope.ROWS)
            .defaultsTo(
                    OnBadRow.FAIL,
                    "what to do with a row that a function rejects or for which an argument's expression fails, and "
                            + "with a malformed CSV, TSV or JSON record. `fail`: stop and report the row. "
                            + "`quarantine`: write the row and the reason to `<output>/_bellman/quarantine`, only "
                            + "once even if many pairs contain the row. `null`: return NULL as the row's result; "
                            + "quarantine a malformed record, but also keep it as a row of NULLs. A NULL argument is "
                            + "not an error: the result is NULL, and the report counts such rows");

    public static final JobKey<Double> VERIFY = key(
                    "verify", share(), "SHARE", Scope.FUNCTIONS.notForTables(ONE_COMMIT))
            .optional(
                    "none",
                    "the fraction of the rows, such as `0.001`, to solve again on the CPU with a different strategy "
                            + "before the output is published. If a result differs, the job fails and reports the row "
                            + "by its `id` and `keep` columns");

    public static final JobKey<Boolean> RESTRICTED = key("restricted", bool(), "", Scope.ALL)
            .defaultsTo(
                    false,
                    "for untrusted job files: limits expressions to columns, literals, operators and a fixed list of "
                            + "single-row functions; also limits options, formats and output modes. The flag takes "
                            + "precedence over the file");

    private JobKeys() {}

    /**
     * Returns all problems: those with functions, for which every row is an instance, and those for which the whole
     * input is a single instance.
     */
    private static List<Problem<?>> problems() {
        List<Problem<?>> problems = new ArrayList<>(Catalogue.problems());
        JobKinds.all().forEach(kind -> problems.add(kind.problem()));
        return problems;
    }

    /** Returns all keys in the order of the documentation, in which the keys of a section are adjacent. */
    public static List<JobKey<?>> all() {
        return Stream.<JobKey<?>>concat(ALL.stream(), JobKinds.all().stream().flatMap(kind -> kind.keys().stream()))
                .toList();
    }

    /** Returns the inputs that exist in addition to {@code input} and {@code targets}. */
    static List<SourceKeys> otherInputs() {
        return JobKinds.all().stream().flatMap(kind -> kind.inputs().stream()).toList();
    }

    /** Returns the keys for options of all inputs and of the output. */
    static List<JobKey<Map<String, String>>> allOptions() {
        return Stream.concat(
                        Stream.of(INPUT_OPTIONS, TARGETS_OPTIONS, OUTPUT_OPTIONS),
                        otherInputs().stream().map(SourceKeys::options))
                .toList();
    }

    /**
     * Returns the keys that a mapping in a job file may contain; {@code section} is empty for the top level of the
     * file.
     */
    static List<String> namesIn(String section) {
        return all().stream()
                .filter(key -> section.isEmpty() || key.section().equals(section))
                .map(key -> key.section().equals(section) ? key.name() : key.section())
                .distinct()
                .toList();
    }

    private static KeyType<Integer> score() {
        return wholeNumber(Integer.MIN_VALUE);
    }

    private static KeyType<Integer> cost() {
        return wholeNumber(0);
    }

    /** @param label the name of the value in the help for the flag; empty for a switch */
    private static <T> JobKey.Draft<T> key(String path, KeyType<T> type, String label, Scope scope) {
        return JobKey.of(path, type, label, scope, ALL::add);
    }
}
