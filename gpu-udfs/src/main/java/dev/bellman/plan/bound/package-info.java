/** The measure that a join's condition puts on two strings. */
package dev.bellman.plan.bound;
