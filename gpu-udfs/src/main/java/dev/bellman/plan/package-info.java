/** Contains the Spark planner rules that {@code dev.bellman.function.BellmanExtensions} adds to a session. */
package dev.bellman.plan;
