package dev.bellman.function;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.Thorough;
import dev.bellman.columns.SolverCall;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import dev.bellman.proof.Proofs;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A process that {@link LargestArgumentsTest} starts: it passes long values to string arguments. These values may be
 * slow to parse, or need much memory once parsed. A call that continues for a minute, although its task was killed,
 * ends the process.
 */
final class HostileTexts {
    /** The time limit for a call. Parsing a string in linear time takes only a fraction of a second. */
    private static final int MAX_SECONDS = 60;

    private static final int KILLED_AFTER_MILLIS = 100;

    /** The maximum length of a message, which shows only parts of values. */
    private static final int MAX_MESSAGE = 5_000;

    /** Strings that separate, begin or end something in the formats that functions parse, or have no meaning. */
    private static final List<String> PIECES = List.of(
            " ",
            "\n",
            "\t",
            "'",
            "\"",
            "[",
            "]",
            "(",
            ")",
            "/",
            "*",
            "#",
            ";",
            "|",
            "-",
            ".",
            "0",
            "A",
            "\u00e9",
            "\0",
            "/* ",
            "*/ ",
            "[ ",
            "a ",
            "0 ",
            "-> ",
            "[1]",
            "S -> S S [1]|",
            "# x\n",
            "\r\n",
            "1e",
            "a b 1 ",
            "//\n");

    private static final List<String> FEW_PIECES = List.of("A", "0 ", "\u00e9", "\n");

    private final long bytes;
    private final boolean all;
    private final Timer timer = new Timer(true);
    private final Map<LargestArguments.End, Integer> ends = new EnumMap<>(LargestArguments.End.class);

    private HostileTexts(long bytes, boolean all) {
        this.bytes = bytes;
        this.all = all;
    }

    /**
     * Tests each model, such as a scoring, with one function of its problem, because all of them parse it alike.
     *
     * @param arguments the number of bytes of a string, and what to test: {@code models} for only the models, with all
     *     texts, or {@code all} for all string arguments, each with today's part of its texts
     */
    public static void main(String... arguments) {
        HostileTexts texts = new HostileTexts(Long.parseLong(arguments[0]), arguments[1].equals("all"));
        Set<String> seen = new HashSet<>();
        for (BellmanFunction<?> function : Catalogue.functions()) {
            for (Signature<?> signature : function.signatures()) {
                for (int i = 0; i < signature.parameters().size(); i++) {
                    Parameter parameter = signature.parameters().get(i);
                    boolean isNew = seen.add(function.problem().name() + "." + parameter.name());
                    if (LargeInstances.isText(parameter) && (parameter.isChecked() ? isNew : texts.all)) {
                        texts.call(function, signature, i);
                    }
                }
            }
        }
        System.out.println(LargestArguments.DONE);
    }

    private <S extends Enum<S>> void call(BellmanFunction<S> function, Signature<?> anySignature, int index) {
        @SuppressWarnings("unchecked")
        Signature<S> signature = (Signature<S>) anySignature;
        Parameter parameter = signature.parameters().get(index);
        SolverCall call = signature.call(function.problem().strategy("auto"), FunctionOptions.DEFAULT);
        InternalRow row = Stream.generate(new SplittableRandom(index)::split)
                .map(random -> Proofs.of(signature)
                        .generator()
                        .generate(random, Proofs.of(signature).generator().small()))
                .filter(any -> !any.anyNull())
                .findFirst()
                .orElseThrow();
        String value = parameter.type().equals(DataTypes.StringType)
                ? row.getUTF8String(index).toString()
                : "text";
        ends.clear();
        List<Supplier<String>> texts =
                (parameter.isChecked() ? models(value) : pieces(FEW_PIECES, Stream.of(value, ""))).toList();
        (all ? Thorough.part(texts) : texts.stream()).map(Supplier::get).forEach(text -> {
            String name = "%s%s, %s of %,d letters '%s'"
                    .formatted(
                            function.name(),
                            signature,
                            parameter.name(),
                            text.length(),
                            text.substring(0, Math.min(40, text.length())));
            Object[] values = IntStream.range(0, row.numFields())
                    .mapToObj(i -> row.get(i, signature.parameters().get(i).type()))
                    .toArray();
            UTF8String hostile = UTF8String.fromString(text);
            values[index] = parameter.type().equals(DataTypes.StringType)
                    ? hostile
                    : new GenericArrayData(new Object[] {hostile});
            TimerTask watch = watch(name);
            try {
                check(parameter, values[index]);
                ends.merge(LargestArguments.end(timer, KILLED_AFTER_MILLIS, call, signature, values), 1, Integer::sum);
            } catch (Throwable e) {
                System.out.printf("%s %s: %s%n", LargestArguments.FAILED, name, e);
                e.printStackTrace();
            } finally {
                watch.cancel();
            }
        });
        System.out.printf("%s%s, %s: %s%n", function.name(), signature, parameter.name(), ends);
    }

    /** Checks a constant argument, as is done when a query is planned. */
    private static void check(Parameter parameter, Object value) {
        try {
            parameter.check().accept("f", value);
        } catch (BellmanException e) {
            if (!e.code().isRowError() || e.getMessage().length() > MAX_MESSAGE) {
                throw e;
            }
        }
    }

    private TimerTask watch(String name) {
        TimerTask watch = new TimerTask() {
            @Override
            public void run() {
                System.out.printf("%s %s: goes on for %d seconds%n", LargestArguments.FAILED, name, MAX_SECONDS);
                Thread.getAllStackTraces().forEach((thread, stack) -> {
                    if (thread.getName().equals("main")) {
                        Stream.of(stack).limit(30).forEach(System.out::println);
                    }
                });
                Runtime.getRuntime().halt(1);
            }
        };
        timer.schedule(watch, MAX_SECONDS * 1_000L);
        return watch;
    }

    /**
     * Returns long strings. Most of them repeat a piece after a beginning: the empty string, a valid value, or this
     * value cut off after a punctuation character, so that any part of a model can be the long one. The others repeat
     * the whole value.
     */
    private Stream<Supplier<String>> models(String value) {
        Set<String> begins = new LinkedHashSet<>(List.of("", value, value + " ", value + "\n"));
        value.chars()
                .filter(letter -> !Character.isLetterOrDigit(letter))
                .distinct()
                .forEach(sign -> begins.add(value.substring(0, value.indexOf(sign) + 1)));
        return Stream.concat(pieces(PIECES, begins.stream()), copies(value));
    }

    private Stream<Supplier<String>> pieces(List<String> pieces, Stream<String> begins) {
        return begins.flatMap(begin -> pieces.stream()
                .map(piece -> () -> begin
                        + piece.repeat(
                                (int) bytes / UTF8String.fromString(piece).numBytes())));
    }

    /**
     * Returns strings that repeat a value many times, with at least a few thousand letters; each copy has letters that
     * no earlier copy has.
     */
    private Stream<Supplier<String>> copies(String value) {
        return Stream.iterate(1L << 14, size -> size <= bytes, size -> 8 * size)
                .flatMap(size -> Stream.of(" ", "\n").map(between -> () -> {
                    StringBuilder text = new StringBuilder(value);
                    for (int letter = 0x4e00; text.length() < size / 3; letter += 26) {
                        int first = letter % 0xf0000 + (letter < 0xf0000 ? 0 : 0x4e00);
                        text.append(between);
                        value.chars()
                                .forEach(any -> text.appendCodePoint(Character.isLetter(any) ? first + any % 26 : any));
                    }
                    return text.toString();
                }));
    }
}
