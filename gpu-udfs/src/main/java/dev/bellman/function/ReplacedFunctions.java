package dev.bellman.function;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Marker;
import org.apache.logging.log4j.core.Filter;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.filter.AbstractFilter;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.Function1;
import scala.Option;
import scala.collection.immutable.Seq;

/**
 * Suppresses a warning that Spark 4.3 would print in every session, because one of Bellman's functions replaces a
 * built-in function with the same name. The replacement is intended.
 */
final class ReplacedFunctions extends AbstractFilter {
    /** Captures the function's name; Spark 4.3 also prints its catalogue and namespace, {@code system.builtin.lcs}. */
    private static final Pattern WARNING =
            Pattern.compile(" (?:[\\w`]+\\.)*`?(\\w+)`? replaced a previously registered function");

    private static final AtomicBoolean INSTALLED = new AtomicBoolean();

    private final Set<String> names;

    ReplacedFunctions(Set<String> names) {
        this.names = names;
    }

    /**
     * Suppresses the warning for those of the given functions that have the name of one of Spark's built-in functions.
     * Only the first call in a process that finds such functions has an effect.
     */
    static void expect(Collection<String> functions) {
        Set<String> builtIn =
                functions.stream().filter(ReplacedFunctions::isOfSpark).collect(Collectors.toSet());
        if (builtIn.isEmpty() || !INSTALLED.compareAndSet(false, true)) {
            return;
        }
        try {
            new ReplacedFunctions(builtIn).install();
        } catch (LinkageError e) {
            // the process logs with a library other than Log4j, so the warning remains
        }
    }

    /** Whether Spark has a built-in function with this name; {@link BuiltInFunctions} adds Bellman's functions. */
    private static boolean isOfSpark(String name) {
        Option<Function1<Seq<Expression>, Expression>> found =
                FunctionRegistry.builtin().lookupFunctionBuilder(FunctionNames.of(name));
        return found.isDefined() && !(found.get() instanceof FunctionBuilder);
    }

    void install() {
        if (LogManager.getContext(false) instanceof LoggerContext context) {
            context.getConfiguration().addFilter(this);
        }
    }

    @Override
    public Filter.Result filter(Logger logger, Level level, Marker marker, String message, Object... parameters) {
        if (level != Level.WARN || message == null) {
            return Filter.Result.NEUTRAL;
        }
        Matcher warning = WARNING.matcher(message);
        return warning.find() && names.contains(warning.group(1)) ? Filter.Result.DENY : Filter.Result.NEUTRAL;
    }
}
