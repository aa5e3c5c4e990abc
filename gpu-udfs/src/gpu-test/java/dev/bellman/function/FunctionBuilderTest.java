package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;

import com.nvidia.spark.RapidsUDF;
import dev.bellman.FunctionOptions;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal$;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.internal.SQLConf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.jdk.javaapi.CollectionConverters;

class FunctionBuilderTest {
    /** RAPIDS runs a function on the GPU if the wrapper that Spark puts around it has captured a {@link RapidsUDF}. */
    @ParameterizedTest
    @CsvSource({"auto, true", "serial, false"})
    void shownToRapids(String strategy, boolean shown) throws ReflectiveOperationException {
        String key = "spark.bellman.edit_distance.strategy";
        SQLConf.get().setConfString(key, strategy);
        try {
            FunctionBuilder builder = FunctionBuilder.all(Catalogue.functions(), FunctionOptions.DEFAULT).stream()
                    .filter(each -> each.name().equals("edit_distance"))
                    .findFirst()
                    .orElseThrow();
            List<Expression> arguments = List.of(Literal$.MODULE$.apply("kitten"), Literal$.MODULE$.apply("sitting"));
            ScalaUDF udf = (ScalaUDF)
                    builder.apply(CollectionConverters.asScala(arguments).toSeq());
            Method writeReplace = udf.function().getClass().getDeclaredMethod("writeReplace");
            writeReplace.setAccessible(true);
            SerializedLambda wrapper = (SerializedLambda) writeReplace.invoke(udf.function());
            assertThat(wrapper.getCapturedArgCount()).isEqualTo(1);
            assertThat(wrapper.getCapturedArg(0) instanceof RapidsUDF).isEqualTo(shown);
            assertThat(udf.eval(null)).isEqualTo(3);
        } finally {
            SQLConf.get().unsetConf(key);
        }
    }
}
