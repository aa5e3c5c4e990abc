package dev.bellman.align.linkage;

import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.Text;
import dev.bellman.columns.AnyUdf;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.TaskMemory;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Clusters of the texts of an array. */
public final class LinkageFunctions {
    private static final Problem<TextClusters.Strategy> LINKAGE =
            new Problem<>(TextClusters.FUNCTION, TextClusters.Strategy.class, TextClusters.Strategy.SERIAL);

    private static final DataType MEMBERS = DataTypes.createArrayType(
            new StructType()
                    .add("cluster", IntegerType, false)
                    .add("medoid", IntegerType, false)
                    .add("diameter", IntegerType, false)
                    .add("neighbours", IntegerType, false),
            false);

    private LinkageFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(new BellmanFunction<>(
                TextClusters.FUNCTION,
                LINKAGE,
                List.of(new Signature<>(
                        List.of(
                                new Parameter("texts", DataTypes.createArrayType(StringType)),
                                Parameter.setting(
                                        "max", IntegerType, (function, max) -> checkMax(function, (Integer) max)),
                                Parameter.setting(
                                        "linkage", StringType, (function, name) -> linkage(function, name.toString()))),
                        MEMBERS,
                        (strategy, options) -> AnyUdf.ofRows(options, arguments -> clusters(strategy, arguments)),
                        new InstanceGenerator(LinkageTextbook::instance, 10, 120, 3),
                        LinkageTextbook::clusters)),
                "Clusters of texts by edit distance. At first each text is one; then the two closest merge, again and "
                        + "again, while they are at most `max` apart: by the smallest distance of a text of one and a "
                        + "text of the other (`linkage` is `single`), the largest (`complete`, so that all texts of a "
                        + "cluster are at most `max` apart) or the mean (`average`, UPGMA). Of equal ones those whose "
                        + "first texts come first. For each text, as places counted from 0: the first text of its "
                        + "cluster and its medoid, the text with the smallest sum of distances to the others; the "
                        + "cluster's diameter, the largest distance within it; the number of texts in it that are at "
                        + "most `max` from this one.",
                Optional.of("a text that is NULL; a negative `max`; another `linkage`"),
                new Example(
                        "text_clusters(array('anna', 'anne', 'bob'), 1, 'complete')",
                        "[{0, 0, 1, 1}, {0, 0, 1, 1}, {2, 2, 0, 0}]")));
    }

    private static int checkMax(String function, int max) {
        if (max < 0) {
            throw wrong(function, "max is %d; it must be at least 0".formatted(max));
        }
        return max;
    }

    private static Linkage linkage(String function, String name) {
        return Linkage.named(name)
                .orElseThrow(() -> wrong(function, "linkage is '%s'; it must be %s".formatted(name, Linkage.NAMES)));
    }

    /** The exception for an argument that is the same in all rows, with which none has an answer. */
    private static BellmanException wrong(String function, String found) {
        return new BellmanException(ErrorCode.BELLMAN_INPUT_VALUE, function + ": " + found);
    }

    private static Row[] clusters(TextClusters.Strategy strategy, Object... arguments) {
        ArrayData array = (ArrayData) arguments[0];
        int max = checkMax(TextClusters.FUNCTION, (Integer) arguments[1]);
        Linkage linkage = linkage(TextClusters.FUNCTION, arguments[2].toString());
        TaskMemory.takeArgument(TextClusters.FUNCTION, "texts", array.numElements());
        List<Text> texts = new ArrayList<>();
        for (int i = 0; i < array.numElements(); i++) {
            if (array.isNullAt(i)) {
                throw ArrayArguments.invalid(TextClusters.FUNCTION, "texts", i, "NULL", "a text");
            }
            texts.add(Text.of(array.getUTF8String(i)));
        }
        return TextClusters.of(texts, max, linkage, strategy).stream()
                .map(member ->
                        RowFactory.create(member.cluster(), member.medoid(), member.diameter(), member.neighbours()))
                .toArray(Row[]::new);
    }
}
