/** Training of models with all rows of a table: a plan node, and the loop that jobs share with it. */
package dev.bellman.plan.training;
