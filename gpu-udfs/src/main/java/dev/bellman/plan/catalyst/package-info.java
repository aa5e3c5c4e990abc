/**
 * Builds Spark's trees from Java. The package provides Scala collections, expressions, and nodes that are equal if
 * their elements are equal.
 */
package dev.bellman.plan.catalyst;
