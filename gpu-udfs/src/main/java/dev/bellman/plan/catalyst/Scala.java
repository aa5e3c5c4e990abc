package dev.bellman.plan.catalyst;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Creates Scala collections and objects for plan nodes. */
public final class Scala {
    private Scala() {}

    /**
     * Creates an object of a Spark class from the first arguments of its constructor. New Spark versions append
     * parameters, which get the default values that the Spark version declares.
     */
    public static <T> T make(Class<T> type, Object... first) {
        Constructor<?> constructor = type.getConstructors()[0];
        Object[] arguments = Arrays.copyOf(first, constructor.getParameterCount());
        try {
            for (int i = first.length; i < arguments.length; i++) {
                arguments[i] =
                        type.getMethod("$lessinit$greater$default$" + (i + 1)).invoke(null);
            }
            return type.cast(constructor.newInstance(arguments));
        } catch (InvocationTargetException e) {
            throw Scala.<RuntimeException>unchecked(e.getCause());
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw new IllegalStateException("this version of Spark has a different " + constructor, e);
        }
    }

    /** Rethrows a checked exception, because Scala constructors do not declare exceptions. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchecked(Throwable exception) throws E {
        throw (E) exception;
    }

    @SafeVarargs
    public static <T> Seq<T> seq(T... elements) {
        List<T> list = new ArrayList<>();
        for (T element : elements) {
            list.add(element);
        }
        return seq(list);
    }

    public static <T> Seq<T> seq(List<? extends T> elements) {
        return CollectionConverters.<T>asScala(Collections.<T>unmodifiableList(elements))
                .toSeq();
    }

    public static <T> List<T> list(Seq<T> elements) {
        return CollectionConverters.asJava(elements);
    }
}
