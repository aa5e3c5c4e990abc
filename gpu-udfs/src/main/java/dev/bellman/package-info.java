/** Contains code that all problem families use: errors, strategies and function options. */
package dev.bellman;
