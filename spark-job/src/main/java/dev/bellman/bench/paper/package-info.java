/** Published figures of papers, as tables in resources of this package. */
package dev.bellman.bench.paper;
