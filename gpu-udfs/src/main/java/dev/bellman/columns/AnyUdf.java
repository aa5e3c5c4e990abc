package dev.bellman.columns;

import java.io.Serializable;
import org.apache.spark.sql.api.java.UDF0;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF10;
import org.apache.spark.sql.api.java.UDF11;
import org.apache.spark.sql.api.java.UDF12;
import org.apache.spark.sql.api.java.UDF13;
import org.apache.spark.sql.api.java.UDF14;
import org.apache.spark.sql.api.java.UDF15;
import org.apache.spark.sql.api.java.UDF16;
import org.apache.spark.sql.api.java.UDF17;
import org.apache.spark.sql.api.java.UDF18;
import org.apache.spark.sql.api.java.UDF19;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.api.java.UDF20;
import org.apache.spark.sql.api.java.UDF21;
import org.apache.spark.sql.api.java.UDF22;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.api.java.UDF4;
import org.apache.spark.sql.api.java.UDF5;
import org.apache.spark.sql.api.java.UDF6;
import org.apache.spark.sql.api.java.UDF7;
import org.apache.spark.sql.api.java.UDF8;
import org.apache.spark.sql.api.java.UDF9;

/** A Spark function of any number of arguments. */
public class AnyUdf
        implements UDF0<Object>,
                UDF1<Object, Object>,
                UDF2<Object, Object, Object>,
                UDF3<Object, Object, Object, Object>,
                UDF4<Object, Object, Object, Object, Object>,
                UDF5<Object, Object, Object, Object, Object, Object>,
                UDF6<Object, Object, Object, Object, Object, Object, Object>,
                UDF7<Object, Object, Object, Object, Object, Object, Object, Object>,
                UDF8<Object, Object, Object, Object, Object, Object, Object, Object, Object>,
                UDF9<Object, Object, Object, Object, Object, Object, Object, Object, Object, Object>,
                UDF10<Object, Object, Object, Object, Object, Object, Object, Object, Object, Object, Object>,
                UDF11<Object, Object, Object, Object, Object, Object, Object, Object, Object, Object, Object, Object>,
                UDF12<
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object>,
                UDF13<
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object>,
                UDF14<
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object>,
                UDF15<
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object>,
                UDF16<
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object>,
                UDF17<
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object>,
                UDF18<
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object>,
                UDF19<
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object>,
                UDF20<
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object>,
                UDF21<
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object>,
                UDF22<
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object,
                        Object> {
    private static final long serialVersionUID = 1L;

    /** A function that takes its arguments as an array. */
    @FunctionalInterface
    public interface Call extends Serializable {
        Object call(Object... arguments);
    }

    private final Call onCpu;

    public AnyUdf(Call onCpu) {
        this.onCpu = onCpu;
    }

    protected final Call onCpu() {
        return onCpu;
    }

    @Override
    public final Object call() {
        return onCpu.call();
    }

    @Override
    public final Object call(Object a) {
        return onCpu.call(new Object[] {a});
    }

    @Override
    public final Object call(Object a, Object b) {
        return onCpu.call(a, b);
    }

    @Override
    public final Object call(Object a, Object b, Object c) {
        return onCpu.call(a, b, c);
    }

    @Override
    public final Object call(Object a, Object b, Object c, Object d) {
        return onCpu.call(a, b, c, d);
    }

    @Override
    public final Object call(Object a, Object b, Object c, Object d, Object e) {
        return onCpu.call(a, b, c, d, e);
    }

    @Override
    public final Object call(Object a, Object b, Object c, Object d, Object e, Object f) {
        return onCpu.call(a, b, c, d, e, f);
    }

    @Override
    public final Object call(Object a, Object b, Object c, Object d, Object e, Object f, Object g) {
        return onCpu.call(a, b, c, d, e, f, g);
    }

    @Override
    public final Object call(Object a, Object b, Object c, Object d, Object e, Object f, Object g, Object h) {
        return onCpu.call(a, b, c, d, e, f, g, h);
    }

    @Override
    public final Object call(Object a, Object b, Object c, Object d, Object e, Object f, Object g, Object h, Object i) {
        return onCpu.call(a, b, c, d, e, f, g, h, i);
    }

    @Override
    public final Object call(
            Object a, Object b, Object c, Object d, Object e, Object f, Object g, Object h, Object i, Object j) {
        return onCpu.call(a, b, c, d, e, f, g, h, i, j);
    }

    @Override
    public final Object call(
            Object a,
            Object b,
            Object c,
            Object d,
            Object e,
            Object f,
            Object g,
            Object h,
            Object i,
            Object j,
            Object k) {
        return onCpu.call(a, b, c, d, e, f, g, h, i, j, k);
    }

    @Override
    public final Object call(
            Object a,
            Object b,
            Object c,
            Object d,
            Object e,
            Object f,
            Object g,
            Object h,
            Object i,
            Object j,
            Object k,
            Object l) {
        return onCpu.call(a, b, c, d, e, f, g, h, i, j, k, l);
    }

    @Override
    public final Object call(
            Object a,
            Object b,
            Object c,
            Object d,
            Object e,
            Object f,
            Object g,
            Object h,
            Object i,
            Object j,
            Object k,
            Object l,
            Object m) {
        return onCpu.call(a, b, c, d, e, f, g, h, i, j, k, l, m);
    }

    @Override
    public final Object call(
            Object a,
            Object b,
            Object c,
            Object d,
            Object e,
            Object f,
            Object g,
            Object h,
            Object i,
            Object j,
            Object k,
            Object l,
            Object m,
            Object n) {
        return onCpu.call(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
    }

    @Override
    public final Object call(
            Object a,
            Object b,
            Object c,
            Object d,
            Object e,
            Object f,
            Object g,
            Object h,
            Object i,
            Object j,
            Object k,
            Object l,
            Object m,
            Object n,
            Object o) {
        return onCpu.call(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
    }

    @Override
    public final Object call(
            Object a,
            Object b,
            Object c,
            Object d,
            Object e,
            Object f,
            Object g,
            Object h,
            Object i,
            Object j,
            Object k,
            Object l,
            Object m,
            Object n,
            Object o,
            Object p) {
        return onCpu.call(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
    }

    @Override
    public final Object call(
            Object a,
            Object b,
            Object c,
            Object d,
            Object e,
            Object f,
            Object g,
            Object h,
            Object i,
            Object j,
            Object k,
            Object l,
            Object m,
            Object n,
            Object o,
            Object p,
            Object q) {
        return onCpu.call(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
    }

    @Override
    public final Object call(
            Object a,
            Object b,
            Object c,
            Object d,
            Object e,
            Object f,
            Object g,
            Object h,
            Object i,
            Object j,
            Object k,
            Object l,
            Object m,
            Object n,
            Object o,
            Object p,
            Object q,
            Object r) {
        return onCpu.call(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r);
    }

    @Override
    public final Object call(
            Object a,
            Object b,
            Object c,
            Object d,
            Object e,
            Object f,
            Object g,
            Object h,
            Object i,
            Object j,
            Object k,
            Object l,
            Object m,
            Object n,
            Object o,
            Object p,
            Object q,
            Object r,
            Object s) {
        return onCpu.call(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s);
    }

    @Override
    public final Object call(
            Object a,
            Object b,
            Object c,
            Object d,
            Object e,
            Object f,
            Object g,
            Object h,
            Object i,
            Object j,
            Object k,
            Object l,
            Object m,
            Object n,
            Object o,
            Object p,
            Object q,
            Object r,
            Object s,
            Object t) {
        return onCpu.call(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
    }

    @Override
    public final Object call(
            Object a,
            Object b,
            Object c,
            Object d,
            Object e,
            Object f,
            Object g,
            Object h,
            Object i,
            Object j,
            Object k,
            Object l,
            Object m,
            Object n,
            Object o,
            Object p,
            Object q,
            Object r,
            Object s,
            Object t,
            Object u) {
        return onCpu.call(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
    }

    @Override
    public final Object call(
            Object a,
            Object b,
            Object c,
            Object d,
            Object e,
            Object f,
            Object g,
            Object h,
            Object i,
            Object j,
            Object k,
            Object l,
            Object m,
            Object n,
            Object o,
            Object p,
            Object q,
            Object r,
            Object s,
            Object t,
            Object u,
            Object v) {
        return onCpu.call(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v);
    }
}
