package dev.bellman.markov.profile;

import dev.bellman.columns.TaskMemory;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Caches the profiles of a thread's last calls: usually, all rows have the same profile, or all profiles of a set score
 * each sequence. Parsing a profile takes as long as scoring dozens of sequences.
 */
final class ProfileCache {
    /** The maximum total size of the cached strings; a single string may exceed this size. */
    private static final long MAX_BYTES = 1 << 24;

    private record Read(UTF8String text, ProfileModel model) {}

    /** The cached profiles, the most recently used first. */
    private static final ThreadLocal<SoftReference<List<Read>>> LAST = new ThreadLocal<>();

    private ProfileCache() {}

    /**
     * Returns a profile from the cache, or parses it. In both cases, memory for the profile is reserved on behalf of
     * the call.
     */
    static ProfileModel model(String function, UTF8String text) {
        long bytes = ProfileModel.bytes(text.numBytes());
        TaskMemory.take(function, bytes, "", () -> "a profile of %,d bytes".formatted(text.numBytes()));
        SoftReference<List<Read>> last = LAST.get();
        List<Read> reads = last == null ? null : last.get();
        if (reads == null) {
            reads = new ArrayList<>();
            LAST.set(new SoftReference<>(reads));
        }
        for (int i = 0; i < reads.size(); i++) {
            if (reads.get(i).text().equals(text)) {
                Read found = reads.remove(i);
                reads.add(0, found);
                return found.model();
            }
        }
        ProfileModel model = new ProfileModel(function, ProfileText.of(function, text.getBytes()));
        reads.add(0, new Read(text.clone(), model));
        long held = 0;
        for (int i = 0; i < reads.size(); i++) {
            held += reads.get(i).text().numBytes();
            if (i > 0 && held > MAX_BYTES) {
                reads.subList(i, reads.size()).clear();
            }
        }
        return model;
    }
}
