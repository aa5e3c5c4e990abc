package dev.bellman.function;

import dev.bellman.BellmanException;
import dev.bellman.align.linkage.Linkage;
import dev.bellman.plan.EvaluatedOnce;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.expressions.FunctionTableSubqueryArgumentExpression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser$;
import org.apache.spark.sql.catalyst.plans.logical.AnalysisHelper$;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.PartialFunction$;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction0;
import scala.runtime.AbstractFunction1;

/**
 * A table-valued SQL function: {@code SELECT * FROM similar_pairs(TABLE(names), 'name', 2)}. A call becomes a query
 * over its table arguments.
 */
final class TableFunction extends AbstractFunction1<Seq<Expression>, LogicalPlan> {
    private final String name;
    private final String description;
    private final List<Parameter> parameters;
    private final Function<Arguments, LogicalPlan> plan;
    private final ExpressionInfo info;

    /** @param value the value that is used if the call omits the argument; null if the argument is required */
    record Parameter(String name, Literal value) {
        static Parameter required(String name) {
            return new Parameter(name, null);
        }
    }

    TableFunction(String name, String description, List<Parameter> parameters, Function<Arguments, LogicalPlan> plan) {
        this.name = name;
        this.description = description;
        this.parameters = parameters;
        this.plan = plan;
        this.info = described();
    }

    String name() {
        return name;
    }

    ExpressionInfo info() {
        return info;
    }

    private ExpressionInfo described() {
        return new ExpressionInfo(
                TableFunction.class.getName(),
                null,
                name,
                usage() + " - " + description,
                "",
                "",
                "",
                "",
                "",
                "",
                "scala_udf");
    }

    private String usage() {
        return parameters.stream().map(Parameter::name).collect(Collectors.joining(", ", name + "(", ")"));
    }

    @Override
    public LogicalPlan apply(Seq<Expression> arguments) {
        List<Expression> inOrder;
        try {
            inOrder = new NamedArguments(
                            name, parameters.stream().map(Parameter::name).toList(), usage())
                    .inOrder(CollectionConverters.asJava(arguments));
        } catch (BellmanException e) {
            throw FunctionBuilder.wrong(e);
        }
        for (int i = 0; i < inOrder.size(); i++) {
            if (inOrder.get(i) == null) {
                inOrder.set(i, parameters.get(i).value());
            }
            if (inOrder.get(i) == null) {
                throw FunctionBuilder.wrong("%s: the argument %s is missing; expected %s"
                        .formatted(name, parameters.get(i).name(), usage()));
            }
        }
        return plan.apply(new Arguments(inOrder));
    }

    /** The arguments of a call, in the order of the parameters. */
    final class Arguments {
        private final List<Expression> values;

        private Arguments(List<Expression> values) {
            this.values = values;
        }

        LogicalPlan table(int place) {
            if (!(values.get(place) instanceof FunctionTableSubqueryArgumentExpression table)) {
                throw wrong(place, "must be a table: TABLE(name), or TABLE(SELECT ...)");
            }
            if (table.partitionByExpressions().nonEmpty()
                    || table.orderByExpressions().nonEmpty()) {
                throw wrong(
                        place,
                        "takes neither PARTITION BY nor ORDER BY; use block_on to list columns that must be equal");
            }
            if (table.plan().isStreaming()) {
                throw wrong(place, "is a stream; call the function for each batch, in foreachBatch");
            }
            return table.plan();
        }

        /** Returns the name of a column that exists in all given tables, spelled as in the first table. */
        String column(int place, LogicalPlan... tables) {
            return columns(place, tables).stream()
                    .reduce((one, other) -> {
                        throw wrong(place, "must be one column");
                    })
                    .orElseThrow(() -> wrong(place, "must be the name of a column"));
        }

        /** Returns the column names in an argument, which is a string, an array of strings or NULL. */
        List<String> columns(int place, LogicalPlan... tables) {
            Object value = constant(place);
            List<String> given = new ArrayList<>();
            if (value instanceof UTF8String text) {
                given.add(text.toString());
            } else if (value instanceof ArrayData array
                    && values.get(place).dataType() instanceof ArrayType type
                    && type.elementType().equals(DataTypes.StringType)) {
                for (int i = 0; i < array.numElements(); i++) {
                    given.add(array.getUTF8String(i).toString());
                }
            } else if (value != null) {
                throw wrong(place, "must be the name of a column, or an array of names");
            }
            return given.stream()
                    .map(name -> Arrays.stream(tables)
                            .map(table -> find(place, name, table))
                            .toList()
                            .get(0))
                    .toList();
        }

        private String find(int place, String name, LogicalPlan table) {
            return names(table).stream()
                    .filter(each -> (boolean) SQLConf.get().resolver().apply(each, name))
                    .findFirst()
                    .orElseThrow(() -> wrong(
                            place,
                            "is '%s', but the table has only the columns %s"
                                    .formatted(name, String.join(", ", names(table)))));
        }

        int number(int place, int least) {
            Object given = constant(place);
            if (!(given instanceof Number number) || number.doubleValue() != number.intValue()) {
                throw wrong(place, "is %s; it must be an INT".formatted(given));
            }
            if (number.intValue() < least) {
                throw wrong(place, "is %s; it must be at least %d".formatted(number, least));
            }
            return number.intValue();
        }

        long bigint(int place) {
            Object given = constant(place);
            if (!(given instanceof Number number) || number.doubleValue() != number.longValue()) {
                throw wrong(place, "is %s; it must be a BIGINT".formatted(given));
            }
            return number.longValue();
        }

        /** Returns the argument's value, a number of at least 0; empty if the argument is NULL. */
        Optional<Double> real(int place) {
            return Optional.ofNullable(constant(place)).map(given -> {
                if (!(values.get(place).dataType() instanceof NumericType)
                        || !(Double.parseDouble(given.toString()) >= 0)) {
                    throw wrong(place, "is '%s'; it must be a nonnegative number".formatted(given));
                }
                return Double.parseDouble(given.toString());
            });
        }

        /** Returns the linkage that an argument names, or empty if the argument is NULL. */
        Optional<Linkage> linkage(int place) {
            return Optional.ofNullable(constant(place)).map(given -> Linkage.named(given.toString())
                    .orElseThrow(() -> wrong(place, "is '%s'; it must be %s".formatted(given, Linkage.NAMES))));
        }

        private Object constant(int place) {
            Expression value = values.get(place);
            if (!value.foldable()) {
                throw wrong(place, "must be a constant");
            }
            return value.eval(null);
        }

        /**
         * Returns a plan for a table that the query reads several times, and that must have the same rows every time.
         */
        LogicalPlan once(LogicalPlan table) {
            if (!SQLConf.get().exchangeReuseEnabled()) {
                throw FunctionBuilder.wrong(
                        "%s reads its table several times; set %s to true, so that Spark computes the table once"
                                .formatted(
                                        name, SQLConf.EXCHANGE_REUSE_ENABLED().key()));
            }
            return EvaluatedOnce.shuffled(table);
        }

        RuntimeException wrong(int place, String problem) {
            return FunctionBuilder.wrong("%s: the argument %s %s"
                    .formatted(name, parameters.get(place).name(), problem));
        }
    }

    static List<String> names(LogicalPlan table) {
        return CollectionConverters.asJava(table.output()).stream()
                .map(Attribute::name)
                .toList();
    }

    /** Parses a query in which some table names stand for the given plans. */
    static LogicalPlan query(String sql, Map<String, LogicalPlan> tables) {
        LogicalPlan parsed = CatalystSqlParser$.MODULE$.parsePlan(sql);
        return AnalysisHelper$.MODULE$.allowInvokingTransformsInAnalyzer(new AbstractFunction0<>() {
            @Override
            public LogicalPlan apply() {
                return parsed.transformUpWithSubqueries(
                        PartialFunction$.MODULE$.fromFunction(new AbstractFunction1<>() {
                            @Override
                            public LogicalPlan apply(LogicalPlan node) {
                                return node instanceof UnresolvedRelation relation
                                        ? tables.getOrDefault(relation.tableName(), node)
                                        : node;
                            }
                        }));
            }
        });
    }
}
