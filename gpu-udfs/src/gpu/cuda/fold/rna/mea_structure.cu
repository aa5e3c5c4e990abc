// Finds the structures with the maximum expected accuracy, with one block per RNA, as defined by
// dev.bellman.fold.rna.PairProbabilities.
#include "common/host.cuh"
#include "fold/rna/ensemble/ensemble_table.cuh"

constexpr int32 MEA_THREADS = 512;
FOR_HOST(MEA_THREADS);

// The maximum sums for the segments of a sequence, in the table with the probabilities of its pairs. A pair (i, k) is a
// candidate if the best structure of the bases from i to k with this pair has a larger sum than any structure without
// it. Only candidates need to be combined with the bases after k.
class Accuracies {
public:
    int32 n;

    __device__ Accuracies(int32 length, uint8* room, double gamma) :
        n(length), table_({nullptr, length}, room, nullptr, nullptr), twice_(__dmul_rn(2, gamma)) {
        sums_ = table_.pairs.values;
        firsts_ = table_.severals.values;
        partners_ = table_.severals.levels;
        unpaired_ = table_.prefix.values;
        counts_ = reinterpret_cast<int32*>(table_.several.values);
        parts_ = reinterpret_cast<int32*>(table_.suffix.values);
    }

    // Computes the probability that each base is unpaired.
    __device__ void begin() {
        for (int32 base = threadIdx.x; base < n; base += blockDim.x) {
            double unpaired = 1;
            for (int32 i = 0; i < base - MIN_HAIRPIN; i++) {
                unpaired = __dsub_rn(unpaired, probability(i, base));
            }
            for (int32 j = base + MIN_HAIRPIN + 1; j < n; j++) {
                unpaired = __dsub_rn(unpaired, probability(base, j));
            }
            unpaired_[base] = unpaired;
            counts_[base] = 0;
        }
    }

    __device__ __forceinline__ void fill(int32 i, int32 j) {
        double most = __dadd_rn(sum(i + 1, j), unpaired_[i]);
        int32 count = counts_[i];
        for (int32 each = 0; each < count; each++) {
            int32 at = diagonal_place(n, i, i + each);
            double other = __dadd_rn(firsts_[at], sum(partners_[at] + 1, j));
            most = other > most ? other : most;
        }
        double p = j - i > MIN_HAIRPIN ? probability(i, j) : 0;
        if (p > 0) {
            double paired = with_pair(i, j, p);
            if (paired > most) {
                most = paired;
                int32 at = diagonal_place(n, i, i + count);
                firsts_[at] = paired;
                partners_[at] = static_cast<int16>(j);
                counts_[i] = count + 1;
            }
        }
        sums_[diagonal_place(n, i, j)] = most;
    }

    // Writes the structure, in dots and brackets, with one warp.
    __device__ void trace(uint8* structure) const {
        int32 lane = threadIdx.x % 32;
        for (int32 i = lane; i < n; i += 32) {
            structure[i] = '.';
        }
        int32 count = 0;
        push(count, 0, n - 1);
        while (count > 0) {
            __syncwarp();
            count -= 2;
            int32 i = parts_[count];
            int32 j = parts_[count + 1];
            __syncwarp();
            i += first_that(0, j - i + 1, [&](int32 dropped) {
                int32 begin = i + dropped;
                return sum(begin, j) != __dadd_rn(sum(begin + 1, j), unpaired_[begin]);
            });
            if (i <= j) {
                double whole = sum(i, j);
                int32 k = first_that(i + MIN_HAIRPIN + 1, j + 1, [&](int32 each) {
                    double p = probability(i, each);
                    return p > 0 && __dadd_rn(with_pair(i, each, p), sum(each + 1, j)) == whole;
                });
                if (lane == 0) {
                    structure[i] = '(';
                    structure[k] = ')';
                }
                push(count, i + 1, k - 1);
                push(count, k + 1, j);
            }
        }
    }

private:
    EnsembleTable table_;
    double twice_;
    double* sums_;      // the sums, ordered by diagonal
    double* firsts_;    // the sum of the c-th candidate of row i, at the index of entry (i, i + c)
    int16* partners_;   // the last base of this candidate
    double* unpaired_;
    int32* counts_;     // the number of candidates in each row
    int32* parts_;      // the segments that must still be traced

    __device__ __forceinline__ double probability(int32 i, int32 j) const {
        return table_.multis.values[table_.place(i, j)];
    }

    __device__ __forceinline__ double sum(int32 i, int32 j) const {
        return i <= j ? sums_[diagonal_place(n, i, j)] : 0;
    }

    __device__ __forceinline__ double with_pair(int32 i, int32 j, double p) const {
        return __dadd_rn(__dmul_rn(twice_, p), sum(i + 1, j - 1));
    }

    __device__ __forceinline__ void push(int32& count, int32 i, int32 j) const {
        if (threadIdx.x % 32 == 0) {
            parts_[count] = i;
            parts_[count + 1] = j;
        }
        count += 2;
    }
};

// Solves the rows order[from], order[from + 1], ..., with one block each, from the tables that the kernels in
// rna_ensemble.cu filled. Each row has `slot` bytes of `tables`.
//
// - structures: the output for structures, which are stored at the offsets of the letters
extern "C" __global__ void __launch_bounds__(MEA_THREADS) mea_structure(
        const int32* order,
        int32 from,
        const int32* offsets,
        const double* gammas,
        uint8* tables,
        int64 slot,
        uint8* structures) {
    int32 row = order[from + blockIdx.x];
    int32 begin = offsets[row];
    Accuracies accuracies(offsets[row + 1] - begin, tables + slot * blockIdx.x, gammas[row]);
    accuracies.begin();
    for (int32 diagonal = 0; diagonal < accuracies.n; diagonal++) {
        __syncthreads();
        for (int32 i = threadIdx.x; i < accuracies.n - diagonal; i += blockDim.x) {
            accuracies.fill(i, i + diagonal);
        }
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        accuracies.trace(structures + begin);
    }
}
