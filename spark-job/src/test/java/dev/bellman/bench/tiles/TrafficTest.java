package dev.bellman.bench.tiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileKernel;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrafficTest {
    private static final Tile A = new Tile(0, 0);
    private static final Tile B = new Tile(0, 1);
    private static final Tile C = new Tile(1, 0);
    private static final Tile D = new Tile(1, 1);

    @Test
    void keepsWhatWasTouchedLast() {
        Traffic traffic = new Traffic(2);
        traffic.accept(List.of(new Task(TileKernel.B, B, A)));
        assertThat(traffic.loads()).isEqualTo(2);
        traffic.accept(List.of(new Task(TileKernel.B, B, A), new Task(TileKernel.C, C, A)));
        // B, which was written, was evicted for C
        assertThat(traffic.loads()).isEqualTo(3);
        assertThat(traffic.stores()).isEqualTo(2);
        traffic.accept(List.of(new Task(TileKernel.A, B)));
        assertThat(traffic.loads()).isEqualTo(4);
        assertThat(traffic.runs(TileKernel.B)).isEqualTo(2);
        assertThat(traffic.runs(TileKernel.D)).isZero();
    }

    @Test
    void everythingFits() {
        Traffic traffic = new Traffic(4);
        Schedule.blocked(2).run(Pattern.CLOSURE, 2, traffic);
        assertThat(traffic.loads()).isEqualTo(4);
        assertThat(traffic.stores()).isEqualTo(4);
        assertThat(traffic.runs(TileKernel.A)).isEqualTo(2);
        assertThat(traffic.runs(TileKernel.D)).isEqualTo(2);
    }

    @Test
    void aTileThatIsOnlyReadIsNotWrittenBack() {
        Traffic traffic = new Traffic(3);
        traffic.accept(List.of(new Task(TileKernel.D, D, C, B)));
        assertThat(traffic.stores()).isEqualTo(1);
    }

    /**
     * Runs the Floyd-Warshall algorithm on n by n tiles with a memory of m tiles. By theorem 1 of Javanmard et al.
     * (2019), the recursion moves on the order of n^3 / sqrt(m) tiles, and rounds move on the order of n^3 tiles.
     */
    @Test
    void theRecursionMovesLessThanRounds() {
        int side = 32;
        for (int memory : new int[] {12, 48, 192}) {
            long rounds = moved(Schedule.blocked(side), side, memory);
            long recursion = moved(Schedule.twoWay(side).inOrder(10), side, memory);
            double bound = 2 * Math.pow(side, 3) / Math.sqrt(memory);
            assertThat(recursion / bound).as("memory of %d tiles", memory).isBetween(1.0, 5.0);
            assertThat(recursion).isLessThan(rounds);
        }
    }

    private static long moved(Schedule schedule, int side, long memory) {
        Traffic traffic = new Traffic(memory);
        schedule.run(Pattern.CLOSURE, side, traffic);
        return traffic.loads() + traffic.stores();
    }
}
