package dev.bellman.grammar;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class CykKernelTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("grammar/cyk", "CykGrammar", CykGrammar.class);
        KernelConstants.assertSameLayout("grammar/cyk", "CykSentences", CykKernel.Sentences.class);
        KernelConstants.assertSameLayout("grammar/cyk", "CykAnswers", CykKernel.Answers.class);
    }

    @Test
    void classes() {
        KernelConstants.assertFewClasses("grammar/cyk", "CYK_LENGTHS", CykKernel.MAX_GRAMMARS);
    }
}
