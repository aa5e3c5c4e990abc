/**
 * Contains the engines, and the final plan of a query, which shows the engine on which each function ran and why
 * functions did not use the GPU.
 */
package dev.bellman.job.plan;
