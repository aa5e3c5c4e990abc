/** Figures that papers published, as tables in resources beside this package. */
package dev.bellman.bench.paper;
