/** Contains the planner strategy for windows that keep the nearest rows of each group. */
package dev.bellman.plan.nearest;
