package dev.bellman.align.distance;

import dev.bellman.FunctionOptions;
import dev.bellman.align.LimitedDistanceUdf;
import dev.bellman.align.Text;

/** {@code edit_distance(a, b)} and {@code edit_distance(a, b, max)}. */
public final class EditDistanceUdf extends LimitedDistanceUdf<EditDistance.Strategy> {
    private static final long serialVersionUID = 1L;

    public EditDistanceUdf(EditDistance.Strategy strategy, FunctionOptions options) {
        super(strategy, options);
    }

    @Override
    protected Integer solve(Text a, Text b) {
        return EditDistance.distance(a, b, strategy);
    }

    @Override
    protected int solve(Text a, Text b, int max) {
        return EditDistance.distance(a, b, max, strategy);
    }

    @Override
    protected EditDistanceUdf with(FunctionOptions other) {
        return new EditDistanceUdf(strategy, other);
    }

    @Override
    public boolean hasKernel() {
        return strategy != EditDistance.Strategy.SERIAL;
    }
}
