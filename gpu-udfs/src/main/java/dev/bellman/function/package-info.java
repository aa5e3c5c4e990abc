/**
 * The function catalogue and the ways to add it to a Spark session: {@link dev.bellman.function.BellmanExtensions} by
 * configuration, {@link dev.bellman.function.BellmanFunctions} with a call.
 */
package dev.bellman.function;
