/** The measure that a join's condition imposes on two strings. */
package dev.bellman.plan.bound;
