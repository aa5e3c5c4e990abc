/** Defines input and output formats, and finds the columns of an input's rows. Independent of jobs. */
package dev.bellman.job.format;
