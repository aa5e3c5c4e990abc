package dev.bellman.function;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedArgumentExpression;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Puts the arguments of a call in the order of the parameters, so that {@code f(y, b => x)} becomes {@code f(y, x)}.
 *
 * @param calls the function's signatures, for error messages
 */
record NamedArguments(String function, List<String> parameters, String calls) {
    /**
     * Returns one argument per parameter; null for omitted arguments.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_FUNCTION_ARGUMENTS} if the arguments do not match the
     *     parameters
     */
    List<Expression> inOrder(List<Expression> arguments) {
        if (arguments.size() > parameters.size()) {
            throw wrong(
                    "%s cannot be called with %d arguments; expected %s".formatted(function, arguments.size(), calls));
        }
        Expression[] ordered = new Expression[parameters.size()];
        boolean named = false;
        for (int i = 0; i < arguments.size(); i++) {
            int place = i;
            Expression value = arguments.get(i);
            if (value instanceof NamedArgumentExpression argument) {
                named = true;
                place = place(argument.key());
                value = argument.value();
                if (ordered[place] != null) {
                    throw wrong("%s: the argument %s is given twice".formatted(function, parameters.get(place)));
                }
            } else if (named) {
                throw wrong("%s: argument %d has no name, but follows a named argument; name this argument, too"
                        .formatted(function, i + 1));
            }
            ordered[place] = value;
        }
        return Arrays.asList(ordered);
    }

    private int place(String key) {
        for (int i = 0; i < parameters.size(); i++) {
            if ((boolean) SQLConf.get().resolver().apply(parameters.get(i), key)) {
                return i;
            }
        }
        throw wrong("%s has no argument %s; expected %s".formatted(function, key, calls));
    }

    static BellmanException wrong(String message) {
        return new BellmanException(ErrorCode.BELLMAN_FUNCTION_ARGUMENTS, message);
    }
}
