package dev.bellman.function;

import dev.bellman.entry.BellmanFunction;
import java.util.List;

/**
 * Functions that share a page of the documentation.
 *
 * @param page name of the page, without extension
 * @param title heading of the page
 * @param introduction Markdown below the heading; links are relative to the page's folder
 * @param functions in the order of the page
 */
public record Family(String page, String title, String introduction, List<BellmanFunction<?>> functions) {}
