/** Contains plan nodes that find the connected components of a graph. */
package dev.bellman.plan.components;
