package dev.bellman.markov.profile;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.AnyUdf;
import dev.bellman.columns.TaskMemory;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import dev.bellman.markov.profile.ProfileScore.Algorithm;
import dev.bellman.markov.profile.ProfileScore.Strategy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** The function of this family. */
public final class ProfileFunctions {
    static final String NAME = "profile_score";

    private static final int SMALL = 10;
    private static final int LARGE = 200;

    /** A profile of one node, mostly A; semicolons for the ends of lines. */
    private static final String EXAMPLE = "HMMER3/f;LENG 1;ALPH DNA;HMM A C G T;m->m m->i m->d i->m i->i d->m d->d;"
            + "1.386 1.386 1.386 1.386;0 * * 0.693 0.693 0 *;1 0.105 3.401 3.401 3.401;1.386 1.386 1.386 1.386;"
            + "0 * * 0.693 0.693 0 *;//";

    private static final Parameter SEQ = new Parameter("seq", DataTypes.StringType);
    private static final Parameter PROFILE = new Parameter(
            "profile", DataTypes.StringType, (function, value) -> ProfileCache.model(function, (UTF8String) value));
    private static final Parameter ALGORITHM = Parameter.setting(
            "algorithm", DataTypes.StringType, (function, value) -> Algorithm.of(function, value.toString()));

    private ProfileFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(new BellmanFunction<>(
                NAME,
                new Problem<>(NAME, Strategy.class, Strategy.SERIAL),
                List.of(signature(SEQ, PROFILE), signature(SEQ, PROFILE, ALGORITHM)),
                "The score in bits of a sequence by a profile of HMMER3: the logarithm of its odds by the local, "
                        + "multihit profile against the null model. `profile` is the text of a file of HMMER3 with "
                        + "one profile. `algorithm` is `forward`, the sum over all alignments, which hmmsearch prints "
                        + "less its bias, or `viterbi`, the best one. -Infinity if the profile has no alignment.",
                Optional.of("a `seq` that is empty or has a letter that is no residue; a text that is no profile; an "
                        + "unknown algorithm"),
                new Example(
                        "profile_score('GATTACA', replace('" + EXAMPLE + "', ';', char(10)))", "1.3949034875150566")));
    }

    private static Signature<Strategy> signature(Parameter... parameters) {
        int count = parameters.length;
        return new Signature<>(
                List.of(parameters),
                DataTypes.DoubleType,
                ProfileFunctions::udf,
                new InstanceGenerator((random, size) -> ProfileInstances.draw(random, size, count), SMALL, LARGE, 2),
                ProfileTextbook::score);
    }

    private static AnyUdf udf(Strategy strategy, FunctionOptions options) {
        return AnyUdf.ofRows(options, arguments -> {
            Algorithm algorithm =
                    arguments.length < 3 ? Algorithm.FORWARD : Algorithm.of(NAME, arguments[2].toString());
            ProfileModel model = ProfileCache.model(NAME, (UTF8String) arguments[1]);
            byte[] letters = letters(model.residues, TaskMemory.bytesOf((UTF8String) arguments[0]));
            options.cells().add((long) letters.length * model.nodes);
            return ProfileScore.bits(model, letters, algorithm, strategy);
        });
    }

    /** The numbers of the letters. */
    private static byte[] letters(Residues residues, byte... sequence) {
        if (sequence.length == 0) {
            throw BellmanException.inRow(NAME, "seq is empty; it needs at least one residue");
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
                "letter %,d of seq (counted from 1) is '%s'; by a profile of %s it must be %s"
                        .formatted(
                                at + 1,
                                rest.substring(0, rest.offsetByCodePoints(0, 1)),
                                residues,
                                residues.allowed()));
    }
}
