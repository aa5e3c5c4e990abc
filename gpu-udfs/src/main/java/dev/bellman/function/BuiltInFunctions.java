package dev.bellman.function;

import dev.bellman.FunctionOptions;
import java.util.List;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistryBase;
import org.apache.spark.sql.catalyst.analysis.TableFunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import scala.Function1;
import scala.collection.immutable.Seq;

/**
 * The functions that this class adds to those that are built into Spark, for all sessions of the process. Spark
 * considers any other function of a session as temporary, and a view in a catalogue must not call temporary functions.
 */
final class BuiltInFunctions {
    static final List<FunctionBuilder> CATALOGUE = FunctionBuilder.all(Catalogue.functions(), FunctionOptions.DEFAULT);
    static final List<TableFunction> TABLES = TableFunctions.all();

    private BuiltInFunctions() {}

    /** Adds those functions whose names are not those of built-in functions. */
    static void add() {
        CATALOGUE.forEach(each -> add(FunctionRegistry.builtin(), each.name(), each.info(), each));
        TABLES.forEach(each -> add(TableFunctionRegistry.builtin(), each.name(), each.info(), each));
    }

    private static <T> void add(
            FunctionRegistryBase<T> registry, String name, ExpressionInfo info, Function1<Seq<Expression>, T> builder) {
        FunctionIdentifier function = FunctionNames.of(name);
        if (!registry.functionExists(function)) {
            registry.registerFunction(function, info, builder);
        }
    }
}
