/** The connected components of a graph that Spark tasks read edge by edge. */
package dev.bellman.join.components;
