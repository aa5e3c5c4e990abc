/**
 * Defines the engines, and evaluates the final plan of a query. This plan shows on which engine each function ran, and
 * why functions did not run on the GPU.
 */
package dev.bellman.job.plan;
