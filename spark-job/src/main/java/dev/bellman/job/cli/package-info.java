/** The commands of {@code bellman} and their flags. They open a Spark session, call the packages below and print. */
package dev.bellman.job.cli;
