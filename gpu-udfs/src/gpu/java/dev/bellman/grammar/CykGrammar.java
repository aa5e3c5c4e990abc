package dev.bellman.grammar;

import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A grammar in GPU memory, in the layout of {@code CykGrammar} in {@code grammar/grammar.cuh}: the addresses of its
 * parts.
 */
record CykGrammar(
        long rules,
        long weights,
        long couples,
        long lefts,
        long owned,
        long ownedBegins,
        long pairs,
        long pairWeights,
        long pairBegins,
        long table,
        long wordOffsets,
        long words,
        long leafBegins,
        long leafSymbols,
        long leafWeights,
        long nameOffsets,
        long names,
        int symbols,
        int coupleCount,
        int pairCount,
        int tableMask,
        int longestName,
        int hasReplacements) {
    /** The maximum number of symbols in a grammar that the GPU supports. */
    static final int MAX_SYMBOLS = 1 << 16;

    private static final String REPLACEMENT = "\ufffd";

    /** Rules as the kernels read them: pairs of symbols, with the first symbol in the low 16 bits, and weights. */
    private static final class Rules {
        private final List<Integer> symbols = new ArrayList<>();
        private final List<Double> weights = new ArrayList<>();

        private void add(int low, int high, double weight) {
            symbols.add(high << 16 | low);
            weights.add(weight);
        }

        private void fill(int multiple) {
            while (symbols.size() % multiple != 0) {
                add(0, 0, Double.NEGATIVE_INFINITY);
            }
        }

        private long symbols(Scratch scratch) {
            return ints(scratch, symbols);
        }

        private long weights(Scratch scratch) {
            return doubles(scratch, weights);
        }
    }

    /** The rules of each warp, grouped by their left symbols. */
    private record Shares(Rules rules, int[] couples, int[] lefts, int[] owned, int[] begins) {
        private static Shares of(Grammar grammar, CudaModule module) {
            int warps = module.constant("CYK_WARPS");
            int couple = module.constant("CYK_COUPLE");
            int count = grammar.symbols().size();
            int[] warpOf = divide(grammar, warps);
            int[] owned = IntStream.range(0, count)
                    .boxed()
                    .sorted(Comparator.comparingInt(symbol -> warpOf[symbol]))
                    .mapToInt(Integer::intValue)
                    .toArray();
            int[] begins = new int[warps + 1];
            int bits = (count + 31) / 32;
            int[] couples = new int[warps * (count + 1)];
            int[] lefts = new int[warps * bits];
            Rules rules = new Rules();
            for (int warp = 0; warp < warps; warp++) {
                int its = warp;
                begins[warp + 1] = begins[warp]
                        + (int) Arrays.stream(warpOf).filter(of -> of == its).count();
                for (int left = 0; left < count; left++) {
                    couples[warp * (count + 1) + left] = rules.symbols.size() / couple;
                    for (Grammar.Pair pair : grammar.pairsOf().get(left)) {
                        if (warpOf[pair.symbol()] == warp) {
                            rules.add(pair.symbol(), pair.right(), pair.logWeight());
                            lefts[warp * bits + left / 32] |= 1 << left % 32;
                        }
                    }
                    rules.fill(couple);
                }
                couples[warp * (count + 1) + count] = rules.symbols.size() / couple;
            }
            return new Shares(rules, couples, lefts, owned, begins);
        }

        /**
         * Returns the warp of each symbol. Symbols with more rules are assigned first, each to the warp that has the
         * fewest rules and symbols so far.
         */
        private static int[] divide(Grammar grammar, int warps) {
            int count = grammar.symbols().size();
            int[] rulesOf = new int[count];
            grammar.pairs().forEach(pair -> rulesOf[pair.symbol()]++);
            long[] loads = new long[warps];
            int[] warpOf = new int[count];
            IntStream.range(0, count)
                    .boxed()
                    .sorted(Comparator.comparingInt(symbol -> -rulesOf[symbol]))
                    .forEach(symbol -> {
                        int least = 0;
                        for (int warp = 1; warp < warps; warp++) {
                            least = loads[warp] < loads[least] ? warp : least;
                        }
                        warpOf[symbol] = least;
                        loads[least] += 1 + rulesOf[symbol];
                    });
            return warpOf;
        }
    }

    /** The words, and for each word the symbols that derive it, with the largest weight of each symbol. */
    private static final class Words {
        private final List<byte[]> bytes = new ArrayList<>();
        private final List<Integer> begins = new ArrayList<>(List.of(0));
        private final List<Integer> symbols = new ArrayList<>();
        private final List<Double> weights = new ArrayList<>();
        private final int[] table;

        private Words(Grammar grammar) {
            table = new int[Integer.highestOneBit(Math.max(1, grammar.words().size())) * 4];
            Arrays.fill(table, -1);
            grammar.words().forEach((word, rules) -> {
                add(word.getBytes(StandardCharsets.UTF_8));
                Map<Integer, Double> best = new TreeMap<>();
                rules.forEach(rule -> best.merge(rule.symbol(), rule.logWeight(), Math::max));
                symbols.addAll(best.keySet());
                weights.addAll(best.values());
                begins.add(symbols.size());
            });
        }

        private void add(byte... word) {
            int hash = 0x811c9dc5;
            for (byte each : word) {
                hash = (hash ^ each & 0xff) * 0x01000193;
            }
            int place = hash & table.length - 1;
            while (table[place] >= 0) {
                place = place + 1 & table.length - 1;
            }
            table[place] = bytes.size();
            bytes.add(word);
        }
    }

    /** Copies a grammar to the GPU; it must have at most {@value #MAX_SYMBOLS} symbols. */
    static CykGrammar of(Grammar grammar, CudaModule module, Scratch scratch) {
        Shares shares = Shares.of(grammar, module);
        Words words = new Words(grammar);
        Rules pairs = new Rules();
        int[] pairBegins = new int[grammar.symbols().size() + 1];
        grammar.pairs().forEach(pair -> pairBegins[pair.symbol() + 1]++);
        Arrays.parallelPrefix(pairBegins, Integer::sum);
        grammar.pairs().stream()
                .sorted(Comparator.comparingInt(Grammar.Pair::symbol))
                .forEach(pair -> pairs.add(pair.left(), pair.right(), pair.logWeight()));
        List<byte[]> names = grammar.symbols().stream()
                .map(name -> name.getBytes(StandardCharsets.UTF_8))
                .toList();
        return new CykGrammar(
                shares.rules.symbols(scratch),
                shares.rules.weights(scratch),
                ints(scratch, shares.couples),
                ints(scratch, shares.lefts),
                ints(scratch, shares.owned),
                ints(scratch, shares.begins),
                pairs.symbols(scratch),
                pairs.weights(scratch),
                ints(scratch, pairBegins),
                ints(scratch, words.table),
                offsets(scratch, words.bytes),
                bytes(scratch, words.bytes),
                ints(scratch, words.begins),
                ints(scratch, words.symbols),
                doubles(scratch, words.weights),
                offsets(scratch, names),
                bytes(scratch, names),
                names.size(),
                shares.rules.symbols.size() / module.constant("CYK_COUPLE"),
                grammar.pairs().size(),
                words.table.length - 1,
                names.stream().mapToInt(name -> name.length).max().orElseThrow(),
                grammar.words().keySet().stream().anyMatch(word -> word.contains(REPLACEMENT)) ? 1 : 0);
    }

    private static long ints(Scratch scratch, int... values) {
        return DeviceArrays.writeInts(scratch, values).getAddress();
    }

    private static long ints(Scratch scratch, List<Integer> values) {
        return ints(scratch, values.stream().mapToInt(Integer::intValue).toArray());
    }

    private static long doubles(Scratch scratch, List<Double> values) {
        return DeviceArrays.writeDoubles(
                        scratch,
                        values.stream().mapToDouble(Double::doubleValue).toArray())
                .getAddress();
    }

    private static long offsets(Scratch scratch, List<byte[]> strings) {
        int[] offsets = new int[strings.size() + 1];
        for (int i = 0; i < strings.size(); i++) {
            offsets[i + 1] = offsets[i] + strings.get(i).length;
        }
        return ints(scratch, offsets);
    }

    private static long bytes(Scratch scratch, List<byte[]> strings) {
        return DeviceArrays.writeBytes(scratch, strings).getAddress();
    }
}
