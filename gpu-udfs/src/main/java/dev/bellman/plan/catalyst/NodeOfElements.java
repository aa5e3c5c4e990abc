package dev.bellman.plan.catalyst;

import java.util.Arrays;
import scala.Product;

/**
 * A plan node that is defined by its elements, like a Scala case class. Spark compares, copies and prints nodes by
 * their elements.
 */
public interface NodeOfElements extends Product {
    Object[] elements();

    @Override
    default Object productElement(int n) {
        return elements()[n];
    }

    @Override
    default int productArity() {
        return elements().length;
    }

    @Override
    default boolean canEqual(Object other) {
        return other != null && getClass() == other.getClass();
    }

    /** Returns the result for {@code equals}, which an interface cannot define. */
    default boolean isSame(Object other) {
        return canEqual(other) && Arrays.equals(elements(), ((NodeOfElements) other).elements());
    }
}
