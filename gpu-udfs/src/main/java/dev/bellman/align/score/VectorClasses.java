package dev.bellman.align.score;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads classes that need the module {@code jdk.incubator.vector}, with which Spark starts its processes. They are
 * compiled separately.
 */
final class VectorClasses {
    private static final Logger LOG = LoggerFactory.getLogger(VectorClasses.class);

    private VectorClasses() {}

    /** One object of each class; none if the module is absent. */
    static <T> List<T> load(Class<T> type, String... names) {
        List<T> loaded = new ArrayList<>();
        try {
            for (String name : names) {
                loaded.add(type.cast(Class.forName(VectorClasses.class.getPackageName() + "." + name)
                        .getDeclaredConstructor()
                        .newInstance()));
            }
        } catch (ReflectiveOperationException | LinkageError e) {
            LOG.info(
                    "Alignments are solved row by row: java runs without --add-modules jdk.incubator.vector ({})",
                    e.toString());
            return List.of();
        }
        return loaded;
    }
}
