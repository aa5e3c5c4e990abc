package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.SparkTest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.Filter;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.spark.sql.api.java.UDF0;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class ReplacedFunctionsTest extends SparkTest {
    private static final Logger LOG =
            (Logger) LogManager.getLogger("org.apache.spark.sql.catalyst.analysis.SimpleFunctionRegistry");

    private static final class Messages extends AbstractAppender {
        final List<String> texts = new CopyOnWriteArrayList<>();

        Messages() {
            super("messages", null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            texts.add(event.getMessage().getFormattedMessage());
        }
    }

    private static void register(String name) {
        for (int i = 0; i < 2; i++) {
            spark.udf().register(name, (UDF0<Integer>) () -> 1, DataTypes.IntegerType);
        }
    }

    @Test
    void recognizesTheMessagesOfAllVersionsOfSpark() {
        ReplacedFunctions filter = new ReplacedFunctions(Set.of("lcs"));
        String rest = " replaced a previously registered function.";
        for (String name : List.of("lcs", "system.builtin.lcs", "`system`.`builtin`.`lcs`")) {
            assertThat(filter.filter(LOG, Level.WARN, null, "The function " + name + rest))
                    .as(name)
                    .isEqualTo(Filter.Result.DENY);
        }
        for (String name : List.of("my_lcs", "lcs_length", "system.builtin.my_lcs")) {
            assertThat(filter.filter(LOG, Level.WARN, null, "The function " + name + rest))
                    .as(name)
                    .isEqualTo(Filter.Result.NEUTRAL);
        }
    }

    @Test
    void onlyExpectedReplacementsAreQuiet() {
        Messages messages = new Messages();
        messages.start();
        LOG.addAppender(messages);
        LOG.setLevel(Level.WARN);
        LOG.setAdditive(false);
        ReplacedFunctions filter = new ReplacedFunctions(Set.of("replaced_by_us"));
        filter.install();
        try {
            register("replaced_by_us");
            register("not_replaced_by_us");
        } finally {
            LOG.removeAppender(messages);
            LoggerContext.getContext(false).getConfiguration().removeFilter(filter);
        }
        assertThat(messages.texts).singleElement().asString().contains("not_replaced_by_us");
    }
}
