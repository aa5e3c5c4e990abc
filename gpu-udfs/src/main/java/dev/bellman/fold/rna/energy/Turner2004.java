package dev.bellman.fold.rna.energy;

import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.EnergyTables.Special;
import dev.bellman.fold.rna.energy.EnergyTables.Table;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Loads the energies by Mathews et al., 2004, from {@code turner2004.txt}, which begins with a description of its
 * format.
 */
public final class Turner2004 {
    private static final String FILE = "turner2004.txt";

    private static final List<String> MULTILOOP = List.of("closing", "branch", "unpaired");

    private final EnergyTables tables = new EnergyTables();

    private Turner2004() {}

    /** Loads the tables when they are first needed. */
    private static final class Loaded {
        static final EnergyTables TABLES = new Turner2004().load();
    }

    public static EnergyTables tables() {
        return Loaded.TABLES;
    }

    private EnergyTables load() {
        for (boolean enthalpy : new boolean[] {false, true}) {
            for (Table sizes : List.of(Table.HAIRPIN, Table.BULGE, Table.INTERNAL)) {
                Arrays.fill(tables.of(sizes, enthalpy), EnergyTables.NONE);
            }
        }
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(Turner2004.class.getResourceAsStream(FILE), StandardCharsets.UTF_8))) {
            lines.lines().filter(line -> !line.startsWith("#")).forEach(this::read);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (Table table : Table.values()) {
            tables.deriveUnknown(table, false);
            tables.deriveUnknown(table, true);
        }
        return tables;
    }

    private void read(String line) {
        String[] halves = line.split(" {2}", 2);
        String[] key = halves[0].split(" ");
        String[] numbers = halves[1].split(" \\| ");
        switch (key[0]) {
            case "logarithm" -> tables.logarithm = Double.parseDouble(numbers[0]);
            case "asymmetry" -> readAsymmetry(key[1], numbers);
            case "loop" -> tables.specials.put(key[1], new Special(only(numbers[0]), only(numbers[1])));
            default -> {
                Table table = Table.valueOf(key[0].toUpperCase(Locale.ROOT));
                set(table, false, key, numbers[0]);
                set(table, true, key, numbers[1]);
            }
        }
    }

    private void readAsymmetry(String key, String... numbers) {
        if (key.equals("most")) {
            tables.mostAsymmetry = only(numbers[0]);
        } else {
            tables.of(Table.ASYMMETRY, false)[0] = only(numbers[0]);
            tables.of(Table.ASYMMETRY, true)[0] = only(numbers[1]);
        }
    }

    private void set(Table table, boolean enthalpy, String[] key, String numbers) {
        int[] row = ints(numbers);
        int[] entries = tables.of(table, enthalpy);
        int at = 0;
        switch (table) {
            case MULTILOOP -> at = MULTILOOP.indexOf(key[1]);
            case HAIRPIN, BULGE, INTERNAL -> at = EnergyTables.MAX_ENTRY + 1 - row.length;
            case STACK -> at = pair(key[1]) * EnergyTables.PAIRS + 1;
            default -> {
                for (int i = 1; i <= table.pairs; i++) {
                    at = at * EnergyTables.PAIRS + pair(key[i]);
                }
                String bases = table.bases > 1 ? key[table.pairs + 1] : "";
                for (char base : bases.toCharArray()) {
                    at = at * Bases.COUNT + Bases.LETTERS.indexOf(base);
                }
                at = table.bases > 0 ? at * Bases.COUNT + 1 : at;
            }
        }
        System.arraycopy(row, 0, entries, at, row.length);
    }

    private static int pair(String letters) {
        return Arrays.asList(Bases.PAIRS).indexOf(letters);
    }

    private static int only(String number) {
        return Integer.parseInt(number.strip());
    }

    private static int[] ints(String numbers) {
        return Arrays.stream(numbers.strip().split(" "))
                .mapToInt(Integer::parseInt)
                .toArray();
    }
}
