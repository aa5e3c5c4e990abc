package dev.bellman.entry;

import org.apache.spark.sql.types.DataType;

/** A parameter of a function. Arguments of other types are cast where Spark casts implicitly. */
public record Parameter(String name, DataType type) {}
