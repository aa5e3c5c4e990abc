package dev.bellman.function;

import dev.bellman.entry.BellmanFunction;
import java.util.List;

/**
 * Functions that are documented on the same page.
 *
 * @param page the page's file name, without extension
 * @param title the page's heading
 * @param introduction the Markdown that follows the heading; its links are relative to the page's folder
 * @param functions the functions, in their order on the page
 */
public record Family(String page, String title, String introduction, List<BellmanFunction<?>> functions) {}
