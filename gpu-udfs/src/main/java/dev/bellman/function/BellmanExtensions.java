package dev.bellman.function;

import dev.bellman.FunctionOptions;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import scala.Tuple3;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/** Adds the functions to every session: {@code spark.sql.extensions=dev.bellman.function.BellmanExtensions}. */
public final class BellmanExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
    @Override
    public BoxedUnit apply(SparkSessionExtensions extensions) {
        for (FunctionBuilder builder : FunctionBuilder.all(Catalogue.functions(), FunctionOptions.DEFAULT)) {
            extensions.injectFunction(new Tuple3<>(new FunctionIdentifier(builder.name()), builder.info(), builder));
        }
        return BoxedUnit.UNIT;
    }
}
