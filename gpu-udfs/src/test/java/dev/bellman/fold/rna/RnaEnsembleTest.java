package dev.bellman.fold.rna;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Signature;
import dev.bellman.fold.Bases;
import dev.bellman.fold.RnaInstances;
import dev.bellman.function.Dispatcher;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RnaEnsembleTest {
    private static RnaEnsemble ensemble(String seq, String options) {
        byte[] bases = Bases.of("rna_ensemble", "seq", seq.getBytes(StandardCharsets.US_ASCII));
        FoldOptions how = FoldOptions.of("rna_ensemble", options);
        return RnaEnsemble.of(
                "rna_ensemble",
                bases,
                how,
                RnaFold.of("rna_ensemble", bases, how, RnaFold.Strategy.AUTO).energy());
    }

    static List<BellmanFunction<?>> functions() {
        return RnaFunctions.list().stream()
                .filter(function -> function.name().matches("rna_ensemble|rna_pair_.*|mea_.*"))
                .toList();
    }

    /** Sums over all structures of small sequences, one by one. */
    @ParameterizedTest
    @MethodSource("functions")
    <S extends Enum<S>> void definition(BellmanFunction<S> function) {
        SplittableRandom random = new SplittableRandom(11);
        for (int round = 0; round < 200; round++) {
            Signature<S> signature = function.signatures().get(round % 2);
            InternalRow arguments = signature.generator().generate(random, 18);
            if (arguments.anyNull()) {
                continue;
            }
            Object[] given = new Object[signature.parameters().size()];
            Arrays.setAll(given, at -> CatalystTypeConverters.createToScalaConverter(
                            signature.parameters().get(at).type())
                    .apply(arguments.get(at, signature.parameters().get(at).type())));
            Dispatcher call = new Dispatcher(
                    signature,
                    signature.implementation().create(function.problem().textbook(), FunctionOptions.DEFAULT));
            Object expected;
            try {
                expected = signature.oracle().solve(arguments);
            } catch (BellmanException e) {
                assertThatThrownBy(() -> call.call(given)).hasMessageStartingWith("[" + e.code() + "]");
                continue;
            }
            Object answer = CatalystTypeConverters.createToCatalystConverter(signature.result())
                    .apply(call.call(given));
            assertThat(function.traits().isRight(function.problem().textbook(), arguments, expected, answer))
                    .as("%s: %s, not %s", Arrays.toString(given), answer, expected)
                    .isTrue();
        }
    }

    /** As ViennaRNA 2.8 has them, in single precision. */
    @ParameterizedTest
    @CsvSource({
        "GGGCUAUUAGCUCAGUUGGUUAGAGCGCACCCCUGAUAAGGGUGAGGUCGCUGAUUCGAAUUCAGCAUAGCCCA, '', -31.426510, 19.349763141",
        "GGGCUAUUAGCUCAGUUGGUUAGAGCGCACCCCUGAUAAGGGUGAGGUCGCUGAUUCGAAUUCAGCAUAGCCCA, 'dangles 0', -29.430519, "
                + "9.510744182",
        "GGGCUAUUAGCUCAGUUGGUUAGAGCGCACCCCUGAUAAGGGUGAGGUCGCUGAUUCGAAUUCAGCAUAGCCCA, 'temperature 25', -38.574558, "
                + "15.423812931"
    })
    void trna(String seq, String options, double energy, double diversity) {
        RnaEnsemble ensemble = ensemble(seq, options);
        assertThat(ensemble.energy() / 100).isCloseTo(energy, within(1e-5));
        assertThat(PairProbabilities.of(ensemble).diversity()).isCloseTo(diversity, within(1e-6));
    }

    /** The weight of all structures is beyond DOUBLE without the factors of bases. */
    @Test
    void stable() {
        String seq = "GGGGGGGGAAAACCCCCCCC".repeat(60);
        assertThat(ensemble(seq, "").energy()).isLessThan(-100_000);
    }

    @Test
    void outOfRange() {
        assertThatThrownBy(() -> ensemble("N".repeat(500) + "G".repeat(250) + "AAAA" + "C".repeat(250), ""))
                .hasMessageStartingWith(
                        "[BELLMAN_LIMIT] rna_ensemble: the weights of structures of parts of the " + "1,004 bases");
    }

    /** A pair is at most as probable as its bases are to pair at all. */
    @Test
    void probabilities() {
        SplittableRandom random = new SplittableRandom(12);
        for (int round = 0; round < 30; round++) {
            String seq = RnaInstances.bases(random, 150);
            PairProbabilities pairs = PairProbabilities.of(ensemble(seq, ""));
            double[] paired = new double[seq.length()];
            for (int i = 0; i < seq.length(); i++) {
                for (int j = i + 1; j < seq.length(); j++) {
                    paired[i] += pairs.pair(i, j);
                    paired[j] += pairs.pair(i, j);
                }
            }
            assertThat(Arrays.stream(paired).max().orElse(0)).as(seq).isLessThan(1 + 1e-9);
        }
    }

    @Test
    void nothing() {
        Row empty =
                RnaUdf.ensemble(RnaFold.Strategy.AUTO, FunctionOptions.DEFAULT).call(UTF8String.EMPTY_UTF8);
        assertThat(empty.getDouble(0)).isZero();
        assertThat(empty.getDouble(1)).isEqualTo(1);
        assertThat(empty.getDouble(2)).isZero();
    }
}
