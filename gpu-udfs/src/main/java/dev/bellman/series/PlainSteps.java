package dev.bellman.series;

final class PlainSteps implements DiagonalSteps {
    @Override
    public int padding() {
        return 0;
    }

    @Override
    public int steps() {
        return 1;
    }

    @Override
    public void step(Wave wave, int first, int last, int shift) {
        double[] now = wave.now;
        double[] before = wave.before;
        double[] beforeThat = wave.beforeThat;
        for (int i = first; i <= last; i++) {
            double least = Math.min(Math.min(beforeThat[i - 1], before[i - 1]), before[i]);
            now[i] = switch (wave.rule) {
                case SQUARED -> sumOfSquares(wave, i, shift, least);
                case ABSOLUTE -> sumOfDifferences(wave, i, shift, least);
                case SQUARED_FLOAT, ABSOLUTE_FLOAT ->
                    CellRule.plusInFloat(wave.rule.isSquared(), least, (float) wave.a[i] - (float) wave.b[i + shift]);
                case FRECHET -> Math.max(least, sumOfSquares(wave, i, shift, 0));
                case ERP ->
                    Math.min(
                            Math.min(
                                    beforeThat[i - 1] + sumOfDifferences(wave, i, shift, 0),
                                    before[i - 1] + wave.aGaps[i]),
                            before[i] + wave.bGaps[i + shift]);
                case EDR ->
                    Math.min(
                            beforeThat[i - 1] + (matches(wave, i, shift) ? 0 : 1),
                            Math.min(before[i - 1], before[i]) + 1);
                case LCSS ->
                    Math.min(beforeThat[i - 1] - (matches(wave, i, shift) ? 1 : 0), Math.min(before[i - 1], before[i]));
            };
        }
    }

    private static double difference(Wave wave, int k, int i, int shift) {
        return wave.a[k * wave.aStride + i] - wave.b[k * wave.bStride + i + shift];
    }

    private static double sumOfSquares(Wave wave, int i, int shift, double start) {
        double sum = start;
        for (int k = 0; k < wave.dimensions; k++) {
            double d = difference(wave, k, i, shift);
            sum = Math.fma(d, d, sum);
        }
        return sum;
    }

    private static double sumOfDifferences(Wave wave, int i, int shift, double start) {
        double sum = start;
        for (int k = 0; k < wave.dimensions; k++) {
            sum += Math.abs(difference(wave, k, i, shift));
        }
        return sum;
    }

    private static boolean matches(Wave wave, int i, int shift) {
        for (int k = 0; k < wave.dimensions; k++) {
            if (Math.abs(difference(wave, k, i, shift)) > wave.parameter) {
                return false;
            }
        }
        return true;
    }
}
