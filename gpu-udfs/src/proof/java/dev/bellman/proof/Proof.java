package dev.bellman.proof;

/**
 * The material that a function is checked with, for one of its overloads and all of its parameters.
 *
 * @param function its name in SQL
 * @param overload its index among the overloads of the function
 * @param generator makes instances that are hard to get right
 * @param oracle defines the answers
 * @param leeway what strategies may do differently
 */
public record Proof(String function, int overload, InstanceGenerator generator, Oracle oracle, Leeway leeway) {
    public Proof(String function, int overload, InstanceGenerator generator, Oracle oracle) {
        this(function, overload, generator, oracle, Leeway.NONE);
    }

    /** The proof of a function with one overload. */
    public Proof(String function, InstanceGenerator generator, Oracle oracle) {
        this(function, 0, generator, oracle);
    }

    /** The same proof for strategies that do not all solve every instance, or not as the oracle does. */
    public Proof with(Leeway its) {
        return new Proof(function, overload, generator, oracle, its);
    }
}
