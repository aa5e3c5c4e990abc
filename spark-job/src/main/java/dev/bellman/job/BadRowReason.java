package dev.bellman.job;

import dev.bellman.BellmanException;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.api.java.UDF4;
import org.apache.spark.sql.api.java.UDF5;

/** Why a row is bad: what the first function that rejects its arguments, a struct, says when it is called on the CPU. */
final class BadRowReason implements UDF1<Row, String> {
    private static final long serialVersionUID = 1L;

    /** A function, ready to be called with the values at some positions of the arguments. */
    record Call(Object udf, int[] positions) implements Serializable {
        void on(Row arguments) throws Exception {
            Object[] values = new Object[positions.length];
            for (int i = 0; i < positions.length; i++) {
                values[i] = arguments.get(positions[i]);
            }
            invoke(values);
        }

        @SuppressWarnings("unchecked")
        private void invoke(Object[] values) throws Exception {
            switch (values.length) {
                case 1 -> ((UDF1<Object, Object>) udf).call(values[0]);
                case 2 -> ((UDF2<Object, Object, Object>) udf).call(values[0], values[1]);
                case 3 -> ((UDF3<Object, Object, Object, Object>) udf).call(values[0], values[1], values[2]);
                case 4 ->
                    ((UDF4<Object, Object, Object, Object, Object>) udf)
                            .call(values[0], values[1], values[2], values[3]);
                case 5 ->
                    ((UDF5<Object, Object, Object, Object, Object, Object>) udf)
                            .call(values[0], values[1], values[2], values[3], values[4]);
                default ->
                    throw new IllegalArgumentException("no UDF interface for %d parameters".formatted(values.length));
            }
        }
    }

    private final List<Call> calls;

    BadRowReason(List<Call> calls) {
        this.calls = List.copyOf(calls);
    }

    @Override
    public String call(Row arguments) throws Exception {
        for (Call call : calls) {
            try {
                call.on(arguments);
            } catch (BellmanException e) {
                return e.getMessage();
            }
        }
        return null;
    }
}
