/** Connected components of a graph as nodes of a plan. */
package dev.bellman.plan.components;
