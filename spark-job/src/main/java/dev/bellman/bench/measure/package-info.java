/** Contains the data, measurements, tables and report that all suites share. */
package dev.bellman.bench.measure;
