/**
 * Contains the Spark planner rules that {@code dev.bellman.function.BellmanExtensions} adds to a session, and the plan
 * nodes that they create.
 */
package dev.bellman.plan;
