package dev.bellman.columns;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import org.apache.spark.sql.internal.SQLConf;

/** Checks whether functions may open files that their arguments name. A session can prohibit this. */
public final class NamedFiles {
    /** The setting that allows functions to open files named by their arguments. */
    public static final String ENABLED = "spark.bellman.namedFiles.enabled";

    private NamedFiles() {}

    /**
     * Checks that a file may be opened, on the driver and in tasks.
     *
     * @param function the name of the function, for the message
     * @param path the path, for the message
     * @throws BellmanException {@link ErrorCode#BELLMAN_CONFIGURATION} if the session does not allow it
     */
    public static void mustBeAllowed(String function, String path) {
        if (!Boolean.parseBoolean(SQLConf.get().getConfString(ENABLED, "true"))) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_CONFIGURATION,
                    "%s: cannot read '%s': this session does not allow functions to open files (%s is false)"
                            .formatted(function, path, ENABLED));
        }
    }
}
