package dev.bellman.fold.rna;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.BellmanException;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.fold.rna.energy.LoopEnergies;
import dev.bellman.fold.rna.energy.LoopWeights;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Provides the energy models for the folding options of a batch's rows: up to {@value #MAX_MODELS} different options
 * that are valid, without a constraint, and with weights in range. The CPU solves the rows with other options.
 */
final class RnaModels {
    /**
     * The energies at one temperature, in the kernels' layout ({@code Energies} in {@code fold/rna/loop_energies.cuh}).
     */
    record Energies(long tables, long hairpins, long specials, int specialCount, int noLonelyPairs) {}

    /**
     * The weights at one temperature, in the kernels' layout ({@code Weights} in
     * {@code fold/rna/ensemble/loop_weights.cuh}).
     */
    record Weights(long tables, long hairpins, long keys, long specials, double thermal, int specialCount) {}

    static final int MAX_MODELS = 16;
    private static final int BLOCK = 256;

    private final Batch batch;
    private final CudaModule module = CudaModule.load("fold/rna/rna_fold");
    private final int argument;
    private final BiFunction<String, String, FoldOptions> parse;
    private final List<FoldOptions> options = new ArrayList<>();
    private final Map<Integer, Weights> weights = new HashMap<>();
    private final List<Energies> models = new ArrayList<>();
    private final List<Integer> longest = new ArrayList<>();
    private final List<Boolean> narrow = new ArrayList<>();
    private final long ofRows;

    private RnaModels(Batch batch, String function, int argument, BiFunction<String, String, FoldOptions> parse) {
        this.batch = batch;
        this.argument = argument;
        this.parse = parse;
        if (batch.arguments() == argument) {
            ofRows = 0;
            add(FoldOptions.of(function, ""));
        } else {
            ofRows = find(function);
        }
    }

    /** @param parse parses the options, given the function's name and the string */
    static RnaModels of(Batch batch, SolverCall call, BiFunction<String, String, FoldOptions> parse) {
        int argument = call.column("options");
        return new RnaModels(batch, call.function(), argument < 0 ? batch.arguments() : argument, parse);
    }

    private long find(String function) {
        DeviceMemoryBuffer numbers = batch.scratch().filled((long) Integer.BYTES * batch.rows(), (byte) -1);
        int like = -1;
        int number = module.constant("WRONG_MODEL");
        while (true) {
            like = give(like, number, numbers);
            if (like == batch.rows() || models.size() == MAX_MODELS) {
                return numbers.getAddress();
            }
            number = module.constant("WRONG_MODEL");
            try {
                FoldOptions found = parse.apply(function, batch.text(like, argument));
                if (found.constraint() == Constraint.NONE && found.weights().areInRange()) {
                    number = models.size();
                    add(found);
                }
            } catch (BellmanException e) {
                // the CPU implementation reports the error in the row
                number = module.constant("WRONG_MODEL");
            }
        }
    }

    /**
     * Assigns a number to all unnumbered rows that have the same options as a given row. Returns the first row without
     * a number, or the number of rows if there is none.
     */
    private int give(int like, int number, DeviceMemoryBuffer numbers) {
        DeviceColumn texts = batch.strings(argument);
        DeviceMemoryBuffer first = DeviceArrays.writeInts(batch.scratch(), batch.rows());
        module.kernel("rna_find_models")
                .threads(batch.rows(), BLOCK)
                .launch(
                        batch.rows(),
                        batch.validity(),
                        texts.offsets(),
                        texts.values(),
                        like,
                        number,
                        numbers.getAddress(),
                        first.getAddress());
        int found = DeviceArrays.readInts(first, 0, 1)[0];
        batch.scratch().free(first);
        return found;
    }

    private void add(FoldOptions of) {
        LoopEnergies energies = of.energies();
        // the same limit as in RnaFold.checkEnergies
        long most = (FoldTable.INFEASIBLE - 1) / (4 * Math.max(1, energies.magnitude()));
        longest.add((int) Math.min(LoopEnergies.MAX_LENGTH, most));
        int[] specials = energies.specials();
        Scratch scratch = batch.scratch();
        options.add(of);
        narrow.add(NarrowFolds.areSmall(energies));
        models.add(new Energies(
                DeviceArrays.writeInts(scratch, energies.flat()).getAddress(),
                DeviceArrays.writeInts(scratch, energies.hairpins(LoopEnergies.MAX_LENGTH + 1))
                        .getAddress(),
                DeviceArrays.writeInts(scratch, specials).getAddress(),
                specials.length / 2,
                of.noLonelyPairs() ? 1 : 0));
    }

    int count() {
        return models.size();
    }

    Energies get(int model) {
        return models.get(model);
    }

    /** Whether all energies of partial foldings in a model fit in 16 bits, unless a folding's energy is very low. */
    boolean isNarrow(int model) {
        return narrow.get(model);
    }

    LoopEnergies energies(int model) {
        return options.get(model).energies();
    }

    /** Returns the energy that a second strand adds to an ensemble, in hundredths of kcal/mol. */
    double strand(int model) {
        return options.get(model).weights().strand;
    }

    Weights weights(int model) {
        return weights.computeIfAbsent(model, this::copyWeights);
    }

    private Weights copyWeights(int model) {
        Scratch scratch = batch.scratch();
        LoopWeights of = options.get(model).weights();
        int[] keys = of.specialKeys();
        return new Weights(
                write(scratch, of.flat()),
                write(scratch, of.hairpins(LoopEnergies.MAX_LENGTH + 1)),
                DeviceArrays.writeInts(scratch, keys).getAddress(),
                write(scratch, of.specialWeights()),
                of.kT(),
                keys.length);
    }

    private static long write(Scratch scratch, double... values) {
        return DeviceArrays.writeDoubles(scratch, values).getAddress();
    }

    /** Returns the address of each row's model number, as int32; 0 if all rows use the first model. */
    long ofRows() {
        return ofRows;
    }

    /** Returns the address of each model's maximum number of bases, as int32. */
    long longest() {
        int[] bases = new int[MAX_MODELS];
        for (int model = 0; model < count(); model++) {
            bases[model] = longest.get(model);
        }
        return DeviceArrays.writeInts(batch.scratch(), bases).getAddress();
    }
}
