package dev.bellman.join;

import dev.bellman.cuda.GpuMemory;
import dev.bellman.join.measure.IndelRatio;
import dev.bellman.join.measure.Jaro;
import dev.bellman.join.measure.Limits;
import dev.bellman.join.measure.Measure;

/** Opens {@link PlainSearchOnGpu}. */
public final class PlainOnGpu implements PlainGpu {
    @Override
    public boolean serves(StringTotals strings, Measure measure) {
        return (measure instanceof Jaro || measure instanceof IndelRatio)
                && strings.allAscii()
                && strings.longest() < StringsOnGpu.LONGEST;
    }

    @Override
    public boolean fits(Strings strings) {
        return StringsOnGpu.bytes(strings) + PlainSearchOnGpu.bytes(strings)
                <= GpuMemory.ofSession().perInstance();
    }

    @Override
    public PairSearch search(Strings strings, Limits limits, int part, int parts, Runnable checkpoint) {
        return new PlainSearchOnGpu(strings, limits, part, parts, checkpoint);
    }
}
