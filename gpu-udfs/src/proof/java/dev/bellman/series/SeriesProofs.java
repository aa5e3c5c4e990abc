package dev.bellman.series;

import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import java.io.Serializable;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Provides the textbook implementations and the test instances for the functions in {@link SeriesFunctions}, for each
 * type of series.
 */
public final class SeriesProofs implements Proofs {
    private static final int SMALL = 12;
    private static final int LARGE = 600;
    private static final int LARGE_SOFT = 150;

    /** Computes the textbook's result. */
    @FunctionalInterface
    private interface Definition extends Serializable {
        Object solve(InternalRow row, boolean points);
    }

    @Override
    public List<Proof> list() {
        Proof floats = new Proof(
                "dtw",
                2,
                generator(LARGE, 2, SeriesInstances.Type.FLOATS, List.of("a", "b", "band", "max", "power")),
                SeriesTextbook::dtwOfFloats);
        return Stream.of(
                        List.of(floats),
                        table("dtw", SeriesTextbook::dtw, "a, b, band, max, power"),
                        table("dtw_path", SeriesTextbook::dtwPath, "a, b, band, power"),
                        table("dtw_search", SeriesTextbook::dtwSearch, "query, series, power"),
                        table("lcss", SeriesTextbook::lcss, "a, b, tolerance, band"),
                        table("edr", SeriesTextbook::edr, "a, b, tolerance, band"),
                        table("erp", SeriesTextbook::erp, "a, b, gap, band"),
                        table("frechet_distance", SeriesTextbook::frechet, "a, b"),
                        proofs("soft_dtw", SeriesTextbook::softDtw, LARGE_SOFT, 2, "a, b, gamma"),
                        proofs("z_normalized", SeriesTextbook::zNormalized, LARGE, 1, "series"))
                .flatMap(List::stream)
                .toList();
    }

    private static List<Proof> table(String function, Definition definition, String parameters) {
        return proofs(function, definition, LARGE, 2, parameters);
    }

    private static List<Proof> proofs(
            String function, Definition definition, int large, int growth, String parameters) {
        List<String> names = List.of(parameters.split(", "));
        return Stream.of(SeriesInstances.Type.NUMBERS, SeriesInstances.Type.POINTS)
                .map(type -> new Proof(
                        function,
                        type.ordinal(),
                        generator(large, growth, type, names),
                        row -> definition.solve(row, type == SeriesInstances.Type.POINTS)))
                .toList();
    }

    private static InstanceGenerator generator(
            int large, int growth, SeriesInstances.Type type, List<String> parameters) {
        return new InstanceGenerator(
                (random, size) -> SeriesInstances.row(random, size, type, parameters), SMALL, large, growth);
    }
}
