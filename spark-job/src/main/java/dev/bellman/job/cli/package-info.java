/**
 * The commands of {@code bellman} and their flags. Commands open a Spark session, call the other packages and print
 * results.
 */
package dev.bellman.job.cli;
