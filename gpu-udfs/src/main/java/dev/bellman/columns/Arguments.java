package dev.bellman.columns;

import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The arguments of a call on the CPU: one value for each parameter of the function, in the order of the parameters. No
 * value is NULL; an omitted argument has its default.
 *
 * @param function the function's name in SQL, for messages
 * @param values the arguments in Spark's internal form
 */
public record Arguments(String function, Object... values) {
    public UTF8String string(int place) {
        return (UTF8String) values[place];
    }

    public int integer(int place) {
        return (Integer) values[place];
    }

    public long bigint(int place) {
        return (Long) values[place];
    }

    public double number(int place) {
        return (Double) values[place];
    }

    public boolean flag(int place) {
        return (Boolean) values[place];
    }

    public ArrayData array(int place) {
        return (ArrayData) values[place];
    }
}
