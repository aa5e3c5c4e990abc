package dev.bellman.job.table;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.CatalogManager;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.SupportsCatalogOptions;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.execution.datasources.DataSource;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Utils;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** Looks up the current state of a {@link LakeTable}, in its catalogue or at its path. */
final class TableLookup {
    private static final String DELTA_LOG = "_delta_log";

    private final SparkSession spark;
    private final Optional<String> name;
    private final Optional<String> format;
    private final Optional<String> path;
    private final Map<String, String> options;

    TableLookup(
            SparkSession spark,
            Optional<String> name,
            Optional<String> format,
            Optional<String> path,
            Map<String, String> options) {
        this.spark = spark;
        this.name = name;
        this.format = format;
        this.path = path;
        this.options = options;
    }

    Configuration configuration() {
        return spark.sessionState().newHadoopConf();
    }

    /** Whether {@link #find} finds every table that exists. */
    boolean knowsWhetherItExists() {
        return name.isPresent() || isDeltaPath() || provider() instanceof SupportsCatalogOptions;
    }

    boolean isDeltaPath() {
        return path.isPresent() && format.orElseThrow().equals(LakeTable.DELTA);
    }

    private TableProvider provider() {
        Option<TableProvider> found = DataSource.lookupDataSourceV2(
                format.orElseThrow(), spark.sessionState().conf());
        return found.isDefined() ? found.get() : null;
    }

    /** Looks up the table; empty if it does not exist, or if its source cannot be asked. */
    Optional<Table> find() {
        if (name.isPresent()) {
            Resolved resolved = resolve(name.get());
            return load(resolved.catalog, resolved.identifier);
        }
        Map<String, String> all = new HashMap<>(options);
        path.ifPresent(folder -> all.put("path", folder));
        CaseInsensitiveStringMap described = new CaseInsensitiveStringMap(all);
        TableProvider provider = provider();
        if (provider instanceof SupportsCatalogOptions catalogued) {
            return load(
                    spark.sessionState().catalogManager().catalog(catalogued.extractCatalog(described)),
                    catalogued.extractIdentifier(described));
        }
        // Delta's provider returns a table even if the path does not contain one
        return isDeltaPath() && hasDeltaLog()
                ? Optional.of(DataSourceV2Utils.getTableFromProvider(provider, described, Option.empty()))
                : Optional.empty();
    }

    /** Whether the log contains commits or checkpoints, which means that the table has had a commit. */
    private boolean hasDeltaLog() {
        try {
            Path log = new Path(path.orElseThrow(), DELTA_LOG);
            FileSystem files = log.getFileSystem(configuration());
            // files with other names may exist before the first commit
            return files.exists(log)
                    && Arrays.stream(files.listStatus(log))
                            .anyMatch(file -> file.getPath().getName().matches("\\d{20}\\..+"));
        } catch (IOException e) {
            throw cannotRead(e);
        }
    }

    private static Optional<Table> load(CatalogPlugin catalog, Identifier identifier) {
        try {
            return catalog instanceof TableCatalog tables
                    ? Optional.of(tables.loadTable(identifier))
                    : Optional.empty();
        } catch (AnalysisException e) {
            // loadTable may also throw NoSuchNamespaceException, which it does not declare
            if (e instanceof NoSuchTableException || e instanceof NoSuchNamespaceException) {
                return Optional.empty();
            }
            throw new IllegalStateException(e);
        }
    }

    private record Resolved(CatalogPlugin catalog, Identifier identifier) {}

    /** Resolves the name of a table as Spark does. */
    private Resolved resolve(String table) {
        List<String> parts = parts(table);
        CatalogManager catalogs = spark.sessionState().catalogManager();
        String last = parts.get(parts.size() - 1);
        if (parts.size() == 1) {
            return new Resolved(catalogs.currentCatalog(), Identifier.of(catalogs.currentNamespace(), last));
        }
        boolean catalogued = catalogs.isCatalogRegistered(parts.get(0));
        return new Resolved(
                catalogued ? catalogs.catalog(parts.get(0)) : catalogs.currentCatalog(),
                Identifier.of(
                        parts.subList(catalogued ? 1 : 0, parts.size() - 1).toArray(String[]::new), last));
    }

    private List<String> parts(String table) {
        try {
            return CollectionConverters.asJava(spark.sessionState().sqlParser().parseMultipartIdentifier(table));
        } catch (Exception e) {
            // Scala code throws the parser's checked exception without declaring it
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE,
                    ("'%s' is not a table name; write catalogue.database.table, with backticks around "
                                    + "parts that contain characters other than letters, digits and _")
                            .formatted(table),
                    e);
        }
    }

    /** Returns the catalogue that contains a named table. */
    CatalogPlugin catalog() {
        return resolve(name.orElseThrow()).catalog;
    }

    /**
     * Whether the folder of a Delta table contains files but no log folder. The files are then not from an interrupted
     * first commit, which leaves a log folder.
     */
    boolean hasFilesWithoutLog() {
        try {
            Path folder = new Path(path.orElseThrow());
            FileSystem files = folder.getFileSystem(configuration());
            return files.exists(folder)
                    && files.listStatus(folder).length > 0
                    && !files.exists(new Path(folder, DELTA_LOG));
        } catch (IOException e) {
            throw cannotRead(e);
        }
    }

    /**
     * Creates the empty log folder, by which files are recognized as those of a run that was interrupted before its
     * commit.
     */
    void makeLogFolder() {
        try {
            Path log = new Path(path.orElseThrow(), DELTA_LOG);
            log.getFileSystem(configuration()).mkdirs(log);
        } catch (IOException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_OUTPUT_WRITE,
                    "cannot write the output %s: %s"
                            .formatted(name.or(() -> path).orElseThrow(), e.getMessage()),
                    e);
        }
    }

    private BellmanException cannotRead(Exception e) {
        return new BellmanException(
                ErrorCode.BELLMAN_OUTPUT_WRITE,
                "cannot access the table %s: %s".formatted(name.or(() -> path).orElseThrow(), e.getMessage()),
                e);
    }
}
