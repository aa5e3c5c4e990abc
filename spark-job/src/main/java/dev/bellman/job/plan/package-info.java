/** Engines, and the final plan of a query: on which engine its functions ran, and why not on the GPU. */
package dev.bellman.job.plan;
