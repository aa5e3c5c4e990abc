package dev.bellman.function;

import dev.bellman.BellmanException;
import dev.bellman.columns.ConstantArray;
import dev.bellman.columns.SolverCall;
import dev.bellman.plan.catalyst.RowError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.catalyst.CatalystTypeConverters$;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.expressions.codegen.Block;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator$;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.JavaCode;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import scala.Function1;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A function call in a query. This subclass of Spark's {@code ScalaUDF} fails like a built-in function: instead of
 * wrapping the exception for a rejected row, which PySpark would print as pages of Java stack traces, it throws a
 * {@link RowError}.
 *
 * <p>Bellman's functions accept Spark's internal form, so arguments are passed on without conversion.
 */
public final class Call extends ScalaUDF {
    private static final long serialVersionUID = 1L;

    /** Checks the arguments; null if there is no check or the arguments have already been checked. */
    private transient Consumer<List<Expression>> check;

    /** The function; null until the first row. */
    private transient SolverCall solver;

    private transient Function1<Object, Object> toInternal;

    private transient boolean isConstant;
    /** The result if all arguments are constant; null until it has been computed. */
    private transient Optional<Object> constant;

    /** For each argument that is a literal array, the array; null for other arguments. Null until the first row. */
    private transient ConstantArray[] arrays;

    /** The child expressions, for evaluating rows one by one; null until the first row. */
    private transient Expression[] inputs;

    /**
     * Has the same parameters as {@code ScalaUDF}'s constructor, because Spark copies expressions through this
     * constructor.
     */
    public Call(
            Object function,
            DataType dataType,
            Seq<Expression> children,
            Seq<Option<ExpressionEncoder<?>>> inputEncoders,
            Option<ExpressionEncoder<?>> outputEncoder,
            Option<String> udfName,
            boolean nullable,
            boolean udfDeterministic) {
        super(function, dataType, children, inputEncoders, outputEncoder, udfName, nullable, udfDeterministic);
    }

    /** Adds a check of the arguments; it runs once, when Spark checks the argument types. */
    Call withCheck(Consumer<List<Expression>> ofArguments) {
        check = ofArguments;
        return this;
    }

    @Override
    public TypeCheckResult checkInputDataTypes() {
        if (check != null) {
            try {
                check.accept(CollectionConverters.asJava(children()));
            } catch (Exception e) {
                // Scala code may throw checked exceptions without declaring them
                throw FunctionBuilder.<RuntimeException>unchecked(
                        e instanceof AnalysisException analysis ? analysis.withPosition(origin()) : e);
            }
            check = null;
        }
        return super.checkInputDataTypes();
    }

    @Override
    public ScalaUDF copy(
            Object function,
            DataType dataType,
            Seq<Expression> children,
            Seq<Option<ExpressionEncoder<?>>> inputEncoders,
            Option<ExpressionEncoder<?>> outputEncoder,
            Option<String> udfName,
            boolean nullable,
            boolean udfDeterministic) {
        return new Call(function, dataType, children, inputEncoders, outputEncoder, udfName, nullable, udfDeterministic)
                .withCheck(check);
    }

    @Override
    public String prettyName() {
        return name();
    }

    /** Prints the call as it was written, that is, without arguments that have the default value. */
    @Override
    public String toString() {
        SolverCall solved = Dispatcher.solver(function());
        List<Expression> arguments = CollectionConverters.asJava(children());
        List<String> texts = new ArrayList<>();
        String clauses = "";
        boolean areNamed = false;
        for (int i = 0; i < arguments.size(); i++) {
            SolverCall.Argument parameter = solved.parameter(i);
            Optional<GroupRows.Written> rows = GroupRows.written(arguments.get(i));
            String text = rows.map(GroupRows.Written::argument)
                    .orElse(arguments.get(i).toString());
            if (parameter.ifAbsent() != null && text.equals(parameter.ifAbsent().toString())) {
                areNamed = true;
            } else {
                texts.add(areNamed ? "%s => %s".formatted(parameter.name(), text) : text);
            }
            clauses = rows.map(GroupRows.Written::clauses).orElse(clauses);
        }
        return "%s(%s)%s".formatted(name(), String.join(", ", texts), clauses);
    }

    /**
     * Returns false for plain calls: if a call were equal to its plain form, a rule that replaces one with the other
     * would have no effect.
     */
    @Override
    public boolean canEqual(Object other) {
        return other instanceof Call;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Call && super.equals(other);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }

    @Override
    public Object eval(InternalRow input) {
        if (inputs == null) {
            inputs = CollectionConverters.asJava(children()).toArray(Expression[]::new);
        }
        Object[] arguments = new Object[inputs.length];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = inputs[i].eval(input);
        }
        return result(arguments);
    }

    /**
     * Returns the result; like the arguments, it is in Spark's internal form. Generated code also calls this method.
     * For constant arguments, the result is computed once for all rows, because {@link dev.bellman.plan.FoldCalls}
     * folds only quick calls.
     */
    public Object result(Object[] arguments) {
        if (solver == null) {
            isConstant = CollectionConverters.asJava(children()).stream().allMatch(Expression::foldable);
            arrays = CollectionConverters.asJava(children()).stream()
                    .map(child -> child instanceof Literal literal && literal.value() instanceof GenericArrayData array
                            ? new ConstantArray(array)
                            : null)
                    .toArray(ConstantArray[]::new);
            toInternal = CatalystTypeConverters$.MODULE$.createToCatalystConverter(dataType());
            solver = Dispatcher.solver(function());
        }
        for (int i = 0; i < arrays.length; i++) {
            if (arrays[i] != null) {
                arguments[i] = arrays[i];
            }
        }
        if (!isConstant) {
            return newResult(arguments);
        }
        if (constant == null) {
            constant = Optional.ofNullable(newResult(arguments));
        }
        return constant.orElse(null);
    }

    private Object newResult(Object... arguments) {
        try {
            return toInternal.apply(solver.result(arguments));
        } catch (BellmanException e) {
            throw e.code().isRowError() ? new RowError(e) : e;
        }
    }

    @Override
    public ExprCode doGenCode(CodegenContext context, ExprCode code) {
        List<ExprCode> arguments = new ArrayList<>();
        CollectionConverters.asJava(children()).forEach(child -> arguments.add(child.genCode(context)));
        String values = context.freshName("arguments");
        // %s writes numbers in ASCII digits in every locale, unlike %d
        StringBuilder text = new StringBuilder("Object[] %s = new Object[%s];%n".formatted(values, arguments.size()));
        for (int i = 0; i < arguments.size(); i++) {
            DataType type = children().apply(i).dataType();
            text.append("if (!%s) { %s[%s] = %s; }%n"
                    .formatted(arguments.get(i).isNull(), values, i, boxed(arguments.get(i), type)));
        }
        String result = context.freshName("result");
        text.append("Object %s = %s.result(%s);%n"
                .formatted(result, context.addReferenceObj("call", this, Call.class.getName()), values));
        text.append("boolean %s = %s == null;%n".formatted(code.isNull(), result));
        text.append("%s %s = %s ? %s : (%s) %s;%n"
                .formatted(
                        CodeGenerator$.MODULE$.javaType(dataType()),
                        code.value(),
                        code.isNull(),
                        CodeGenerator$.MODULE$.defaultValue(dataType(), false),
                        CodeGenerator$.MODULE$.boxedType(dataType()),
                        result));
        Block block = Stream.concat(arguments.stream().map(ExprCode::code), Stream.of(block(text.toString())))
                .reduce(Block::$plus)
                .orElseThrow();
        return code.copy(block, code.isNull(), code.value());
    }

    private static String boxed(ExprCode value, DataType type) {
        return CodeGenerator$.MODULE$.isPrimitiveType(type)
                ? "%s.valueOf(%s)".formatted(CodeGenerator$.MODULE$.boxedType(type), value.value())
                : value.value().toString();
    }

    private static Block block(String text) {
        return new CodeBlock(
                CollectionConverters.asScala(List.of(text)).toSeq(),
                CollectionConverters.asScala(List.<JavaCode>of()).toSeq());
    }
}
