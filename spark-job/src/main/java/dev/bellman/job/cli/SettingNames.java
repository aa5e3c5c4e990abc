package dev.bellman.job.cli;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuSide;
import dev.bellman.Suggestion;
import dev.bellman.align.names.SplinkFunctions;
import dev.bellman.columns.NamedFiles;
import dev.bellman.entry.Problem;
import dev.bellman.function.Catalogue;
import dev.bellman.large.TilePlacement;
import dev.bellman.plan.ReplaceLevenshtein;
import dev.bellman.plan.SimilarityJoin;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import scala.Tuple2;

/** The names of Bellman's settings. Spark accepts any name, so a misspelled setting would have no effect. */
final class SettingNames {
    private static final String PREFIX = "spark.bellman.";

    /** All settings except the strategies. */
    static final List<String> OTHERS = Stream.concat(
                    Stream.of(
                            ReplaceLevenshtein.KEY,
                            SplinkFunctions.KEY,
                            NamedFiles.ENABLED,
                            SimilarityJoin.ENABLED,
                            SimilarityJoin.METHOD,
                            SimilarityJoin.GPU,
                            SimilarityJoin.MAX_PAIRS,
                            SimilarityJoin.MEMORY,
                            GpuSide.MEMORY),
                    TilePlacement.SETTINGS.stream())
            .toList();

    private SettingNames() {}

    /** @throws BellmanException if a name starts with {@code spark.bellman.}, but Bellman has no such setting */
    static void check(SparkConf given) {
        List<String> names = Arrays.stream(given.getAll())
                .map(Tuple2::_1)
                .filter(name -> name.startsWith(PREFIX) && !OTHERS.contains(name))
                .sorted()
                .toList();
        if (names.isEmpty()) {
            return;
        }
        Set<String> known = new TreeSet<>(OTHERS);
        Catalogue.functions().forEach(function -> {
            known.add(function.problem().strategyKey());
            known.add(Problem.strategyKey(function.name()));
        });
        for (String name : names) {
            if (!known.contains(name)) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_CONFIGURATION,
                        "unknown setting '%s'%s".formatted(name, Suggestion.hint(name, known)));
            }
        }
    }
}
