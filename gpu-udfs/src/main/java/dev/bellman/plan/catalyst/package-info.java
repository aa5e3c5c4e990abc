/**
 * Builds Spark's trees from Java: Scala collections, expressions, and nodes that are equal if their elements are equal.
 */
package dev.bellman.plan.catalyst;
