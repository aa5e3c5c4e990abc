/** Solves problems on graphs that are represented by their edges: shortest paths between all vertices. */
package dev.bellman.graph;
