/** Finds the cheapest order of joins, or, if joins are planned in blocks, a cheap one. */
package dev.bellman.order;
