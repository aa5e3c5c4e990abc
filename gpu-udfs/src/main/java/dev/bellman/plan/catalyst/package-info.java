/** Spark's trees from Java: Scala's collections, expressions, and nodes that are equal by their elements. */
package dev.bellman.plan.catalyst;
