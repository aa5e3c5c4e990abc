/** Trains models on all rows of a table, with a plan node and with the training loop that jobs share with this node. */
package dev.bellman.plan.training;
