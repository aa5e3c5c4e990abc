/** Data, measurements, tables and the report, which all suites share. */
package dev.bellman.bench.measure;
