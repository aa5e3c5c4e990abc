/**
 * The base of every problem family: errors, strategies and the options of a function call.
 */
package dev.bellman;
