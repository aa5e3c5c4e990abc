/**
 * Contains the engines, and evaluates the final plan of a query, which shows on which engine each function ran and why
 * functions did not run on the GPU.
 */
package dev.bellman.job.plan;
