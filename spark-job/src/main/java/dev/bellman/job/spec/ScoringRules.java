package dev.bellman.job.spec;

import dev.bellman.BellmanException;
import dev.bellman.align.score.ScoreFunctions;
import dev.bellman.align.scoring.Scoring;
import dev.bellman.align.scoring.SubstitutionMatrix;
import dev.bellman.job.terminal.Failures;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Checks the section {@code scoring}. */
final class ScoringRules {
    private ScoringRules() {}

    /** Builds the parameter {@code scoring} from the keys of that section. */
    static void check(JobDocument job) {
        if (!job.hasSection(JobKeys.SCORING_MATRIX)
                || job.given(JobKeys.SCORING_OPEN).isEmpty()) {
            return;
        }
        if (job.is(JobKeys.PROBLEM, problem -> !problem.equals(ScoreFunctions.ALIGNMENT))) {
            job.problem(JobKeys.SCORING_OPEN, "scoring applies only to problem: alignment");
            return;
        }
        Map<String, Object> parameters =
                new LinkedHashMap<>(job.given(JobKeys.PARAMETERS).orElse(Map.of()));
        Optional<Integer> match = job.given(JobKeys.SCORING_MATCH);
        Optional<Integer> mismatch = job.given(JobKeys.SCORING_MISMATCH);
        Optional<String> matrix = job.given(JobKeys.SCORING_MATRIX);
        boolean compares = matrix.isEmpty();
        if (compares ? match.isEmpty() || mismatch.isEmpty() : match.isPresent() || mismatch.isPresent()) {
            job.problem(JobKeys.SCORING_OPEN, "scoring requires either matrix, or both match and mismatch");
            return;
        }
        if (compares && job.has(JobKeys.SCORING_UNKNOWN)) {
            job.problem(
                    JobKeys.SCORING_UNKNOWN,
                    "scoring.unknown is the score of letters that are missing from the matrix, but scoring.matrix is "
                            + "not set; set scoring.matrix, or remove scoring.unknown");
            return;
        }
        if (job.has(JobKeys.SCORING_GAP_IN_A_OPEN) != job.has(JobKeys.SCORING_GAP_IN_A_EXTEND)) {
            job.problem(
                    job.has(JobKeys.SCORING_GAP_IN_A_OPEN)
                            ? JobKeys.SCORING_GAP_IN_A_OPEN
                            : JobKeys.SCORING_GAP_IN_A_EXTEND,
                    "scoring.gapInAOpen and scoring.gapInAExtend must be set together");
            return;
        }
        try {
            String scoring = "%s%s %s"
                    .formatted(
                            compares
                                    ? "match %s mismatch %s".formatted(match.get(), mismatch.get())
                                    : matrix(matrix.get()),
                            job.given(JobKeys.SCORING_UNKNOWN)
                                    .map(other -> " other " + other)
                                    .orElse(""),
                            gaps(job));
            Scoring.of("scoring", scoring);
            Object given = parameters.put(FunctionRules.SCORING, scoring);
            if (given != null && !given.equals(scoring)) {
                job.problem(
                        JobKeys.PARAMETERS,
                        FunctionRules.SCORING,
                        "both parameters.scoring and scoring are set; remove one of them");
            }
            job.complete(JobKeys.PARAMETERS, parameters);
        } catch (BellmanException e) {
            job.problem(
                    compares ? JobKeys.SCORING_MATCH : JobKeys.SCORING_MATRIX, Failures.withoutCode(e.getMessage()));
        }
    }

    private static String gaps(JobDocument job) {
        int open = job.given(JobKeys.SCORING_OPEN).orElseThrow();
        int extend = job.given(JobKeys.SCORING_EXTEND).orElse(open);
        return job.given(JobKeys.SCORING_GAP_IN_A_OPEN)
                .flatMap(inAOpen -> job.given(JobKeys.SCORING_GAP_IN_A_EXTEND)
                        .map(inAExtend -> "insert open %s extend %s delete open %s extend %s"
                                .formatted(open, extend, inAOpen, inAExtend)))
                .orElse("open %s extend %s".formatted(open, extend));
    }

    /**
     * Returns a matrix in the syntax of the parameter {@code scoring}; the matrix is either named or read from a file.
     */
    private static String matrix(String nameOrPath) {
        return SubstitutionMatrix.NAMES.contains(nameOrPath.toLowerCase(Locale.ROOT))
                ? nameOrPath
                : SubstitutionMatrix.parse(
                                nameOrPath,
                                TextFile.read(
                                        nameOrPath,
                                        "matrix file",
                                        "; scoring.matrix must be a path, or one of "
                                                + String.join(", ", SubstitutionMatrix.NAMES)))
                        .toText();
    }
}
