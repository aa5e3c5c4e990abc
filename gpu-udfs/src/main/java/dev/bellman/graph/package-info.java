/** Problems on graphs that are given by their edges: shortest paths between all vertices. */
package dev.bellman.graph;
