/** The formats of inputs and outputs, and the columns of an input's rows. Independent of jobs. */
package dev.bellman.job.format;
