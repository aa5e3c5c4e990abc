/** Windows that keep the nearest rows of each group. */
package dev.bellman.plan.nearest;
