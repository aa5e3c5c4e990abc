package dev.bellman.join;

import java.util.List;
import java.util.Optional;

/** Opens {@link DeletionSearchOnGpu}. */
public final class DeletionOnGpu implements DeletionGpu {
    @Override
    public boolean serves(StringTotals strings, int k) {
        return DeletionSearchOnGpu.serves(strings, k);
    }

    @Override
    public boolean numbers(StringTotals strings) {
        return BlocksOnGpu.numbers(strings);
    }

    @Override
    public Optional<Strings> number(List<StringBlock> blocks) {
        return BlocksOnGpu.number(blocks);
    }

    @Override
    public boolean fits(Strings strings) {
        return DeletionSearchOnGpu.fits(strings);
    }

    @Override
    public boolean fits(double strings) {
        return DeletionSearchOnGpu.fits(strings);
    }

    @Override
    public double maxKeys() {
        return DeletionSearchOnGpu.maxKeys();
    }

    @Override
    public int longestBeginning() {
        return DeletionSearchOnGpu.LONGEST_BEGINNING;
    }

    @Override
    public PairSearch search(
            Strings strings, int k, int begins, HashSlice slice, double keysExpected, Runnable checkpoint) {
        return new DeletionSearchOnGpu(strings, k, begins, slice, keysExpected, checkpoint);
    }
}
