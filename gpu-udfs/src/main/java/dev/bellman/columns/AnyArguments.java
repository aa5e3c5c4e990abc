package dev.bellman.columns;

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

/** Implements Spark's function interfaces for all numbers of arguments with a single method that takes an array. */
abstract class AnyArguments<O>
        implements UDF0<O>,
                UDF1<O, O>,
                UDF2<O, O, O>,
                UDF3<O, O, O, O>,
                UDF4<O, O, O, O, O>,
                UDF5<O, O, O, O, O, O>,
                UDF6<O, O, O, O, O, O, O>,
                UDF7<O, O, O, O, O, O, O, O>,
                UDF8<O, O, O, O, O, O, O, O, O>,
                UDF9<O, O, O, O, O, O, O, O, O, O>,
                UDF10<O, O, O, O, O, O, O, O, O, O, O>,
                UDF11<O, O, O, O, O, O, O, O, O, O, O, O>,
                UDF12<O, O, O, O, O, O, O, O, O, O, O, O, O>,
                UDF13<O, O, O, O, O, O, O, O, O, O, O, O, O, O>,
                UDF14<O, O, O, O, O, O, O, O, O, O, O, O, O, O, O>,
                UDF15<O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O>,
                UDF16<O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O>,
                UDF17<O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O>,
                UDF18<O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O>,
                UDF19<O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O>,
                UDF20<O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O>,
                UDF21<O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O>,
                UDF22<O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O> {
    private static final long serialVersionUID = 1L;

    abstract O result(Object... arguments);

    @Override
    public final O call() {
        return result();
    }

    @Override
    public final O call(O a) {
        return result(new Object[] {a});
    }

    @Override
    public final O call(O a, O b) {
        return result(a, b);
    }

    @Override
    public final O call(O a, O b, O c) {
        return result(a, b, c);
    }

    @Override
    public final O call(O a, O b, O c, O d) {
        return result(a, b, c, d);
    }

    @Override
    public final O call(O a, O b, O c, O d, O e) {
        return result(a, b, c, d, e);
    }

    @Override
    public final O call(O a, O b, O c, O d, O e, O f) {
        return result(a, b, c, d, e, f);
    }

    @Override
    public final O call(O a, O b, O c, O d, O e, O f, O g) {
        return result(a, b, c, d, e, f, g);
    }

    @Override
    public final O call(O a, O b, O c, O d, O e, O f, O g, O h) {
        return result(a, b, c, d, e, f, g, h);
    }

    @Override
    public final O call(O a, O b, O c, O d, O e, O f, O g, O h, O i) {
        return result(a, b, c, d, e, f, g, h, i);
    }

    @Override
    public final O call(O a, O b, O c, O d, O e, O f, O g, O h, O i, O j) {
        return result(a, b, c, d, e, f, g, h, i, j);
    }

    @Override
    public final O call(O a, O b, O c, O d, O e, O f, O g, O h, O i, O j, O k) {
        return result(a, b, c, d, e, f, g, h, i, j, k);
    }

    @Override
    public final O call(O a, O b, O c, O d, O e, O f, O g, O h, O i, O j, O k, O l) {
        return result(a, b, c, d, e, f, g, h, i, j, k, l);
    }

    @Override
    public final O call(O a, O b, O c, O d, O e, O f, O g, O h, O i, O j, O k, O l, O m) {
        return result(a, b, c, d, e, f, g, h, i, j, k, l, m);
    }

    @Override
    public final O call(O a, O b, O c, O d, O e, O f, O g, O h, O i, O j, O k, O l, O m, O n) {
        return result(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
    }

    @Override
    public final O call(O a, O b, O c, O d, O e, O f, O g, O h, O i, O j, O k, O l, O m, O n, O o) {
        return result(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
    }

    @Override
    public final O call(O a, O b, O c, O d, O e, O f, O g, O h, O i, O j, O k, O l, O m, O n, O o, O p) {
        return result(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
    }

    @Override
    public final O call(O a, O b, O c, O d, O e, O f, O g, O h, O i, O j, O k, O l, O m, O n, O o, O p, O q) {
        return result(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
    }

    @Override
    public final O call(O a, O b, O c, O d, O e, O f, O g, O h, O i, O j, O k, O l, O m, O n, O o, O p, O q, O r) {
        return result(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r);
    }

    @Override
    public final O call(O a, O b, O c, O d, O e, O f, O g, O h, O i, O j, O k, O l, O m, O n, O o, O p, O q, O r, O s) {
        return result(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s);
    }

    @Override
    public final O call(
            O a, O b, O c, O d, O e, O f, O g, O h, O i, O j, O k, O l, O m, O n, O o, O p, O q, O r, O s, O t) {
        return result(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
    }

    @Override
    public final O call(
            O a, O b, O c, O d, O e, O f, O g, O h, O i, O j, O k, O l, O m, O n, O o, O p, O q, O r, O s, O t, O u) {
        return result(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
    }

    @Override
    public final O call(
            O a,
            O b,
            O c,
            O d,
            O e,
            O f,
            O g,
            O h,
            O i,
            O j,
            O k,
            O l,
            O m,
            O n,
            O o,
            O p,
            O q,
            O r,
            O s,
            O t,
            O u,
            O v) {
        return result(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v);
    }
}
