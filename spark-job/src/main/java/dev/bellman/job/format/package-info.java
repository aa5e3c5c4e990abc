/** The formats of inputs and outputs, and the columns that rows of an input have. Knows no job. */
package dev.bellman.job.format;
