package dev.bellman.align.score;

import dev.bellman.FunctionOptions;
import dev.bellman.align.Text;
import dev.bellman.align.scoring.Scoring;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code alignment(a, b, mode, scoring)} and {@code alignment(a, b, mode, scoring, min_score)}. */
public final class AlignmentUdf extends AlignUdf<Row> {
    private static final long serialVersionUID = 1L;

    /** The result, as {@link Alignment} has it. */
    public static final StructType RESULT = new StructType()
            .add("score", DataTypes.LongType, false)
            .add("begin_a", DataTypes.IntegerType, false)
            .add("end_a", DataTypes.IntegerType, false)
            .add("begin_b", DataTypes.IntegerType, false)
            .add("end_b", DataTypes.IntegerType, false)
            .add("cigar", DataTypes.StringType, false)
            .add("identities", DataTypes.IntegerType, false)
            .add("gaps", DataTypes.IntegerType, false);

    public AlignmentUdf(SequenceAlignment.Strategy strategy, FunctionOptions options) {
        super("alignment", strategy, options);
    }

    @Override
    Row solve(Text a, Text b, AlignmentMode mode, Scoring its, long least) {
        return SequenceAlignment.align(function, a, b, mode, its, least, strategy, chosen -> chose(chosen, 1))
                .map(found -> RowFactory.create(
                        found.score(),
                        found.beginA(),
                        found.endA(),
                        found.beginB(),
                        found.endB(),
                        found.cigar(),
                        found.identities(),
                        found.gaps()))
                .orElse(null);
    }

    @Override
    AlignmentUdf with(FunctionOptions other) {
        return new AlignmentUdf(strategy, other);
    }
}
