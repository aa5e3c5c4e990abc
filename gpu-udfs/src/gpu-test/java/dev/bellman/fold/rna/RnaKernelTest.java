package dev.bellman.fold.rna;

import static dev.bellman.cuda.KernelConstants.assertSameLayout;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.cuda.ModuleInterface;
import org.junit.jupiter.api.Test;

/** Host and kernels agree. */
class RnaKernelTest {
    private static final String SOURCE = "fold/rna/rna_fold";
    private static final String ENSEMBLES = "fold/rna/rna_ensemble";

    @Test
    void structs() {
        assertSameLayout(SOURCE, "Energies", RnaModels.Energies.class);
        assertSameLayout(ENSEMBLES, "Weights", RnaModels.Weights.class);
        assertSameLayout(ENSEMBLES, "Ensembles", RnaEnsembles.Ensembles.class);
    }

    @Test
    void tables() {
        assertThat(FoldOptions.of("rna_fold", "").energies().flat())
                .hasSize(ModuleInterface.of(SOURCE).constant("TABLES"));
        assertThat(FoldOptions.of("rna_ensemble", "").weights().flat())
                .hasSize(ModuleInterface.of(ENSEMBLES).constant("TABLES"));
    }
}
