package dev.bellman.columns;

import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The arguments of a call on the CPU: one value for each parameter of the function, in the order of the parameters. No
 * value is NULL; an omitted argument has its default.
 *
 * @param function the function's name in SQL, for messages
 * @param given the arguments that the call passes, in Spark's internal form
 * @param omitted the default values of the omitted arguments, in the same form
 */
public record Arguments(String function, Object[] given, Object[] omitted) {
    private static final Object[] NONE = {};

    /** Creates the arguments of a call that omits no argument. */
    public Arguments(String function, Object... values) {
        this(function, values, NONE);
    }

    /** Returns the number of parameters. */
    public int count() {
        return given.length + omitted.length;
    }

    public Object value(int place) {
        return place < given.length ? given[place] : omitted[place - given.length];
    }

    public UTF8String string(int place) {
        return (UTF8String) value(place);
    }

    public int integer(int place) {
        return (Integer) value(place);
    }

    public long bigint(int place) {
        return (Long) value(place);
    }

    public double number(int place) {
        return (Double) value(place);
    }

    public boolean flag(int place) {
        return (Boolean) value(place);
    }

    public ArrayData array(int place) {
        return (ArrayData) value(place);
    }
}
