package dev.bellman.job.cli;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Signature;
import dev.bellman.function.Catalogue;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.CatalystTypeConverters$;
import org.apache.spark.sql.catalyst.expressions.GenericRowWithSchema;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Function1;
import scala.jdk.javaapi.CollectionConverters;

/** The catalogue for programs: a line of JSON for each signature, with rows of arguments of its generator. */
final class CatalogueLines {
    private static final int ROWS = 36;
    private static final int SEED = 28;

    private CatalogueLines() {}

    static String all() {
        return Catalogue.functions().stream()
                .flatMap(function -> function.signatures().stream().map(signature -> line(function, signature)))
                .collect(Collectors.joining());
    }

    private static String line(BellmanFunction<?> function, Signature<?> signature) {
        StructType arguments = new StructType();
        for (var parameter : signature.parameters()) {
            arguments = arguments.add(parameter.name(), parameter.type());
        }
        StructType schema = new StructType()
                .add("function", DataTypes.StringType)
                .add("rejects", DataTypes.BooleanType)
                .add("arguments", DataTypes.StringType)
                .add("result", DataTypes.StringType)
                .add("rows", DataTypes.createArrayType(arguments));
        Row line = new GenericRowWithSchema(
                new Object[] {
                    function.name(),
                    function.rejects().isPresent(),
                    arguments.toDDL(),
                    signature.result().sql(),
                    rows(signature, arguments)
                },
                schema);
        return line.json() + "\n";
    }

    private static Object rows(Signature<?> signature, StructType arguments) {
        SplittableRandom random = new SplittableRandom(SEED);
        Function1<Object, Object> external = CatalystTypeConverters$.MODULE$.createToScalaConverter(arguments);
        int size = signature.generator().small();
        return CollectionConverters.asScala(
                        Stream.generate(() -> signature.generator().generate(random, size))
                                .limit(ROWS)
                                .map(external::apply)
                                .toList())
                .toSeq();
    }
}
