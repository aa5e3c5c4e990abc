package dev.bellman.fold.rna;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.NamedFiles;
import dev.bellman.fold.rna.energy.EnergyTables;
import dev.bellman.fold.rna.energy.LoopEnergies;
import dev.bellman.fold.rna.energy.LoopWeights;
import dev.bellman.fold.rna.energy.Turner2004;
import dev.bellman.fold.rna.energy.ViennaFile;
import java.lang.ref.SoftReference;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.TaskContext;

/**
 * Provides loop energies and weights, which are computed when they are first requested. Scaling energies takes longer
 * than folding a short RNA, so recently used energies are cached.
 *
 * <p>The cache key for a file is a checksum of its content, so an edited file gets new energies. A task usually reads
 * each file only once, so its rows use the same energies; outside tasks, each call reads the file.
 */
final class KnownLoops {
    private static final int MAX_KNOWN = 64;

    /** The cache, which is a concurrent map because the threads of several tasks access it. */
    private static final Map<Model, SoftReference<KnownLoops>> KNOWN = new ConcurrentHashMap<>();

    private static final ThreadLocal<FilesOfTask> READ = new ThreadLocal<>();

    /** @param content a checksum of the file; null for the built-in parameters */
    private record Model(int dangles, double temperature, String content) {}

    /** The checksums of the files that a task has read, indexed by path. */
    private record FilesOfTask(long task, Map<String, String> contents) {
        static final long NO_TASK = -1;
    }

    private final EnergyTables tables;
    private final LoopEnergies energies;
    private LoopWeights weights;

    private KnownLoops(EnergyTables tables, Model model) {
        this.tables = tables;
        energies = new LoopEnergies(tables, model.temperature, model.dangles);
    }

    /**
     * Returns the energies at a temperature.
     *
     * @param temperature in degrees Celsius
     * @param path the path of the parameter file; null for the built-in parameters
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if the file cannot be read, is too large, or is
     *     not a parameter file; {@link ErrorCode#BELLMAN_CONFIGURATION} if functions must not open files
     */
    static KnownLoops of(String function, int dangles, double temperature, String path) {
        if (path == null) {
            Model model = new Model(dangles, temperature, null);
            KnownLoops known = known(model);
            return known != null ? known : keep(model, Turner2004.tables());
        }
        NamedFiles.mustBeAllowed(function, path);
        Map<String, String> contents = contents();
        String content = contents.get(path);
        KnownLoops known = content == null ? null : known(new Model(dangles, temperature, content));
        if (known != null) {
            return known;
        }
        byte[] text = ViennaFile.read(function, path);
        Model model = new Model(dangles, temperature, checksum(text));
        known = known(model);
        if (known == null) {
            known = keep(model, ViennaFile.parse(function, path, new String(text, StandardCharsets.UTF_8)));
        }
        if (contents.size() < MAX_KNOWN) {
            contents.put(path, model.content);
        }
        return known;
    }

    private static KnownLoops known(Model model) {
        SoftReference<KnownLoops> reference = KNOWN.get(model);
        return reference == null ? null : reference.get();
    }

    private static KnownLoops keep(Model model, EnergyTables tables) {
        KnownLoops scaled = new KnownLoops(tables, model);
        if (KNOWN.size() >= MAX_KNOWN) {
            KNOWN.clear();
        }
        KNOWN.put(model, new SoftReference<>(scaled));
        return scaled;
    }

    /** Returns the checksums of the files that this thread's task has read, indexed by path. */
    private static Map<String, String> contents() {
        TaskContext context = TaskContext.get();
        long task = context == null ? FilesOfTask.NO_TASK : context.taskAttemptId();
        FilesOfTask read = READ.get();
        if (read == null || read.task != task || task == FilesOfTask.NO_TASK) {
            read = new FilesOfTask(task, new HashMap<>());
            READ.set(read);
        }
        return read.contents;
    }

    private static String checksum(byte[] text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    LoopEnergies energies() {
        return energies;
    }

    synchronized LoopWeights weights() {
        if (weights == null) {
            weights = new LoopWeights(tables, energies);
        }
        return weights;
    }
}
