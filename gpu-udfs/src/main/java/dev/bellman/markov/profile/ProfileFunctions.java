package dev.bellman.markov.profile;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.TaskMemory;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.markov.profile.ProfileScore.Algorithm;
import dev.bellman.markov.profile.ProfileScore.Strategy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.spark.unsafe.types.UTF8String;

/** Defines the function {@code profile_score}. */
public final class ProfileFunctions {
    static final String NAME = "profile_score";

    /** A profile with one node, which mostly matches A. Semicolons represent line ends. */
    private static final String EXAMPLE = "HMMER3/f;LENG 1;ALPH DNA;HMM A C G T;m->m m->i m->d i->m i->i d->m d->d;"
            + "1.386 1.386 1.386 1.386;0 * * 0.693 0.693 0 *;1 0.105 3.401 3.401 3.401;1.386 1.386 1.386 1.386;"
            + "0 * * 0.693 0.693 0 *;//";

    private static final List<Parameter> PARAMETERS = List.of(
            new Parameter("sequence", StringType),
            new Parameter("profile", StringType, (function, value) -> ProfileCache.model(function, (UTF8String) value))
                    .ofContent(value -> value.stripLeading().startsWith("HMMER"))
                    .constantOrColumnOnGpu(),
            Parameter.setting("algorithm", StringType, (function, value) -> Algorithm.of(function, value.toString()))
                    .orElse(UTF8String.fromString("forward")));

    private ProfileFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(Entry.of(NAME, new Problem<>(NAME, Strategy.class, Strategy.SERIAL))
                .signature(PARAMETERS, DoubleType, ProfileFunctions::score)
                .description("Returns a sequence's bit score under a HMMER3 profile: the log-odds ratio between the "
                        + "multihit local profile and the null model. `profile` is the content of a HMMER3 file with "
                        + "one profile. `algorithm` is `forward` (the sum over all alignments, hmmsearch's score "
                        + "before its bias correction) or `viterbi` (the best alignment). Returns -Infinity if no "
                        + "alignment is possible.")
                .rejects("a `sequence` that is empty or has a letter that is not a residue; a string that is not a "
                        + "profile; an unknown algorithm")
                .example("profile_score('GATTACA', replace('" + EXAMPLE + "', ';', char(10)))", "1.3949034875150566")
                .kernels(Strategy.AUTO)
                .function());
    }

    private static Object score(Strategy strategy, FunctionOptions options, Arguments arguments) {
        Algorithm algorithm = Algorithm.of(NAME, arguments.string(2).toString());
        ProfileModel model = ProfileCache.model(NAME, arguments.string(1));
        byte[] letters = letters(model.residues, TaskMemory.bytesOf(arguments.string(0)));
        options.cells().add((long) letters.length * model.nodes);
        return ProfileScore.bits(model, letters, algorithm, strategy);
    }

    private static byte[] letters(Residues residues, byte... sequence) {
        if (sequence.length == 0) {
            throw BellmanException.inRow(NAME, "sequence is empty; it needs at least one residue");
        }
        byte[] letters = new byte[sequence.length];
        for (int i = 0; i < letters.length; i++) {
            letters[i] = (byte) residues.code(sequence[i]);
            if (letters[i] == Residues.NONE) {
                throw wrongLetter(residues, sequence, i);
            }
        }
        return letters;
    }

    private static BellmanException wrongLetter(Residues residues, byte[] sequence, int at) {
        String rest = new String(sequence, at, Math.min(4, sequence.length - at), StandardCharsets.UTF_8);
        return BellmanException.inRow(
                NAME,
                "letter %,d of sequence (counted from 1) is '%s'; for a profile with the alphabet %s, it must be %s"
                        .formatted(
                                at + 1,
                                rest.substring(0, rest.offsetByCodePoints(0, 1)),
                                residues,
                                residues.allowed()));
    }
}
