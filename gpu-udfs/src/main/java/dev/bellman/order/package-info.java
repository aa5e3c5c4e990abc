/** Finds the best order of joins. */
package dev.bellman.order;
