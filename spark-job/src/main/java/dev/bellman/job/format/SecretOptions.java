package dev.bellman.job.format;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.internal.SQLConf;
import scala.jdk.javaapi.CollectionConverters;

/** Hides passwords and other secrets among the options of readers and writers, as Spark does in plans. */
public final class SecretOptions {
    /** Matches {@code --input-option=name=value}, and {@code name=value}, which may follow {@code --input-option}. */
    private static final Pattern WORD = Pattern.compile("((?:--[a-z]+-option=)?)([^=]+)=(.*)", Pattern.DOTALL);

    private SecretOptions() {}

    /** Returns the options in the same order, with replacements for the values that Spark considers secret. */
    public static Map<String, String> redacted(Map<String, String> options) {
        scala.collection.immutable.Map<String, String> redacted =
                SQLConf.get().redactOptions(scala.collection.immutable.Map.from(CollectionConverters.asScala(options)));
        Map<String, String> shown = new LinkedHashMap<>(options);
        shown.replaceAll((name, value) -> redacted.apply(name));
        return shown;
    }

    /** Returns the words of a command, with replacements for secrets in flags such as {@code --input-option}. */
    public static Stream<String> redacted(List<String> words) {
        return IntStream.range(0, words.size()).mapToObj(i -> {
            Matcher word = WORD.matcher(words.get(i));
            boolean isOption = word.matches()
                    && (!word.group(1).isEmpty() || i > 0 && words.get(i - 1).endsWith("-option"));
            return isOption
                    ? word.group(1)
                            + word.group(2)
                            + "="
                            + redacted(Map.of(word.group(2), word.group(3))).get(word.group(2))
                    : words.get(i);
        });
    }
}
