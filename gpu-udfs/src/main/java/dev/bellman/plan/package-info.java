/** Rules of the Spark planner, which {@code dev.bellman.function.BellmanExtensions} adds to a session. */
package dev.bellman.plan;
