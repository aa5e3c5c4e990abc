/** Suites that reproduce the tables of papers. The published figures are resources of this package. */
package dev.bellman.bench.paper;
