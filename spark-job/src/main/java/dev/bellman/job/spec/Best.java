package dev.bellman.job.spec;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The rows that are kept from each group, such as {@code 3 per id_a by lcs_length desc}.
 *
 * @param count the number of rows to keep per group
 * @param column the column whose values define the groups
 * @param by the result by which rows are ranked; by default, the first result
 * @param descending whether larger values are better; by default, this is inferred from the result's name
 */
public record Best(int count, String column, Optional<String> by, Optional<Boolean> descending) {
    static final String FORM = "N per COLUMN [by RESULT [asc|desc]], such as '1 per id_a'";

    private static final Set<String> DISTANCES = Set.of(
            Job.DISTANCE,
            "damerau_levenshtein",
            "edit_distance_infix",
            "edit_distance_prefix",
            "e_value",
            "dtw",
            "soft_dtw",
            "edr",
            "erp");

    private static final Set<String> SIMILARITIES = Set.of("ratio", "lcs_length", "lcss", "monge_elkan");

    private static final String NAME = "([^\\s`]+|`[^`]+`)";
    private static final Pattern TEXT = Pattern.compile(
            "\\s*(\\d{1,9})\\s+per\\s+%1$s(?:\\s+by\\s+%1$s(?:\\s+(asc|desc))?)?\\s*".formatted(NAME),
            Pattern.CASE_INSENSITIVE);

    /**
     * Parses the value of the key {@code best}; empty if the value has a different form than the example above, or if
     * the count is 0.
     */
    static Optional<Best> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group(1)) == 0) {
            return Optional.empty();
        }
        return Optional.of(new Best(
                Integer.parseInt(matcher.group(1)),
                matcher.group(2).replace("`", ""),
                Optional.ofNullable(matcher.group(3)).map(name -> name.replace("`", "")),
                Optional.ofNullable(matcher.group(4)).map(way -> way.equalsIgnoreCase("desc"))));
    }

    /** Returns the result by which rows are ranked. */
    public String result(List<String> results) {
        return by.orElse(results.get(0));
    }

    /**
     * Whether larger values of a result are better, as set in the job or inferred from the result's name.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_JOB_FILE} if neither the job nor the name of the result
     *     determines whether larger values are better
     */
    public boolean isDescending(String result) {
        return descending.or(() -> isDescendingByName(result)).orElseThrow(() -> {
            return new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE,
                    ("best: specify whether small or large values of %s are better: write 'best: %d per %s by %1$s "
                                    + "asc' or '... desc'")
                            .formatted(result, count, column));
        });
    }

    /** Whether larger values of a result are better; empty if this cannot be inferred from the result's name. */
    static Optional<Boolean> isDescendingByName(String result) {
        String name = result.replaceFirst("^try_", "");
        if (DISTANCES.contains(name) || name.endsWith("_distance") || name.endsWith("_cost")) {
            return Optional.of(false);
        }
        return SIMILARITIES.contains(name)
                        || Stream.of("_similarity", "_score", "_ratio").anyMatch(name::endsWith)
                ? Optional.of(true)
                : Optional.empty();
    }

    @Override
    public String toString() {
        return "%d per %s%s%s"
                .formatted(
                        count,
                        quoted(column),
                        by.map(name -> " by " + quoted(name)).orElse(""),
                        descending.map(desc -> desc ? " desc" : " asc").orElse(""));
    }

    private static String quoted(String name) {
        return name.matches("\\S+") ? name : "`" + name + "`";
    }
}
