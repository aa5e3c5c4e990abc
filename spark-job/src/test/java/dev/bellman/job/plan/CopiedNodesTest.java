package dev.bellman.job.plan;

import static org.apache.spark.sql.functions.expr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.LocalSpark;
import dev.bellman.job.input.Attempt;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.lang3.SerializationUtils;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.trees.TreeNode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import scala.PartialFunction$;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/** Spark and RAPIDS copy a plan node or an expression by calling its public constructor with its elements. */
class CopiedNodesTest {
    private static final SparkSession SPARK = LocalSpark.session();

    /** Queries whose physical plans contain all of Bellman's expressions. */
    private static final List<String> QUERIES = List.of("""
            SELECT * FROM (
              SELECT q.id, t.id, row_number() OVER (PARTITION BY q.id ORDER BY dtw(q.s, t.s, 9, 5D)) AS place
              FROM series q CROSS JOIN series t)
            WHERE place <= 2""");

    private static final AbstractFunction1<Expression, Expression> ATTRIBUTE_TO_NULL = new AbstractFunction1<>() {
        @Override
        public Expression apply(Expression expression) {
            return expression instanceof Attribute column ? Literal.create(null, column.dataType()) : expression;
        }
    };

    @BeforeAll
    static void series() {
        SPARK.range(9).selectExpr("id", "array(double(id), id / 2D) AS s").createOrReplaceTempView("series");
    }

    /** Returns Bellman's classes that Spark may copy. */
    private static Set<Class<?>> copied(Class<?> base) throws IOException {
        Stream<Class<?>> all = Stream.of();
        for (String module : List.of("gpu-udfs", "spark-job")) {
            Path classes = Path.of("..", module, "target", "classes");
            try (Stream<Path> files = Files.walk(classes.resolve("dev"))) {
                List<Class<?>> ofModule = files.filter(file -> file.toString().endsWith(".class"))
                        .<Class<?>>map(file -> named(classes.relativize(file)))
                        .toList();
                all = Stream.concat(all, ofModule.stream());
            }
        }
        return all.filter(type -> base.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers()))
                .collect(Collectors.toSet());
    }

    private static Class<?> named(Path file) {
        String name = file.toString().replace('/', '.').replaceAll("\\.class$", "");
        try {
            return Class.forName(name, false, CopiedNodesTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns one of Bellman's expressions for each of their classes. */
    private static Map<Class<?>, Expression> expressions() {
        Map<Class<?>, Expression> found = new LinkedHashMap<>();
        Dataset<Row> attempt = SPARK.range(3).select(Attempt.of(expr("string(1 div id)")));
        Stream.concat(Stream.of(attempt), QUERIES.stream().map(SPARK::sql))
                .map(query -> query.queryExecution().sparkPlan())
                .forEach(plan -> plan.foreach(each(node -> node.expressions()
                        .foreach(each(expression -> expression.foreach(each(part -> {
                            if (part.getClass().getName().startsWith("dev.bellman.")) {
                                found.put(part.getClass(), part);
                            }
                        })))))));
        return found;
    }

    private static <T> AbstractFunction1<T, BoxedUnit> each(Consumer<T> action) {
        return new AbstractFunction1<>() {
            @Override
            public BoxedUnit apply(T element) {
                action.accept(element);
                return BoxedUnit.UNIT;
            }
        };
    }

    /** Returns an expression as an executor receives it. */
    private static Expression sent(Expression expression) {
        return (Expression) SerializationUtils.roundtrip((Serializable) expression);
    }

    @Test
    void constructorsArePublic() throws IOException {
        assertThat(copied(TreeNode.class)).hasSizeGreaterThan(10).allSatisfy(type -> {
            assertThat(type.getModifiers()).matches(Modifier::isPublic);
            assertThat(type.getConstructors()).hasSize(1);
        });
    }

    /** RAPIDS evaluates copies of the expressions that it leaves to the CPU. */
    @Test
    void expressionsAreCopied() throws IOException {
        Map<Class<?>, Expression> expressions = expressions();

        assertThat(expressions.keySet()).isEqualTo(copied(Expression.class));
        assertThat(expressions.values()).allSatisfy(expression -> {
            Expression copy = expression.clone();
            assertThat(copy).isNotSameAs(expression).isEqualTo(expression);
            // threads evaluate the copies, so these must not share children
            assertThat(copy.children().head()).isNotSameAs(expression.children().head());
            assertThat(expression.canonicalized().clone()).isEqualTo(expression.canonicalized());
            Expression replaced = expression.transformUp(PartialFunction$.MODULE$.fromFunction(ATTRIBUTE_TO_NULL));
            assertThat(replaced.references().isEmpty()).isTrue();
            assertThat(replaced.clone()).isEqualTo(replaced).isNotEqualTo(expression);
            assertThat(sent(expression).dataType()).isEqualTo(expression.dataType());
        });
    }
}
