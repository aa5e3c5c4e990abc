package dev.bellman.function;

import dev.bellman.entry.BellmanFunction;
import java.util.List;

/**
 * Functions that share a documentation page.
 *
 * @param page the page's file name, without extension
 * @param title the page's heading
 * @param introduction Markdown below the heading; links are relative to the page's folder
 * @param functions the functions, in the order of the page
 */
public record Family(String page, String title, String introduction, List<BellmanFunction<?>> functions) {}
