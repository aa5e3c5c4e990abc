/** The conditions under which two strings are a pair of a join, and the bounds on edits and common characters. */
package dev.bellman.join.measure;
