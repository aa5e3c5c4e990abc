/** Derives the measure that a join condition imposes on two strings. */
package dev.bellman.plan.bound;
