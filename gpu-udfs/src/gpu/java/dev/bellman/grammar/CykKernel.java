package dev.bellman.grammar;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.AlikeRows;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.Slots;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import java.util.ArrayList;
import java.util.List;

/**
 * Parses sentences on the GPU. See {@code grammar/cyk.cu}. The CPU solves rows whose grammar is not among the first
 * {@value #MAX_GRAMMARS} grammars of a batch.
 */
record CykKernel(SolverCall call) implements ColumnarKernel {
    record Sentences(long offsets, long tokenOffsets, long bytes, long tokenValidity) {
        private static Sentences of(DeviceColumn sentences) {
            DeviceColumn tokens = sentences.elements();
            return new Sentences(sentences.offsets(), tokens.offsets(), tokens.values(), tokens.validity());
        }
    }

    record Answers(long logWeights, long lengths, long nodes) {}

    static final int MAX_GRAMMARS = 16;
    private static final int BLOCK = 256;
    private static final int BYTES_OF_A_NODE = 4 * Integer.BYTES;

    /** The sentences and grammars of a batch, in GPU memory. */
    private record Input(
            CudaModule module, Sentences sentences, List<CykGrammar> grammars, long onDevice, long ofRows, long words) {
        private Instances classify(Batch batch, SolverCall call, GpuMemory memory) {
            int classes = module.constant("CYK_LENGTHS");
            int[] longest = grammars.stream()
                    .mapToInt(grammar -> memory.largest(Character.MAX_VALUE, n -> bytes(module, grammar, n)))
                    .toArray();
            return new Instances(
                    batch,
                    call,
                    Math.max(1, classes * grammars.size()),
                    key -> longest.length == 0 ? 0 : longest[key / classes],
                    classified -> module.kernel("cyk_classify")
                            .warps(batch.rows(), BLOCK)
                            .launch(batch.rows(), batch.validity(), sentences, onDevice, ofRows, words, classified));
        }

        private void parse(Instances instances, Instances.Group group, GpuMemory memory, Answers answers) {
            int number = group.key() / module.constant("CYK_LENGTHS");
            long bytes = bytes(module, grammars.get(number), group.largest());
            int shared = grammars.get(number).coupleCount() * module.constant("CYK_COUPLE_BYTES");
            boolean fits = shared
                    <= Math.min(
                            module.constant("CYK_SHARED_BYTES"),
                            Device.current().sharedMemoryPerBlock());
            shared = fits ? shared : 0;
            Kernel kernel = module.kernel(fits ? "cyk_parse_shared" : "cyk_parse_global");
            Slots.Shape shape =
                    new Slots.Shape(kernel, module.constant("CYK_BLOCK"), shared, module.constant("CYK_SENTENCES"));
            Slots slots = Slots.of(instances);
            int blocks = slots.memory()
                    .together(shape.blocks(group), bytes, kernel.device().multiprocessors());
            slots.launch(
                    group, shape, blocks, bytes, sentences, onDevice, number, words, answers, instances.classified());
        }

        private DeviceMemoryBuffer trees(Batch batch, Instances instances, Answers answers, Offsets offsets) {
            DeviceMemoryBuffer trees = batch.allocate(offsets.total());
            module.kernel("cyk_trees")
                    .warps(batch.rows(), BLOCK)
                    .launch(
                            batch.rows(),
                            sentences,
                            onDevice,
                            ofRows,
                            answers,
                            instances.classified(),
                            offsets.buffer().getAddress(),
                            trees.getAddress());
            return trees;
        }
    }

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("grammar/cyk");
        DeviceColumn column = batch.column(0, Types.list(Types.STRING));
        long tokens = column.elements().rows();
        Input input = input(batch, module, column);
        DeviceMemoryBuffer logWeights = batch.allocateDoubles(batch.rows());
        DeviceMemoryBuffer lengths = batch.scratch().zeroInts(batch.rows() + 1L);
        DeviceMemoryBuffer nodes = batch.allocate(2 * BYTES_OF_A_NODE * tokens);
        Answers answers = new Answers(logWeights.getAddress(), lengths.getAddress(), nodes.getAddress());
        GpuMemory memory = GpuMemory.ofSession();
        Instances instances = input.classify(batch, call, memory);
        for (Instances.Group group : launches(instances.groups(), module.constant("CYK_LENGTHS"))) {
            input.parse(instances, group, memory, answers);
        }
        instances.regroup();
        Offsets offsets = batch.offsets(lengths);
        DeviceMemoryBuffer trees = input.trees(batch, instances, answers, offsets);
        return Result.struct(Result.doubles(logWeights), Result.strings(offsets, trees));
    }

    private Input input(Batch batch, CudaModule module, DeviceColumn column) {
        List<CykGrammar> grammars = new ArrayList<>();
        DeviceMemoryBuffer ofRows = AlikeRows.number(batch, call, "grammar", MAX_GRAMMARS, text -> {
            grammars.add(grammar(batch, module, text));
            return grammars.size() - 1;
        });
        return new Input(
                module,
                Sentences.of(column),
                grammars,
                DeviceArrays.writeStructs(batch.scratch(), CykGrammar.class, grammars)
                        .getAddress(),
                ofRows.getAddress(),
                batch.allocateInts(column.elements().rows()).getAddress());
    }

    private CykGrammar grammar(Batch batch, CudaModule module, String text) {
        Grammar grammar = Grammar.of(call.function(), text);
        if (grammar.symbols().size() > CykGrammar.MAX_SYMBOLS) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "the grammar has %,d symbols; the GPU supports at most %,d"
                            .formatted(grammar.symbols().size(), CykGrammar.MAX_SYMBOLS));
        }
        return CykGrammar.of(grammar, module, batch.scratch());
    }

    /** Returns the size in bytes of a block's table for sentences with at most {@code n} tokens. */
    private static long bytes(CudaModule module, CykGrammar grammar, int n) {
        long spans = n * (n + 1L) / 2;
        long bits = (grammar.symbols() + 31L) / 32 * Integer.BYTES;
        // rounded up, so that the weights of the next table are aligned
        return (spans * ((long) Double.BYTES * module.constant("CYK_SENTENCES") * grammar.symbols() + bits) + 255)
                / 256
                * 256;
    }

    /**
     * Merges the groups of a grammar whose sentences have similar lengths: up to 16 tokens, or at most a factor of two
     * apart.
     */
    private static List<Instances.Group> launches(List<Instances.Group> groups, int classes) {
        List<Instances.Group> launches = new ArrayList<>();
        for (Instances.Group group : groups) {
            int last = launches.size() - 1;
            if (last >= 0 && kind(launches.get(last), classes) == kind(group, classes)) {
                Instances.Group before = launches.get(last);
                int largest = Math.max(before.largest(), group.largest());
                launches.set(last, new Instances.Group(before.key(), before.from(), group.to(), largest));
            } else {
                launches.add(group);
            }
        }
        return launches;
    }

    private static long kind(Instances.Group group, int classes) {
        return (long) Integer.SIZE * (group.key() / classes)
                + Math.max(4, Integer.SIZE - Integer.numberOfLeadingZeros(group.largest() - 1));
    }
}
