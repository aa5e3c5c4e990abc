// Traces back through the table of a folding of two strands, as in dev.bellman.fold.rna.RnaCofold, with one warp.
#pragma once

#include "fold/rna/cofold/cofold_table.cuh"
#include "fold/rna/fold_walk.cuh"

struct CofoldWalk {
    const CofoldTable& table;
    const Strand& strand;
    int32 nick;
    FoldWalk<CofoldTable> within;  // traces the parts within a strand

    // structure (output): the brackets of the bases of a, then those of b
    __device__ CofoldWalk(const CofoldTable& of, uint8* structure)
        : table(of), strand(of.strand), nick(of.nick), within(of, structure) {}

    // Traces both strands.
    __device__ void walk() {
        within.clear();
        if (table.connected[table.n - nick] <= table.apart()) {
            connect();
        } else {
            exterior(0, nick, table.before_a);
            exterior(nick, table.n, table.before_b);
        }
    }

private:
    __device__ void exterior(int32 begin, int32 behind, const int32* before) {
        within.exterior(begin, behind, before, [&](int32 i, int32 j) { return table.exterior(i, j); });
    }

    // Traces the exterior loop of a structure that connects the strands, and everything inside it.
    __device__ void connect() {
        const int32* connected = table.connected - nick;
        int32 end = table.n;
        int32 energy = connected[end];
        while (true) {
            end -= first_that(0, end - nick, [&](int32 dropped) { return connected[end - dropped - 1] != energy; });
            // finds the partner of the last base if it is in b
            int32 last = end - 1;
            int32 skipped = first_that(0, last - nick, [&](int32 each) {
                int32 i = last - 1 - each;
                return max(connected[i], table.pair(i, last)) < INFEASIBLE
                    && connected[i] + table.pair(i, last) + table.exterior(i, last) == energy;
            });
            if (skipped == last - nick) {
                break;
            }
            end = last - 1 - skipped;
            within.closed(end, last);
            energy = connected[end];
        }
        int32 skipped = first_that(0, nick, [&](int32 each) {
            int32 i = nick - 1 - each;
            int32 inner = table.pair(i, end - 1);
            return inner < INFEASIBLE && table.before_a[i] + inner + table.exterior(i, end - 1) == energy;
        });
        int32 i = nick - 1 - skipped;
        follow(i, end - 1);
        exterior(0, i, table.before_a);
    }

    // Traces a pair of both strands and everything inside it.
    __device__ void follow(int32 i, int32 j) {
        while (true) {
            if (within.lane == 0) {
                within.structure[i] = '(';
                within.structure[j] = ')';
            }
            int32 energy = table.pair(i, j);
            int32 sizes = inner(i, j, energy);
            if (sizes < SIDES * SIDES) {
                i += 1 + sizes / SIDES;
                j -= 1 + sizes % SIDES;
            } else if (energy == table.open(i, j)) {
                after(i + 1);
                before(j);
                return;
            } else {
                split(i, j, energy - strand.closing(i, j));
            }
        }
    }

    // Returns the numbers of unpaired bases in the internal loop that a pair closes, as in FoldWalk.
    __device__ int32 inner(int32 i, int32 j, int32 energy) const {
        return first_that(0, SIDES * SIDES, [&](int32 each) {
            int32 l = each / SIDES;
            int32 r = each % SIDES;
            int32 p = i + 1 + l;
            int32 q = j - 1 - r;
            if (l + r > MAX_INTERNAL || p >= nick || q < nick) {
                return false;
            }
            int32 inside = table.pair(p, q);
            return inside < INFEASIBLE && inside + strand.internal(i, j, p, q) == energy;
        });
    }

    // Traces the branches of the multiloop that a pair closes, except for the branch that connects the strands, whose
    // bases replace those of the pair.
    //
    // - energy: the total energy of the branches
    __device__ void split(int32& first, int32& last, int32 energy) {
        int32 unpaired = strand.unpaired_cost();
        int32 i = first + 1;
        int32 j = last - 1;
        while (true) {
            other(i, j, energy);
            j -= first_that(0, j - nick, [&](int32 dropped) {
                int32 end = j - dropped;
                return table.multi(i, end) != table.multi(i, end - 1) + unpaired;
            });
            i += first_that(0, nick - 1 - i, [&](int32 dropped) {
                int32 begin = i + dropped;
                return table.multi(begin, j) != table.multi(begin + 1, j) + unpaired;
            });
            energy = table.multi(i, j);
            int32 inside = table.pair(i, j);
            if (inside < INFEASIBLE && i > 0 && j < table.n - 1 && inside + strand.branch(i, j) == energy) {
                first = i;
                last = j;
                return;
            }
        }
    }

    // Splits a multiloop part in two, traces the one within a strand, and sets i and j to the ends of the other.
    __device__ void other(int32& i, int32& j, int32 energy) {
        int32 k = first_that(i + 1, nick - 1, [&](int32 each) {
            return table.multi(i, each) + table.multi(each + 1, j) == energy;
        });
        if (k < nick - 1) {
            branches(i, k);
            i = k + 1;
        } else {
            k = first_that(nick, j, [&](int32 each) {
                return table.multi(i, each) + table.multi(each + 1, j) == energy;
            });
            branches(k + 1, j);
            j = k;
        }
    }

    __device__ void branches(int32 i, int32 j) {
        within.part(i, j);
        within.finish();
    }

    // Traces the bases of a from i on, in the exterior loop.
    __device__ void after(int32 i) {
        const int32* after_a = table.after_a;
        while (true) {
            i = first_that(i, nick, [&](int32 each) { return after_a[each] != after_a[each + 1]; });
            if (i >= nick) {
                return;
            }
            auto is_branch = [&](int32 j) {
                int32 inside = table.pair(i, j);
                return inside < INFEASIBLE && inside + table.exterior(i, j) + after_a[j + 1] == after_a[i];
            };
            // prefers the last base of a as the partner
            int32 j = is_branch(nick - 1) ? nick - 1 : first_that(i + 1, nick - 1, is_branch);
            within.closed(i, j);
            i = j + 1;
        }
    }

    // Traces the bases of b before `end`, in the exterior loop.
    __device__ void before(int32 end) {
        const int32* before_b = table.before_b - nick;
        while (true) {
            end -= first_that(0, end - nick, [&](int32 dropped) {
                return before_b[end - dropped] != before_b[end - dropped - 1];
            });
            if (end <= nick) {
                return;
            }
            int32 last = end - 1;
            int32 i = first_that(nick, last, [&](int32 each) {
                int32 inside = table.pair(each, last);
                return inside < INFEASIBLE && before_b[each] + inside + table.exterior(each, last) == before_b[end];
            });
            within.closed(i, last);
            end = i;
        }
    }
};
