package dev.bellman.segment;

import java.util.Arrays;
import java.util.stream.Stream;

/** Computes the cost of a segment of points: the sum of the costs in each dimension, added from the first dimension. */
final class SumCost extends SegmentCost {
    /** The number of additions whose rounding errors are as large as the cost's own margin. */
    private static final double ADDITIONS = 16;

    private final SegmentCost[] terms;
    /** The costs of one dimension. */
    private double[] part = new double[0];

    SumCost(SegmentCost... terms) {
        super(allSources(terms));
        this.terms = terms;
    }

    private static double[][] allSources(SegmentCost... terms) {
        return Arrays.stream(terms).flatMap(term -> Stream.of(term.sources())).toArray(double[][]::new);
    }

    @Override
    void set(Candidates starts, int column, int end, double[] costs) {
        if (part.length < costs.length) {
            part = new double[costs.length];
        }
        terms[0].set(starts, column, end, costs);
        int next = column + terms[0].sources().length;
        for (int k = 1; k < terms.length; k++) {
            terms[k].set(starts, next, end, part);
            next += terms[k].sources().length;
            for (int i = 0; i < starts.count; i++) {
                costs[i] += part[i];
            }
        }
    }

    @Override
    double smallest() {
        return Arrays.stream(terms).mapToDouble(SegmentCost::smallest).sum();
    }

    @Override
    double largest() {
        double sum = 0;
        for (SegmentCost term : terms) {
            sum += term.largest();
        }
        return sum * (1 + terms.length / ADDITIONS);
    }
}
