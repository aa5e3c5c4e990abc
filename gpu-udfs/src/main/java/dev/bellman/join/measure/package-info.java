/**
 * Defines the conditions under which a join pairs two strings, and the resulting bounds on edits and common characters.
 */
package dev.bellman.join.measure;
