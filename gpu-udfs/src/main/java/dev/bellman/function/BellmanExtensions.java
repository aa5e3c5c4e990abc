package dev.bellman.function;

import dev.bellman.FunctionOptions;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import scala.Tuple3;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/** Adds the functions to every session: {@code spark.sql.extensions=dev.bellman.function.BellmanExtensions}. */
public final class BellmanExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
    @Override
    public BoxedUnit apply(SparkSessionExtensions extensions) {
        for (FunctionBuilder builder : FunctionBuilder.all(FunctionOptions.DEFAULT)) {
            extensions.injectFunction(new Tuple3<>(new FunctionIdentifier(builder.name()), info(builder), builder));
        }
        return BoxedUnit.UNIT;
    }

    /** What {@code DESCRIBE FUNCTION} shows. */
    private static ExpressionInfo info(FunctionBuilder builder) {
        BellmanFunction<?> function = builder.function();
        StringBuilder usage = new StringBuilder();
        for (Signature<?> signature : function.signatures()) {
            usage.append(builder.name()).append(signature).append(" - ");
        }
        usage.append(function.description());
        String examples = "%n    Examples:%n      > SELECT %s;%n       %s%n"
                .formatted(function.example().expression(), function.example().result());
        return new ExpressionInfo(
                builder.getClass().getName(),
                null,
                builder.name(),
                usage.toString(),
                "",
                examples,
                "",
                "",
                "",
                "",
                "scala_udf");
    }
}
