package dev.bellman.fold.rna;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.TaskMemory;
import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code rna_eval(seq, structure)} and {@code rna_eval(seq, structure, options)}. */
final class RnaEvalUdf implements UDF2<UTF8String, UTF8String, Row>, UDF3<UTF8String, UTF8String, UTF8String, Row> {
    private static final long serialVersionUID = 1L;

    static final StructType LOOP = new StructType()
            .add("kind", DataTypes.StringType, false)
            .add("i", DataTypes.IntegerType, true)
            .add("j", DataTypes.IntegerType, true)
            .add("p", DataTypes.IntegerType, true)
            .add("q", DataTypes.IntegerType, true)
            .add("energy", DataTypes.DoubleType, false);

    static final StructType RESULT = new StructType()
            .add("energy", DataTypes.DoubleType, false)
            .add("loops", DataTypes.createArrayType(LOOP, false), false);

    /** A loop in a list of objects and in a Spark row. */
    private static final int BYTES_OF_A_LOOP = 240;

    private static final String FUNCTION = "rna_eval";

    private final FunctionOptions options;

    RnaEvalUdf(RnaFold.Strategy strategy, FunctionOptions options) {
        this.options = options;
    }

    @Override
    public Row call(UTF8String seq, UTF8String structure) {
        return call(seq, structure, UTF8String.EMPTY_UTF8);
    }

    @Override
    public Row call(UTF8String seq, UTF8String structure, UTF8String how) {
        return seq == null || structure == null || how == null
                ? null
                : options.answer(() -> {
                    LoopEnergies energies =
                            FoldOptions.of(FUNCTION, how.toString()).energies();
                    byte[] bases = Bases.of(FUNCTION, "seq", TaskMemory.bytesOf(seq));
                    byte[] brackets = TaskMemory.bytesOf(structure);
                    RnaFold.checkLength(FUNCTION, bases.length, energies);
                    TaskMemory.take(
                            FUNCTION, (long) BYTES_OF_A_LOOP * bases.length / 2, "", () -> "the loops of %,d bases"
                                    .formatted(bases.length));
                    List<RnaEval.Loop> loops = RnaEval.loops(FUNCTION, bases, brackets, energies);
                    options.cells().add(bases.length);
                    return RowFactory.create(
                            loops.stream().mapToInt(RnaEval.Loop::energy).sum() / RnaUdf.UNIT,
                            loops.stream().map(RnaEvalUdf::row).toArray(Row[]::new));
                });
    }

    private static Row row(RnaEval.Loop loop) {
        return RowFactory.create(
                loop.kind().name().toLowerCase(Locale.ROOT),
                base(loop.i()),
                base(loop.j()),
                base(loop.p()),
                base(loop.q()),
                loop.energy() / RnaUdf.UNIT);
    }

    private static Integer base(int place) {
        return place == 0 ? null : place;
    }
}
