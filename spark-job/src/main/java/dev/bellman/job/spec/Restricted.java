package dev.bellman.job.spec;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Signature;
import dev.bellman.function.Catalogue;
import dev.bellman.job.format.InputColumns;
import dev.bellman.job.output.SaveMode;
import dev.bellman.job.table.LakeTable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute;
import org.apache.spark.sql.catalyst.analysis.UnresolvedExtractValue;
import org.apache.spark.sql.catalyst.analysis.UnresolvedFunction;
import org.apache.spark.sql.catalyst.expressions.*;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.types.DataTypes;
import scala.Option;
import scala.collection.immutable.Nil$;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Checks the restrictions that apply to untrusted job files. In Spark SQL, an expression can call Java methods, read
 * files in a subquery, and reveal details of the machine; an option of a reader or writer can load a class. Under the
 * restrictions, expressions may contain only columns, literals, operators and listed functions, and jobs may use only
 * listed options. The check compares the expression, as parsed by Spark, with an allow list, so unknown constructs are
 * errors.
 *
 * <p>The job's own paths, its time and its memory are not restricted.
 */
public final class Restricted {
    private static final Set<String> FUNCTIONS = functions();

    /** The options that are allowed, in lowercase, because Spark ignores the case of options. */
    private static final Set<String> OPTIONS = Set.of(
            "case",
            "charset",
            "chartoescapequoteescaping",
            "comment",
            "compression",
            "dateformat",
            "delimiter",
            "emptyvalue",
            "encoding",
            "escape",
            "header",
            "ignoreleadingwhitespace",
            "ignoretrailingwhitespace",
            "inferschema",
            "linesep",
            "maxcharspercolumn",
            "maxcolumns",
            "maxrecordbytes",
            "mergeschema",
            "mode",
            "multiline",
            "nanvalue",
            "negativeinf",
            "nullvalue",
            "pathglobfilter",
            "positiveinf",
            "quote",
            "quoteall",
            "recursivefilelookup",
            "samplingratio",
            "sep",
            "timestampformat",
            "timezone",
            "versionasof");

    /** The expressions to which the parser converts operators, CASE, CAST and lambdas. */
    private static final Set<Class<? extends Expression>> NODES = Set.of(
            Add.class,
            And.class,
            BitwiseAnd.class,
            BitwiseNot.class,
            BitwiseOr.class,
            BitwiseXor.class,
            CaseWhen.class,
            Cast.class,
            Concat.class,
            Divide.class,
            EqualNullSafe.class,
            EqualTo.class,
            GreaterThan.class,
            GreaterThanOrEqual.class,
            In.class,
            IntegralDivide.class,
            IsNotNull.class,
            IsNull.class,
            LambdaFunction.class,
            LessThan.class,
            LessThanOrEqual.class,
            Like.class,
            Literal.class,
            Multiply.class,
            Not.class,
            Or.class,
            RLike.class,
            Remainder.class,
            StringTrim.class,
            StringTrimLeft.class,
            StringTrimRight.class,
            Substring.class,
            Subtract.class,
            UnaryMinus.class,
            UnaryPositive.class,
            UnresolvedExtractValue.class,
            UnresolvedNamedLambdaVariable.class);

    private Restricted() {}

    private static Set<String> functions() {
        Set<String> names =
                new TreeSet<>(Set.of(("abs array array_compact array_contains array_distinct array_join array_max"
                                + " array_min array_position array_remove array_sort arrays_zip ascii between bigint "
                                + "btrim cardinality ceil ceiling"
                                + " char_length character_length chr coalesce concat concat_ws contains double "
                                + "element_at elt endswith exists"
                                + " exp filter find_in_set flatten floor forall get greatest hex if ifnull initcap "
                                + "instr int isnotnull isnull"
                                + " lcase least left len length levenshtein ln locate log log10 log2 lower lpad ltrim "
                                + "md5 mod named_struct nullif"
                                + " nullifzero nvl nvl2 octet_length overlay pmod position pow power regexp_count "
                                + "regexp_extract"
                                + " regexp_extract_all regexp_instr regexp_replace regexp_substr repeat replace "
                                + "reverse right round rpad rtrim"
                                + " sequence sha2 sign size slice smallint sort_array soundex split split_part sqrt "
                                + "startswith string struct substr"
                                + " substring substring_index tinyint transform translate trim try_add try_divide "
                                + "try_element_at try_multiply"
                                + " try_subtract try_to_number ucase unhex upper when zeroifnull")
                        .split(" ")));
        for (BellmanFunction<?> function : Catalogue.functions()) {
            names.add(function.name());
            names.add(function.tryName());
        }
        return names;
    }

    /**
     * Checks an expression that is evaluated on rows.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_JOB_FILE} if the expression contains anything that is not
     *     allowed
     * @throws ParseException if the text cannot be parsed as an expression
     */
    public static void check(Dataset<Row> rows, String expression) throws ParseException {
        Expression parsed = ((org.apache.spark.sql.classic.SparkSession) rows.sparkSession())
                .sessionState()
                .sqlParser()
                .parseExpression(expression);
        check(rows, expression, parsed);
    }

    private static void check(Dataset<Row> rows, String expression, Expression node) {
        if (node instanceof UnresolvedAttribute column) {
            String name = column.nameParts().head();
            if (InputColumns.find(rows, name).isEmpty()) {
                throw InputColumns.missing(rows, name);
            }
        } else if (node instanceof UnresolvedFunction function) {
            String name =
                    CollectionConverters.asJava(function.nameParts()).stream().collect(Collectors.joining("."));
            // all functions on the list have unqualified names
            if (!FUNCTIONS.contains(name.toLowerCase(Locale.ROOT)) || !isPlain(function)) {
                throw refused(expression, "the function " + name);
            }
            if (mayReadFile(name, CollectionConverters.asJava(function.arguments()))) {
                throw refused(expression, "%s with an argument that may be a file path".formatted(name));
            }
        } else if (!NODES.contains(node.getClass())) {
            throw refused(expression, node.prettyName());
        }
        CollectionConverters.asJava(node.children()).forEach(child -> check(rows, expression, child));
    }

    /**
     * Whether an argument of one of Bellman's functions could be a path. For a parameter that may read a file, this is
     * true of every argument except a literal that is not a path.
     */
    private static boolean mayReadFile(String name, List<Expression> arguments) {
        return Catalogue.functions().stream()
                .filter(function -> name.equalsIgnoreCase(function.name()) || name.equalsIgnoreCase(function.tryName()))
                .flatMap(function -> function.signatures().stream())
                .map(Signature::parameters)
                .anyMatch(parameters -> IntStream.range(0, Math.min(parameters.size(), arguments.size()))
                        .anyMatch(i -> parameters
                                .get(i)
                                .readsFile()
                                .filter(reads -> !namesNoFile(arguments.get(i), reads))
                                .isPresent()));
    }

    private static boolean namesNoFile(Expression argument, Predicate<String> reads) {
        return argument instanceof Literal literal
                && (literal.value() == null
                        || literal.dataType().equals(DataTypes.StringType)
                                && !reads.test(literal.value().toString()));
    }

    /**
     * Whether a call uses none of DISTINCT, FILTER, an ordering or a NULL treatment. The types that represent these in
     * the expression differ between Spark versions.
     */
    private static boolean isPlain(UnresolvedFunction call) {
        return IntStream.range(0, call.productArity())
                .mapToObj(call::productElement)
                .filter(part -> part != call.nameParts() && part != call.arguments())
                .allMatch(part -> part.equals(false) || part.equals(Option.empty()) || part.equals(Nil$.MODULE$));
    }

    private static BellmanException refused(String expression, String what) {
        return new BellmanException(
                ErrorCode.BELLMAN_JOB_FILE,
                ("'%s' uses %s, which restricted: true does not allow; use only columns, literals, operators and "
                                + "common single-row functions")
                        .formatted(expression, what));
    }

    /** Reports parameters of functions that are paths, because the checks of the job's own paths do not cover them. */
    static void parameters(JobDocument job, List<BellmanFunction<?>> results) {
        job.given(JobKeys.PARAMETERS).orElse(Map.of()).forEach((name, value) -> {
            boolean reads = results.stream()
                    .flatMap(function -> function.signatures().stream())
                    .flatMap(signature -> signature.parameters().stream())
                    .filter(parameter -> parameter.name().equals(name))
                    .flatMap(parameter -> parameter.readsFile().stream())
                    .anyMatch(each -> each.test(String.valueOf(value)));
            if (reads) {
                job.problem(
                        JobKeys.PARAMETERS,
                        name,
                        "parameters.%s is '%s'; restricted: true does not allow paths".formatted(name, value));
            }
        });
    }

    /**
     * Reports options, data sources and modes that are forbidden. A data source can run code that its path or its
     * options specify.
     */
    static void check(JobDocument job) {
        for (JobKey<Map<String, String>> options : JobKeys.allOptions()) {
            job.given(options).orElse(Map.of()).keySet().stream()
                    .filter(name -> !OPTIONS.contains(name.toLowerCase(Locale.ROOT)))
                    .forEach(name -> job.problem(
                            options, name, "restricted: true does not allow the option '%s'".formatted(name)));
        }
        Stream.concat(
                        Stream.of(JobKeys.INPUT_FORMAT, JobKeys.TARGETS_FORMAT, JobKeys.OUTPUT_FORMAT),
                        JobKeys.otherInputs().stream().map(SourceKeys::format))
                .forEach(key -> job.given(key)
                        .filter(format -> !format.isOwn() && !LakeTable.FORMATS.contains(format.name()))
                        .ifPresent(format -> job.problem(
                                key,
                                "restricted: true does not allow the format %s, a Spark data source"
                                        .formatted(format))));
        if (job.is(JobKeys.OUTPUT_MODE, SaveMode.OVERWRITE_FORCE::equals)) {
            job.problem(
                    JobKeys.OUTPUT_MODE,
                    "restricted: true does not allow overwrite-force, which deletes the output folder whatever it "
                            + "contains; use overwrite");
        }
    }
}
