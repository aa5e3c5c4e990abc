package dev.bellman.fold.rna;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.TaskMemory;
import dev.bellman.fold.Bases;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code rna_duplex(a, b)}, and with {@code options}. */
final class DuplexUdf implements UDF2<UTF8String, UTF8String, Row>, UDF3<UTF8String, UTF8String, UTF8String, Row> {
    private static final long serialVersionUID = 1L;

    static final StructType RESULT = new StructType()
            .add("energy", DataTypes.DoubleType, true)
            .add("structure", DataTypes.StringType, false)
            .add("begin_a", DataTypes.IntegerType, false)
            .add("end_a", DataTypes.IntegerType, false)
            .add("begin_b", DataTypes.IntegerType, false)
            .add("end_b", DataTypes.IntegerType, false);

    /** Of strands without bases that pair. NULL instead would be a row that is rejected. */
    private static final Row APART = RowFactory.create(null, "&", 0, 0, 0, 0);

    private static final String FUNCTION = "rna_duplex";

    private final FunctionOptions options;

    DuplexUdf(RnaFold.Strategy strategy, FunctionOptions options) {
        this.options = options;
    }

    @Override
    public Row call(UTF8String a, UTF8String b) {
        return call(a, b, UTF8String.EMPTY_UTF8);
    }

    @Override
    public Row call(UTF8String a, UTF8String b, UTF8String how) {
        return a == null || b == null || how == null
                ? null
                : options.answer(() -> {
                    FoldOptions parsed = FoldOptions.ofStrands(FUNCTION, how.toString());
                    byte[] first = Bases.of(FUNCTION, "a", TaskMemory.bytesOf(a));
                    byte[] second = Bases.of(FUNCTION, "b", TaskMemory.bytesOf(b));
                    Row row = RnaDuplex.of(FUNCTION, first, second, parsed.energies())
                            .map(DuplexUdf::row)
                            .orElse(APART);
                    options.cells().add((long) first.length * second.length);
                    return row;
                });
    }

    private static Row row(RnaDuplex.Helix helix) {
        return RowFactory.create(
                helix.energy() / RnaUdf.UNIT,
                helix.structure(),
                helix.beginA(),
                helix.endA(),
                helix.beginB(),
                helix.endB());
    }
}
