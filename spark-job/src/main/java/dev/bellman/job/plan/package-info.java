/**
 * Engines, and the final plan of a query, which shows the engine on which its functions ran and why they did not use
 * the GPU.
 */
package dev.bellman.job.plan;
