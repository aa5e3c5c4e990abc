/** Computes the connected components of a graph whose edges Spark tasks read one by one. */
package dev.bellman.join.components;
