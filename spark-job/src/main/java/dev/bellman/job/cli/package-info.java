/** The commands of {@code bellman} and their flags. They open a Spark session, call the rooms below and print. */
package dev.bellman.job.cli;
