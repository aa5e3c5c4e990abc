package dev.bellman.align.score;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.BellmanException;
import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Struct;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Collects the schemes of a batch and the number of each row's scheme. */
final class Schemes {
    /** The maximum number of schemes; the CPU solves rows with other schemes. */
    static final int MAX = 256;

    private static final String MODULE = "align/score/batch";
    private static final int BLOCK = 256;

    private final List<Scheme> all = new ArrayList<>();
    private final List<Optional<Penalties>> penalties = new ArrayList<>();
    private final DeviceMemoryBuffer ofRows;
    private final DeviceMemoryBuffer onDevice;

    Schemes(Batch batch, String function) {
        CudaModule module = CudaModule.load(MODULE);
        DeviceColumn modes = batch.strings(2);
        DeviceColumn scorings = batch.strings(3);
        ofRows = batch.scratch().filled((long) Integer.BYTES * batch.rows(), (byte) -1);
        int like = -1;
        int scheme = module.constant("WRONG_SCHEME");
        while (true) {
            like = give(batch, modes, scorings, like, scheme, ofRows);
            if (like == batch.rows() || all.size() == MAX) {
                break;
            }
            try {
                AlignmentMode mode = AlignmentMode.of(function, batch.text(like, 2));
                Scoring scoring = Scoring.of(function, batch.text(like, 3));
                Scheme found = Scheme.of(mode, scoring, batch.scratch());
                scheme = all.size();
                all.add(found);
                penalties.add(Penalties.of(mode, scoring));
            } catch (BellmanException e) {
                // the CPU implementation reports the error in the row
                scheme = module.constant("WRONG_SCHEME");
            }
        }
        onDevice = DeviceArrays.writeStructs(batch.scratch(), Scheme.class, all);
    }

    /**
     * Assigns a number to all unnumbered rows that have the same strings as a given row.
     *
     * @param like the given row; -1 to only find the first row without a number
     * @return the first row that does not have a number yet, or the number of rows
     */
    static int give(
            Batch batch, DeviceColumn one, DeviceColumn other, int like, int number, DeviceMemoryBuffer numbers) {
        DeviceMemoryBuffer first = DeviceArrays.writeInts(batch.scratch(), batch.rows());
        CudaModule.load(MODULE)
                .kernel("align_find_scheme")
                .threads(batch.rows(), BLOCK)
                .launch(
                        batch.rows(),
                        batch.validity(),
                        one.offsets(),
                        one.values(),
                        other.offsets(),
                        other.values(),
                        like,
                        number,
                        numbers.getAddress(),
                        first.getAddress());
        int found = DeviceArrays.readInts(first, 0, 1)[0];
        batch.scratch().free(first);
        return found;
    }

    int count() {
        return all.size();
    }

    Scheme get(int scheme) {
        return all.get(scheme);
    }

    /** Returns the number of pieces of a scheme's gap costs; 1 if there is no such scheme. */
    int pieces(int scheme) {
        return scheme < all.size() ? all.get(scheme).pieces() : 1;
    }

    Optional<Penalties> penalties(int scheme) {
        return penalties.get(scheme);
    }

    /** Returns the address of the number of each row's scheme, as int32. */
    long ofRows() {
        return ofRows.getAddress();
    }

    long address(int scheme) {
        return onDevice.getAddress() + (long) Struct.of(Scheme.class).bytes() * scheme;
    }

    /** Whether every scheme looks up letters in a matrix. */
    boolean lookLettersUp() {
        return all.stream().allMatch(scheme -> scheme.codes() != 0);
    }

    /** Returns the number of letters in the largest matrix. */
    int mostLetters() {
        return all.stream().mapToInt(Scheme::letters).max().orElse(1);
    }
}
