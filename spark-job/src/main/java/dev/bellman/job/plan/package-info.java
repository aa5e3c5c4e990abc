/**
 * Engines, and the final plan of a query: the engine on which its functions ran, and the reasons for not using the GPU.
 */
package dev.bellman.job.plan;
