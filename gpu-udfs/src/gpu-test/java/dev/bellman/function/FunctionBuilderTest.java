package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;

import com.nvidia.spark.RapidsUDF;
import dev.bellman.FunctionOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal$;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.jdk.javaapi.CollectionConverters;

class FunctionBuilderTest {
    /** RAPIDS runs a function on the GPU if Spark's wrapper around it has captured a {@link RapidsUDF}. */
    @ParameterizedTest
    @CsvSource({"auto, true", "serial, false"})
    void shownToRapids(String strategy, boolean shown) throws ReflectiveOperationException {
        String key = "spark.bellman.edit_distance.strategy";
        SQLConf.get().setConfString(key, strategy);
        try {
            ScalaUDF udf = editDistance();
            assertThat(captured(udf.function()) instanceof RapidsUDF).isEqualTo(shown);
            assertThat(udf.eval(null)).isEqualTo(3);
        } finally {
            SQLConf.get().unsetConf(key);
        }
    }

    private static ScalaUDF editDistance() {
        FunctionBuilder builder = FunctionBuilder.all(Catalogue.functions(), FunctionOptions.DEFAULT).stream()
                .filter(each -> each.name().equals("edit_distance"))
                .findFirst()
                .orElseThrow();
        List<Expression> arguments = List.of(Literal$.MODULE$.apply("kitten"), Literal$.MODULE$.apply("sitting"));
        return (ScalaUDF) builder.apply(CollectionConverters.asScala(arguments).toSeq());
    }

    private static Object captured(Object function) throws ReflectiveOperationException {
        Method writeReplace = function.getClass().getDeclaredMethod("writeReplace");
        writeReplace.setAccessible(true);
        SerializedLambda wrapper = (SerializedLambda) writeReplace.invoke(function);
        assertThat(wrapper.getCapturedArgCount()).isEqualTo(1);
        return wrapper.getCapturedArg(0);
    }

    /** Executors deserialize the function with its kernel if they have RAPIDS. */
    @Test
    void travels() throws IOException, ReflectiveOperationException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(editDistance().function());

        Object withRapids = read(bytes, FunctionBuilderTest.class.getClassLoader());
        assertThat(captured(withRapids)).isInstanceOf(RapidsUDF.class);

        ClassLoader loader = new WithoutRapids(FunctionBuilderTest.class.getClassLoader());
        Object withoutRapids = read(bytes, loader);
        assertThat(captured(withoutRapids)).isNotInstanceOf(RapidsUDF.class);
        Method text = loader.loadClass(UTF8String.class.getName()).getMethod("fromString", String.class);
        Method apply = withoutRapids.getClass().getMethod("apply", Object.class, Object.class);
        apply.setAccessible(true);
        assertThat(apply.invoke(withoutRapids, text.invoke(null, "kitten"), text.invoke(null, "sitting")))
                .isEqualTo(3);
    }

    private static Object read(ByteArrayOutputStream bytes, ClassLoader loader)
            throws IOException, ReflectiveOperationException {
        return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())) {
            @Override
            protected Class<?> resolveClass(ObjectStreamClass description) throws ClassNotFoundException {
                return Class.forName(description.getName(), false, loader);
            }
        }.readObject();
    }

    /** Loads every class except Java's own, and does not find the classes of RAPIDS. */
    private static final class WithoutRapids extends ClassLoader {
        WithoutRapids(ClassLoader all) {
            super(all);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.")) {
                return super.loadClass(name, resolve);
            }
            if (name.startsWith("com.nvidia.") || name.startsWith("ai.rapids.")) {
                throw new ClassNotFoundException(name);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] code = in.readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
