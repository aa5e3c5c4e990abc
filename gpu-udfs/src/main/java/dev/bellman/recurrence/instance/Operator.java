package dev.bellman.recurrence.instance;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The associative operator of a recurrence. All operators except {@link Kind#SUM_MOD} are named after Spark's aggregate
 * functions.
 *
 * @param modulus the modulus of {@link Kind#SUM_MOD}, otherwise 0
 */
public record Operator(Kind kind, long modulus) {
    /** The kinds of operators. Kernels identify operators by their ordinals. */
    public enum Kind {
        MIN,
        MAX,
        SUM,
        SUM_MOD,
        BIT_AND,
        BIT_OR,
        BIT_XOR,
        BOOL_AND,
        BOOL_OR,
        FIRST,
        LAST;

        /** Returns the operator in the notation that users write, with M for the modulus. */
        public String text() {
            return this == SUM_MOD ? "sum mod M" : name().toLowerCase(Locale.ROOT);
        }

        public boolean allows(Element element, boolean weighted) {
            if (weighted) {
                return this == MIN || this == MAX;
            }
            return element == Element.LONG
                    || this == MIN
                    || this == MAX
                    || this == SUM
                    || this == FIRST
                    || this == LAST;
        }

        public boolean isBoolean() {
            return this == BOOL_AND || this == BOOL_OR;
        }
    }

    /** The maximum modulus for which two residues add without overflow. */
    public static final long MAX_MODULUS = 1L << 62;

    private static final Pattern SUM_MOD = Pattern.compile("sum mod ([0-9]{1,19})");

    /** Returns the operator with the given name, or empty if elements of the given type have no such operator. */
    public static Optional<Operator> of(String text, Element element, boolean weighted) {
        return parse(text).filter(operator -> operator.kind().allows(element, weighted));
    }

    /** Returns the reason why a string is not a valid operator for elements of the given type. */
    public static String wrong(String text, Element element, boolean weighted) {
        return "operator is '%s'; for %s%s it must be one of %s%s"
                .formatted(
                        text,
                        weighted ? "weighted " : "",
                        element == Element.LONG ? "BIGINT" : "DOUBLE",
                        Arrays.stream(Kind.values())
                                .filter(kind -> kind.allows(element, weighted))
                                .map(Kind::text)
                                .collect(Collectors.joining(", ")),
                        element == Element.LONG && !weighted ? "; M must be from 1 to " + MAX_MODULUS : "");
    }

    private static Optional<Operator> parse(String text) {
        Matcher matcher = SUM_MOD.matcher(text);
        if (matcher.matches()) {
            long modulus = Long.parseUnsignedLong(matcher.group(1));
            return modulus >= 1 && modulus <= MAX_MODULUS
                    ? Optional.of(new Operator(Kind.SUM_MOD, modulus))
                    : Optional.empty();
        }
        return Arrays.stream(Kind.values())
                .filter(kind -> kind != Kind.SUM_MOD && kind.text().equals(text))
                .findFirst()
                .map(kind -> new Operator(kind, 0));
    }
}
