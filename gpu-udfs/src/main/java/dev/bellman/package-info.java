/** What all problem families use: errors, strategies and the options of a function call. */
package dev.bellman;
