/** Input and output formats, and the columns of an input's rows. Independent of jobs. */
package dev.bellman.job.format;
