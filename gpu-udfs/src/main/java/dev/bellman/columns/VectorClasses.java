package dev.bellman.columns;

import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads classes that need the module {@code jdk.incubator.vector}, which Spark adds to its processes. These classes are
 * compiled separately. Without the {@link OptimizingCompiler}, they are a hundred times slower than plain loops.
 */
public final class VectorClasses {
    private static final Logger LOG = LoggerFactory.getLogger(VectorClasses.class);

    private VectorClasses() {}

    /**
     * Returns an instance of each named class in the package of {@code type}; none if the module or the optimizing
     * compiler is absent.
     */
    public static <T> List<T> load(Class<T> type, String... names) {
        if (!OptimizingCompiler.isPresent()) {
            LOG.info(
                    "{} runs without vector instructions because Java runs without its optimizing compiler, C2",
                    type.getSimpleName());
            return List.of();
        }
        List<T> loaded = new ArrayList<>();
        try {
            for (String name : names) {
                Constructor<?> constructor =
                        Class.forName(type.getPackageName() + "." + name).getDeclaredConstructor();
                constructor.setAccessible(true);
                loaded.add(type.cast(constructor.newInstance()));
            }
        } catch (ReflectiveOperationException | LinkageError e) {
            LOG.info(
                    "{} runs without vector instructions; to use them, start java with --add-modules "
                            + "jdk.incubator.vector ({})",
                    type.getSimpleName(),
                    e.toString());
            return List.of();
        }
        return loaded;
    }
}
