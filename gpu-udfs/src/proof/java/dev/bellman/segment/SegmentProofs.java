package dev.bellman.segment;

import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Oracle;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import java.util.List;

/** Provides the textbook implementations and the test instances for the functions in {@link SegmentFunctions}. */
public final class SegmentProofs implements Proofs {
    private static final int SMALL = 12;
    private static final int LARGE = 300;

    @Override
    public List<Proof> list() {
        return List.of(
                proof(
                        "change_points",
                        0,
                        SegmentInstances::changes,
                        row -> SegmentTextbook.changePoints(row, false),
                        3),
                proof(
                        "change_points",
                        1,
                        SegmentInstances::criterion,
                        row -> SegmentTextbook.changePointsByCriterion(row, false),
                        3),
                proof(
                        "change_points",
                        2,
                        points(SegmentInstances::changes),
                        row -> SegmentTextbook.changePoints(row, true),
                        3),
                proof(
                        "change_points",
                        3,
                        points(SegmentInstances::criterion),
                        row -> SegmentTextbook.changePointsByCriterion(row, true),
                        3),
                proof(
                        "change_points_of",
                        0,
                        SegmentInstances::numbers,
                        row -> SegmentTextbook.changePointsOf(row, false),
                        3),
                proof(
                        "change_points_of",
                        1,
                        points(SegmentInstances::numbers),
                        row -> SegmentTextbook.changePointsOf(row, true),
                        3),
                proof("piecewise_linear", 0, SegmentInstances::lines, SegmentTextbook::piecewiseLinear, 3),
                proof("isotonic", 0, SegmentInstances::isotonic, row -> SegmentTextbook.isotonic(row, false), 3),
                proof("isotonic", 1, SegmentInstances::weighted, row -> SegmentTextbook.isotonic(row, true), 3),
                proof("optimal_bins", 0, SegmentInstances::bins, SegmentTextbook::optimalBins, 3));
    }

    private static InstanceGenerator.Draw points(InstanceGenerator.Draw draw) {
        return (random, size) -> SegmentInstances.points(random, draw.generate(random, size));
    }

    private static Proof proof(String function, int overload, InstanceGenerator.Draw draw, Oracle oracle, int growth) {
        return new Proof(function, overload, new InstanceGenerator(draw, SMALL, LARGE, growth), oracle);
    }
}
