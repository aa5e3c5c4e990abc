/**
 * What every problem family shares: errors, strategies and the options of a function call.
 */
package dev.bellman;
