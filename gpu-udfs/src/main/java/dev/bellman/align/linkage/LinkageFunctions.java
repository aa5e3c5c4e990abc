package dev.bellman.align.linkage;

import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.align.Text;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.TaskMemory;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Defines the functions that cluster the strings in an array. */
public final class LinkageFunctions {
    private static final Problem<TextClusters.Strategy> LINKAGE =
            new Problem<>(TextClusters.FUNCTION, TextClusters.Strategy.class, TextClusters.Strategy.SERIAL);

    private static final List<Parameter> PARAMETERS = List.of(
            new Parameter("texts", DataTypes.createArrayType(StringType)),
            Parameter.setting("max", IntegerType, (function, max) -> checkMax(function, (Integer) max)),
            Parameter.setting("linkage", StringType, (function, name) -> linkage(function, name.toString())));

    private static final DataType MEMBERS = DataTypes.createArrayType(
            new StructType()
                    .add("cluster", IntegerType, false)
                    .add("medoid", IntegerType, false)
                    .add("diameter", IntegerType, false)
                    .add("neighbours", IntegerType, false),
            false);

    private LinkageFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(Entry.of(TextClusters.FUNCTION, LINKAGE)
                .signature(PARAMETERS, MEMBERS, LinkageFunctions::clusters)
                .kernels(TextClusters.Strategy.AUTO)
                .description("Clusters strings by edit distance. Each string starts as its own cluster. Then the two "
                        + "closest clusters are merged repeatedly, as long as the distance between them is at most "
                        + "`max`. `linkage` defines the distance between two clusters: `single` is the smallest "
                        + "distance between their strings, `complete` the largest, and `average` the mean (UPGMA). "
                        + "Clusters are ordered by their first strings. Ties: the pair whose first cluster comes "
                        + "first, then the pair whose second cluster comes first. The result contains a struct for "
                        + "each string. `cluster` is the 0-based position of the first string in its cluster. `medoid` "
                        + "is the position of the string with the smallest sum of distances to the other strings in "
                        + "the cluster (ties: the first one). `diameter` is the largest distance within the cluster. "
                        + "`neighbours` is the number of other strings in the cluster whose distance to this string is "
                        + "at most `max`.")
                .rejects("a NULL string; a negative `max`; an unknown `linkage`")
                .example(
                        "text_clusters(array('anna', 'anne', 'bob'), 1, 'complete')",
                        "[{0, 0, 1, 1}, {0, 0, 1, 1}, {2, 2, 0, 0}]")
                .function());
    }

    private static int checkMax(String function, int max) {
        if (max < 0) {
            throw BellmanException.inSetting(function, "max is %d; it must be at least 0".formatted(max));
        }
        return max;
    }

    private static Linkage linkage(String function, String name) {
        return Linkage.named(name)
                .orElseThrow(() -> BellmanException.inSetting(
                        function, "linkage is '%s'; it must be %s".formatted(name, Linkage.NAMES)));
    }

    private static Row[] clusters(TextClusters.Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        ArrayData array = arguments.array(0);
        int max = checkMax(function, arguments.integer(1));
        Linkage linkage = linkage(function, arguments.string(2).toString());
        TaskMemory.takeArgument(function, "texts", array.numElements());
        List<Text> texts = new ArrayList<>();
        for (int i = 0; i < array.numElements(); i++) {
            if (array.isNullAt(i)) {
                throw ArrayArguments.invalid(function, "texts", i, "NULL", "a string");
            }
            texts.add(Text.of(array.getUTF8String(i)));
        }
        return TextClusters.of(texts, max, linkage, strategy).stream()
                .map(member ->
                        RowFactory.create(member.cluster(), member.medoid(), member.diameter(), member.neighbours()))
                .toArray(Row[]::new);
    }
}
