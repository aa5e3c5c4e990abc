package dev.bellman.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.plan.catalyst.Scala;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import scala.Option;

class ScalaTest {
    @Test
    void parametersThatComeLaterTakeTheirDefaults() {
        Expression key = Literal.create(1, DataTypes.IntegerType);

        ClusteredDistribution made = Scala.make(ClusteredDistribution.class, Scala.seq(key), true);

        assertThat(Scala.list(made.clustering())).containsExactly(key);
        assertThat(made.requireAllClusterKeys()).isTrue();
        assertThat(made.requiredNumPartitions()).isEqualTo(Option.empty());
    }

    @Test
    void theConstructorsOwnExceptionIsThrown() {
        assertThatThrownBy(() -> Scala.make(ClusteredDistribution.class, Scala.seq()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("should not be Nil");
    }

    @Test
    void otherParametersAreAnError() {
        assertThatThrownBy(() -> Scala.make(ClusteredDistribution.class, "keys"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ClusteredDistribution(");
        assertThatThrownBy(() -> Scala.make(ClusteredDistribution.class))
                .hasMessageContaining("ClusteredDistribution(");
    }
}
