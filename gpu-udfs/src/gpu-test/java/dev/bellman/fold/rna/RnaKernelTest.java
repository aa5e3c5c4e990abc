package dev.bellman.fold.rna;

import static dev.bellman.cuda.KernelConstants.assertSameLayout;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.cuda.ModuleInterface;
import dev.bellman.fold.rna.energy.LoopEnergies;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the layout of structs, and the constants from which the host chooses a kernel. */
class RnaKernelTest {
    private static final String SOURCE = "fold/rna/rna_fold";
    private static final String ENSEMBLES = "fold/rna/ensemble/rna_ensemble";
    private static final String COFOLD_ENSEMBLES = "fold/rna/cofold/rna_cofold_ensemble";

    @Test
    void structs() {
        assertSameLayout(SOURCE, "Energies", RnaModels.Energies.class);
        assertSameLayout("fold/rna/rna_eval", "Evaluated", RnaEvalKernel.Evaluated.class);
        assertSameLayout("fold/rna/duplex_trace", "Helices", RnaDuplexKernel.Helices.class);
        assertSameLayout("fold/rna/cofold/rna_cofold", "Strands", CofoldRows.Strands.class);
        assertSameLayout(COFOLD_ENSEMBLES, "CofoldEnergies", RnaCofoldEnsembleKernel.CofoldEnergies.class);
        assertSameLayout("fold/rna/rna_windows", "Windows", RnaWindowsKernel.Windows.class);
        assertSameLayout(ENSEMBLES, "Weights", RnaModels.Weights.class);
        assertSameLayout(ENSEMBLES, "Ensembles", RnaEnsembles.Ensembles.class);
    }

    /** Only a user's parameter file can contain energies that are too large for 16 bits. */
    @ParameterizedTest
    @ValueSource(strings = {"", "dangles 0", "temperature 0", "temperature 25", "temperature 61.5", "temperature 100"})
    void narrow(String options) {
        ModuleInterface module = ModuleInterface.of("fold/rna/narrow_fold");
        LoopEnergies energies = FoldOptions.of("rna_fold", options).energies();
        int most = module.constant("NARROW_PARAMETER");
        int sizes = module.constant("BULGE_SIZES");
        assertThat(NarrowFolds.areSmall(energies, most, sizes)).isTrue();
        assertThat(NarrowFolds.areSmall(energies, 900, sizes)).isFalse();
    }

    /**
     * The energies of helices of up to this many pairs fit in 16 bits. This is enough for microRNAs, which have about
     * 22 bases.
     */
    @ParameterizedTest
    @CsvSource({"'', 35", "dangles 0, 35", "temperature 25, 31", "temperature 61.5, 48"})
    void narrowDuplexes(String options, int pairs) {
        ModuleInterface module = ModuleInterface.of("fold/rna/rna_duplex");
        LoopEnergies energies = FoldOptions.ofStrands("rna_duplex", options).energies();
        int most = module.constant("NARROW_PARAMETER");
        int sizes = module.constant("BULGE_SIZES");
        int room = module.constant("HELIX_ROOM");
        assertThat(RnaDuplexKernel.narrowPairs(energies, most, sizes, room)).isEqualTo(pairs);
        assertThat(RnaDuplexKernel.narrowPairs(energies, 400, sizes, room)).isZero();
    }

    /**
     * At least {@code blocks} blocks of the ensemble kernel fit in the shared memory of a multiprocessor. On a Hopper
     * GPU, a multiprocessor has 228 KiB, and each block takes 1 KiB in addition to the memory that it requests.
     */
    @ParameterizedTest
    @CsvSource({"TINY, 8", "SMALL, 5", "SHORT, 2", "MODEST, 2", "MEDIUM, 2", "LARGE, 1", "LONG, 1"})
    void sharedMemory(String size, int blocks) {
        int bytes = ModuleInterface.of(ENSEMBLES).constant(size + "_BYTES");
        assertThat(blocks * (bytes + 1024)).isLessThanOrEqualTo(228 * 1024);
    }

    /** Tests how many blocks that fold sequences of a certain length in 16 bits fit in a multiprocessor. */
    @ParameterizedTest
    @CsvSource({"120, 1, 4", "173, 1, 4", "247, 1, 3", "389, 1, 2", "815, 1, 1", "1227, 2, 1", "1690, 4, 1"})
    void sharedMemoryOfFoldings(int bases, int together, int blocks) {
        ModuleInterface module = ModuleInterface.of("fold/rna/narrow_fold");
        long bytes = NarrowFolds.sharedMemory(module::constant, bases, false, together);
        assertThat(blocks * (bytes + 1024)).isLessThanOrEqualTo(228 * 1024);
        assertThat((blocks + 1) * (bytes + 1024)).isGreaterThan(228 * 1024);
    }

    /** Tests the numbers of threads of blocks with 56 registers per thread, of which an H200 has 36 warps. */
    @ParameterizedTest
    @CsvSource({
        "0, 4, 32, 32, 32",
        "60, 4, 32, 32, 64",
        "116, 4, 64, 64, 96",
        "128, 5, 64, 64, 96",
        "200, 3, 128, 64, 64",
        "326, 2, 192, 64, 128",
        "500, 1, 256, 192, 320",
        "740, 1, 384, 96, 160",
        "815, 1, 416, 64, 128"
    })
    void threadsOfFoldings(int bases, int blocks, int loops, int pairs, int multis) {
        int most = bases <= 120 ? 288 : 1024;
        assertThat(NarrowFolds.Threads.of(bases, blocks, 36, most))
                .isEqualTo(new NarrowFolds.Threads(loops, pairs, multis));
    }

    @Test
    void tables() {
        assertThat(FoldOptions.of("rna_fold", "").energies().flat())
                .hasSize(ModuleInterface.of(SOURCE).constant("ENERGY_TABLES"));
        assertThat(FoldOptions.of("rna_ensemble", "").weights().flat())
                .hasSize(ModuleInterface.of(ENSEMBLES).constant("TABLES"));
    }
}
