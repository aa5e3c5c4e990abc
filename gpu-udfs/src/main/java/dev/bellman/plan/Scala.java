package dev.bellman.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Scala's collections, for the nodes of plans. */
final class Scala {
    private Scala() {}

    @SafeVarargs
    static <T> Seq<T> seq(T... elements) {
        List<T> list = new ArrayList<>();
        for (T element : elements) {
            list.add(element);
        }
        return seq(list);
    }

    static <T> Seq<T> seq(List<? extends T> elements) {
        return CollectionConverters.<T>asScala(Collections.<T>unmodifiableList(elements))
                .toSeq();
    }

    static <T> List<T> list(Seq<T> elements) {
        return CollectionConverters.asJava(elements);
    }
}
