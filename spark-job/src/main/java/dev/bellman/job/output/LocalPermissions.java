package dev.bellman.job.output;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The permissions of local files and folders that Hadoop, and thus Spark, creates. They depend on Hadoop's umask, and
 * not on the umask of the process. Hadoop would start a process to set the permissions of a file.
 */
public final class LocalPermissions {
    private final String ofFiles;
    private final String ofFolders;

    public LocalPermissions(Configuration configuration) {
        FsPermission umask = FsPermission.getUMask(configuration);
        ofFiles = FsPermission.getFileDefault().applyUMask(umask).toString();
        ofFolders = FsPermission.getDirDefault().applyUMask(umask).toString();
    }

    /** Sets the permissions of a file. */
    public void set(Path file) throws IOException {
        set(file, ofFiles);
    }

    /** Creates a folder and its parents, unless they exist. */
    public void createFolder(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        if (folder.getParent() != null) {
            createFolder(folder.getParent());
        }
        try {
            Files.createDirectory(folder);
            set(folder, ofFolders);
        } catch (FileAlreadyExistsException e) {
            // a different thread may have created the folder
            if (!Files.isDirectory(folder)) {
                throw e;
            }
        }
    }

    private static void set(Path path, String permissions) throws IOException {
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
        }
    }
}
