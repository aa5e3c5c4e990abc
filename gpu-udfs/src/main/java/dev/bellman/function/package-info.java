/**
 * Contains the function catalogue and the ways to add it to a Spark session: {@link
 * dev.bellman.function.BellmanExtensions} through the configuration, and {@link dev.bellman.function.Bellman} through a
 * call.
 */
package dev.bellman.function;
