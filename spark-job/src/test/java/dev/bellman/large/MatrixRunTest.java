package dev.bellman.large;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.terminal.ExitCode;
import dev.bellman.large.grid.Matrices;
import dev.bellman.linear.Elimination;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares jobs on one matrix with the textbook's loops. */
public class MatrixRunTest {
    private final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    private CommandLineRun run(String input, String... more) {
        return CommandLineRun.ofJob(folder, "matrix_elimination", input, more);
    }

    /** Solves the system by eliminating the matrix together with its right-hand side. */
    private static double[] solved(double[][] matrix, double... b) {
        int n = b.length;
        double[][] a = IntStream.range(0, n)
                .mapToObj(i -> {
                    double[] row = Arrays.copyOf(matrix[i], n + 1);
                    row[n] = b[i];
                    return row;
                })
                .toArray(double[][]::new);
        a = Matrices.eliminated(a);
        double[] x = new double[n];
        for (int i = n - 1; i >= 0; i--) {
            x[i] = a[i][n];
            for (int k = n - 1; k > i; k--) {
                x[i] = Math.fma(-a[i][k], x[k], x[i]);
            }
            x[i] /= a[i][i];
        }
        return x;
    }

    /** Writes the rows to Parquet in random order. */
    private void writeRows(String name, double[]... matrix) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < matrix.length; i++) {
            rows.add(RowFactory.create(i + 1, matrix[i]));
        }
        Collections.shuffle(rows, new Random(1));
        StructType schema = new StructType()
                .add("row", DataTypes.IntegerType)
                .add("entries", DataTypes.createArrayType(DataTypes.DoubleType));
        spark.createDataFrame(rows, schema)
                .repartition(3)
                .write()
                .parquet(folder.resolve(name).toString());
    }

    private void writeB(double... b) throws IOException {
        StringBuilder text = new StringBuilder("row,rhs\n");
        for (int i = b.length - 1; i >= 0; i--) {
            text.append(i + 1).append(',').append(b[i]).append('\n');
        }
        Files.writeString(folder.resolve("b.csv"), text);
    }

    private List<Row> written(String order) {
        return LocalSpark.output(folder).orderBy(order).collectAsList();
    }

    private JsonNode report() throws IOException {
        return CommandLineRun.report(folder.resolve("out"));
    }

    private static double[] doubles(Row row, int column) {
        return row.<Double>getList(column).stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    private void checkFactors(double[]... expected) {
        List<Row> rows = written("row");
        assertThat(rows).hasSize(expected.length);
        for (int i = 0; i < expected.length; i++) {
            assertThat(rows.get(i).getInt(0)).isEqualTo(i + 1);
            assertThat(doubles(rows.get(i), 1)).isEqualTo(Arrays.copyOfRange(expected[i], 0, i));
            assertThat(doubles(rows.get(i), 2)).isEqualTo(Arrays.copyOfRange(expected[i], i, expected.length));
        }
    }

    /**
     * Solves the system with each strategy in memory, and in tiles, where the right-hand side of a matrix with 96 rows
     * is in a separate tile.
     */
    @Test
    void strategiesAndTiles() throws IOException {
        int n = 96;
        double[][] matrix = Matrices.dominant(n, n);
        double[] b = new SplittableRandom(2).doubles(n).toArray();
        writeRows("a.parquet", matrix);
        writeB(b);
        double[] x = solved(matrix, b);
        for (String how : List.of("serial", "r-way", "blocked", "auto", "tiles")) {
            boolean tiles = how.equals("tiles");
            if (tiles) {
                spark.conf().set("spark.bellman.tiles.hostMemory", "100");
            }
            try {
                CommandLineRun run = run(
                        "a.parquet",
                        "--rhs=" + folder.resolve("b.csv"),
                        "--rhs-option=inferSchema=true",
                        "--output-mode=overwrite",
                        "--strategy=" + (tiles ? "blocked" : how));
                assertThat(run.err()).isEmpty();
                run.assertDone();
                assertThat(run.out())
                        .contains(
                                "a matrix of 96 rows, 73.7 kB in tiles; linear_solve: about 1.15 kB before compression")
                        .contains("strategy %s on the CPU"
                                .formatted(tiles ? "blocked" : how.equals("auto") ? "serial" : how))
                        .contains(tiles ? "in tiles on the executors" : "backward error ");
                assertThat(written("row").stream()
                                .mapToDouble(row -> row.getDouble(1))
                                .toArray())
                        .as(how)
                        .isEqualTo(x);
                assertThat(report().get("residual").asDouble()).isBetween(0.0, 1e-14);
                assertThat(report().get("backwardError").asDouble()).isBetween(0.0, 1e-14);
                assertThat(report().get("growth").asDouble()).isBetween(0.5, 2.0);
                assertThat(report().at("/tiles/waves").asInt()).isEqualTo(tiles ? 4 : 0);
                assertThat(folder.resolve("_out.bellman-tiles")).doesNotExist();
            } finally {
                spark.conf().unset("spark.bellman.tiles.hostMemory");
            }
        }
    }

    @Test
    void factorsInTiles() throws IOException {
        double[][] matrix = Matrices.dominant(200, 200);
        writeRows("a.parquet", matrix);
        spark.conf().set("spark.bellman.tiles.hostMemory", "1m");
        try {
            assertThat(run("a.parquet", "--strategy=blocked").out()).contains("a matrix of 200 rows");
            checkFactors(Matrices.eliminated(matrix));
            // files of an interrupted run, which had only written the matrix into tiles
            Files.createDirectories(folder.resolve("_out.bellman-tiles/given"));
            Files.writeString(folder.resolve("_out.bellman-tiles/given/0-0"), "of another matrix");
            assertThat(run("a.parquet", "--output-mode=overwrite", "--resume").err())
                    .isEmpty();
            checkFactors(Matrices.eliminated(matrix));
            assertThat(report().at("/backwardError").asDouble()).isBetween(0.0, 1e-14);
        } finally {
            spark.conf().unset("spark.bellman.tiles.hostMemory");
        }
    }

    /** Compares jobs with pivot with the functions. The matrices have a small first pivot, and an exact tie. */
    @ParameterizedTest
    @ValueSource(strings = {"serial", "auto"})
    void pivoting(String strategy) throws IOException {
        int n = 200;
        SplittableRandom random = new SplittableRandom(3);
        double[][] matrix = new double[n][];
        Arrays.setAll(matrix, i -> random.doubles(n, -1, 1).toArray());
        matrix[0][0] = 1e-20;
        matrix[n - 1][0] = -2;
        matrix[n / 2][0] = 2;
        double[] b = random.doubles(n).toArray();
        writeRows("a.parquet", matrix);
        writeB(b);
        String[] flags = {"--pivot", "--strategy=" + strategy, "--output-mode=overwrite"};
        CommandLineRun run = run("a.parquet", flags);
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains(" with pivoting on the CPU");
        Elimination.Factors factors = Elimination.lu(copy(matrix), true, Elimination.Strategy.SERIAL, 1);
        List<Row> rows = written("row");
        for (int i = 0; i < n; i++) {
            assertThat(doubles(rows.get(i), 1)).isEqualTo(Arrays.copyOf(factors.l()[i], i));
            assertThat(doubles(rows.get(i), 2)).isEqualTo(Arrays.copyOfRange(factors.u()[i], i, n));
            assertThat(rows.get(i).getInt(3)).isEqualTo(factors.permutation()[i] + 1);
        }
        assertThat(report().get("backwardError").asDouble()).isBetween(0.0, 1e-14);
        String[] more = Arrays.copyOf(flags, 5);
        more[3] = "--rhs=" + folder.resolve("b.csv");
        more[4] = "--rhs-option=inferSchema=true";
        assertThat(run("a.parquet", more).err()).isEmpty();
        assertThat(written("row").stream().mapToDouble(row -> row.getDouble(1)).toArray())
                .isEqualTo(Elimination.solve(copy(matrix), b, true, Elimination.Strategy.SERIAL, 1));
        assertThat(report().get("backwardError").asDouble()).isBetween(0.0, 1e-14);
        more[3] = "--results=determinant";
        assertThat(run("a.parquet", Arrays.copyOf(more, 4)).err()).isEmpty();
        double determinant = Elimination.determinant(copy(matrix), true, Elimination.Strategy.SERIAL, 1);
        Row row = written("sign").get(0);
        assertThat(row.getDouble(0)).isEqualTo(determinant);
        assertThat(row.getInt(1)).isEqualTo((int) Math.signum(determinant));
        assertThat(row.getDouble(2)).isCloseTo(Math.log(Math.abs(determinant)), Offset.offset(1e-10));
    }

    private static double[][] copy(double[][] matrix) {
        return Arrays.stream(matrix).map(double[]::clone).toArray(double[][]::new);
    }

    /** A singular matrix has factors and a determinant; a matrix that exceeds a task's memory is refused. */
    @Test
    void pivotingLimits() throws IOException {
        Files.writeString(folder.resolve("a.mtx"), "%%MatrixMarket matrix array real general\n2 2\n0\n0\n1\n-2\n");
        assertThat(run("a.mtx", "--pivot").err()).isEmpty();
        assertThat(written("row")).extracting(row -> row.getInt(3)).containsExactly(1, 2);
        assertThat(run("a.mtx", "--pivot", "--results=determinant", "--output-mode=overwrite")
                        .err())
                .isEmpty();
        assertThat(written("sign").get(0)).isEqualTo(RowFactory.create(0.0, 0, Double.NEGATIVE_INFINITY));
        Files.writeString(
                folder.resolve("b.mtx"), "%%MatrixMarket matrix coordinate real general\n1000000 1000000 1\n1 1 1\n");
        assertThat(run("b.mtx", "--pivot", "--output-mode=overwrite").err())
                .contains("a matrix of 1,000,000 rows, which one task eliminates because of pivot, takes "
                        + "8,000,008,000,000 bytes");
    }

    /** Reads entries from rows or from files. Missing entries are zero. */
    @ParameterizedTest
    @CsvSource({"a.csv", "coordinate.mtx", "array.mtx", "array.mtx.gz"})
    void forms(String name) throws IOException {
        double[][] matrix = {{4, -1, 0}, {-1, 5, 2}, {0, 2, 6.5}};
        String text =
                switch (name) {
                    case "a.csv" -> "i,j,value\n3,3,6.5\n2,1,-1\n1,1,4\n1,2,-1\n2,2,5\n2,3,2\n3,2,2\n";
                    case "coordinate.mtx" ->
                        "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n3 3 5\n1 1 4\n2 1 -1\n2 2 5\n3 "
                                + "2 2\n3 3 6.5\n";
                    default -> "%%MatrixMarket matrix array real symmetric\n3 3\n4\n-1\n0\n5\n2\n6.5\n";
                };
        if (name.endsWith(".gz")) {
            try (var out = new GZIPOutputStream(Files.newOutputStream(folder.resolve(name)))) {
                out.write(text.getBytes(StandardCharsets.UTF_8));
            }
        } else {
            Files.writeString(folder.resolve(name), text);
        }
        CommandLineRun run = name.equals("a.csv")
                ? run(name, "--argument=i", "--argument=j", "--argument=value", "--input-option=inferSchema=true")
                : run(name);
        assertThat(run.err()).isEmpty();
        checkFactors(Matrices.eliminated(matrix));
    }

    @Test
    void determinant() throws IOException {
        Files.writeString(
                folder.resolve("a.mtx"),
                "%%MatrixMarket matrix array integer general\n4 4\n7\n1\n5\n2\n1\n9\n2\n6\n2\n4\n11\n3\n3\n2\n1\n13\n");
        assertThat(run("a.mtx", "--results=determinant", "--dry-run").out())
                .contains("a matrix of 4 rows", "log_magnitude: double");
        assertThat(folder.resolve("out")).doesNotExist();
        assertThat(run("a.mtx", "--results=determinant").err()).isEmpty();
        Row row = written("sign").get(0);
        assertThat(row.getDouble(0)).isCloseTo(6_235, Offset.offset(1e-9));
        assertThat(row.getInt(1)).isEqualTo(1);
        assertThat(row.getDouble(2)).isCloseTo(Math.log(6_235), Offset.offset(1e-12));
        assertThat(report().get("determinant").asDouble()).isEqualTo(row.getDouble(0));
        // the matrix is singular, but nothing is divided by its last pivot
        Files.writeString(folder.resolve("a.mtx"), "%%MatrixMarket matrix array integer general\n2 2\n2\n4\n1\n2\n");
        assertThat(run("a.mtx", "--results=determinant", "--output-mode=overwrite")
                        .err())
                .isEmpty();
        row = written("sign").get(0);
        assertThat(row.getDouble(0)).isZero();
        assertThat(row.getInt(1)).isZero();
        assertThat(row.getDouble(2)).isEqualTo(Double.NEGATIVE_INFINITY);
    }

    /**
     * The pivot is small, but large enough not to be refused. The report and a note show how much precision was lost.
     */
    @Test
    void growth() throws IOException {
        Files.writeString(folder.resolve("a.mtx"), "%%MatrixMarket matrix array real general\n2 2\n1e-14\n1\n1\n3\n");
        Files.writeString(folder.resolve("b.mtx"), "%%MatrixMarket matrix array real general\n2 1\n1\n2\n");
        CommandLineRun run = run("a.mtx", "--rhs=" + folder.resolve("b.mtx"));
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("this matrix requires pivoting");
        assertThat(report().get("growth").asDouble()).isGreaterThan(1e13);
        assertThat(report().get("backwardError").asDouble()).isGreaterThan(1e-5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0,1,1,0 | lu: pivot 1 (counted from 1) is 0.0; without pivoting, its magnitude must exceed",
                "1,2,2,4,1 | the file has more entries than the header declares (4)",
                "1,2,3 | the file ends after 3 of 4 entries; it is truncated",
                "1,2,x,3 | line 5: found 'x' where a finite number",
                "1,1e400,0,3 | line 4: found '1e400' where a finite number"
            })
    void badFiles(String values, String message) throws IOException {
        Files.writeString(
                folder.resolve("a.mtx"),
                "%%MatrixMarket matrix array real general\n2 2\n" + values.replace(',', '\n') + "\n");
        refused(run("a.mtx"), message);
    }

    private void refused(CommandLineRun run, String message) {
        assertThat(run.err()).contains(message);
        assertThat(run.code()).isNotEqualTo(ExitCode.DONE);
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 1 1;2 2 5;1 1 3 | the entry in row 1, column 1 of the matrix occurs more than once",
                "0 1 1;2 2 5 | a row number is 0; it must be from 1 to 2",
                "1 1 NaN;2 2 5 | the entry in row 1, column 1 of the matrix or right-hand side is NULL, NaN",
                "1 1 1;3000000000 2 5 | the input has 3,000,000,000 rows; the limit is 1,048,576",
                "1 1 1;x 2 5 | it must be an integer, the 1-based number of the row"
            })
    void badEntries(String entries, String message) throws IOException {
        Files.writeString(
                folder.resolve("a.csv"),
                "row,column,value\n" + entries.replace(' ', ',').replace(';', '\n') + "\n");
        refused(
                run(
                        "a.csv",
                        "--argument=row",
                        "--argument=column",
                        "--argument=value",
                        "--input-option=inferSchema=true"),
                message);
    }

    @Test
    void badRows() throws IOException {
        writeRows("short.parquet", new double[] {3, 4}, new double[] {5});
        refused(run("short.parquet"), "row 2 has 1 entries; it must have 2, the number of rows in the matrix");
        writeRows("missing.parquet", new double[] {3, 4, 5}, new double[] {5, 6, 7}, new double[] {8, 9, 1});
        refused(run("missing.parquet", "--input-where=row <> 2"), "row 2 of the matrix is missing");
        refused(
                run("missing.parquet", "--rhs=" + one()),
                "the right-hand side has 1 rows and 1 columns; it must have one column and 3 rows");
        refused(run("missing.parquet", "--argument=row", "--argument=row"), "it must be an array of numbers");
    }

    private Path one() throws IOException {
        return Files.writeString(folder.resolve("one.mtx"), "%%MatrixMarket matrix array real general\n1 1\n1\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--results=lu,determinant | results lists 2",
                "--results=linear_solve | set rhs.path (--rhs)",
                "--results=lu --rhs=b.csv | lu has no right-hand side",
                "--source=1 | sources does not apply to matrix_elimination, only to all_pairs_shortest_paths",
                "--output-partitions=3 | output.partitions does not apply to matrix_elimination, only to rows; all_pairs_shortest_paths",
                "--keep=row | keep does not apply to matrix_elimination, only to rows",
                "--output-mode=append | but the results of matrix_elimination cannot be added to those of an earlier run",
                "--argument=row | a matrix takes arguments such as (row, entries), but the job has [row]",
                "--engine=gpu | [BELLMAN_GPU_REQUIRED]",
                "--engine=gpu --pivot | engine is gpu, but matrices are eliminated with pivot only on the CPU",
                "--strategy=fast | strategy"
            })
    void wrong(String flags, String message) throws IOException {
        Files.writeString(folder.resolve("a.csv"), "row,entries\n1,2\n");
        refused(run("a.csv", flags.split(" ")), message);
    }
}
