/** Data, measurements, tables and the report: shared by all suites. */
package dev.bellman.bench.measure;
