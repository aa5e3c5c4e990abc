/** Suites that reproduce the tables of papers. The published figures are stored as resources of this package. */
package dev.bellman.bench.paper;
