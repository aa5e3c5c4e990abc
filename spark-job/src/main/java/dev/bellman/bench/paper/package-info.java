/** Suites that reproduce the tables of papers, and the published figures, as resources of this package. */
package dev.bellman.bench.paper;
