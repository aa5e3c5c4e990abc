/**
 * Defines the engines, and determines from the final plan of a query on which engine each function ran.
 */
package dev.bellman.job.plan;
