/**
 * The catalogue of functions and how they get into a Spark session: {@link dev.bellman.function.BellmanExtensions} by
 * configuration, {@link dev.bellman.function.BellmanFunctions} by one call.
 */
package dev.bellman.function;
