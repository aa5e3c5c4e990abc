package dev.bellman.check.instances;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Signature;
import dev.bellman.function.Catalogue;
import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proofs;
import java.io.PrintWriter;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.CatalystTypeConverters$;
import org.apache.spark.sql.catalyst.expressions.GenericRowWithSchema;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import scala.Function1;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The command {@code instances}: prints the catalogue in machine-readable form, with instances that each generator
 * creates.
 */
@Command(
        name = "instances",
        mixinStandardHelpOptions = true,
        description = "Prints a line of JSON for each signature of each function, with rows of sample arguments.")
public final class InstancesCommand implements Runnable {
    private static final int ROWS = 36;
    private static final int SEED = 28;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        for (BellmanFunction<?> function : Catalogue.functions()) {
            function.signatures().forEach(signature -> out.print(line(function, signature)));
        }
        out.flush();
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
        InstanceGenerator generator = Proofs.of(signature).generator();
        return CollectionConverters.asScala(Stream.generate(() -> generator.generate(random, generator.small()))
                        .limit(ROWS)
                        .map(external::apply)
                        .toList())
                .toSeq();
    }
}
