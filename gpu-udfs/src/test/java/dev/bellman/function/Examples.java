package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.plan.FoldCalls;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Runs the catalogue's examples in one query. */
final class Examples {
    /** The optimizer's rules that replace calls with constants. */
    static final String FOLDING = "org.apache.spark.sql.catalyst.optimizer.ConstantFolding,"
            + "org.apache.spark.sql.catalyst.optimizer.NullPropagation,"
            + FoldCalls.class.getName();

    private Examples() {}

    static Dataset<Row> query(SparkSession spark) {
        return spark.range(1)
                .selectExpr(Catalogue.functions().stream()
                        .map(function -> "CAST(%s AS STRING)"
                                .formatted(function.example().expression()))
                        .toArray(String[]::new))
                .toDF(Catalogue.functions().stream().map(BellmanFunction::name).toArray(String[]::new));
    }

    static void areTrue(Dataset<Row> query) {
        Row row = query.first();
        List<BellmanFunction<?>> functions = Catalogue.functions();
        for (int i = 0; i < functions.size(); i++) {
            BellmanFunction.Example example = functions.get(i).example();
            assertThat(row.getString(i)).as(example.expression()).isEqualTo(example.result());
        }
    }
}
