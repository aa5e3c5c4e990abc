// Parses ordered trees in bracket notation: dev.bellman.align.distance.BracketParser.
#pragma once

#include "common/columns.cuh"

// The CPU parses and compares larger trees and longer strings.
constexpr int32 MAX_NODES = (1 << 15) - 1;
constexpr int32 MAX_TREE_BYTES = 1 << 22;

// A node. Nodes are in preorder: each node before its children, and the children from left to right.
struct alignas(8) TreeNode {
    static constexpr int32 PLACE_SHIFT = 15;
    static constexpr uint32 LAST = 1u << 30;

    uint32 bits;  // the size, the place and LAST; until the closing bracket is read, the parent's number
    int32 label;  // the position after the opening bracket

    // Returns the number of nodes in the subtree, including the node.
    __device__ __forceinline__ int32 size() const {
        return static_cast<int32>(bits & MAX_NODES);
    }

    // Returns the node's number in postorder: the children from left to right, then their parent.
    __device__ __forceinline__ int32 place() const {
        return static_cast<int32>(bits >> PLACE_SHIFT & MAX_NODES);
    }

    // Whether the node is the last child of its parent.
    __device__ __forceinline__ bool is_last() const {
        return (bits & LAST) != 0;
    }
};

// A view of a tree from the left or, in the mirror image, from the right. A key root is the root or a node with a
// sibling to its left.
struct TreeView {
    int32 work;   // the total size of the subtrees of all key roots
    int32 depth;  // the maximum number of key roots on a path from the root to a leaf
};

constexpr int32 TREE_VALID = 0;
constexpr int32 TREE_INVALID = 1;
constexpr int32 TREE_ON_CPU = 2;

struct TreeShape {
    int32 state;
    int32 nodes;
    TreeView left;
    TreeView right;
};

// Returns the position of the bracket after a label, or `length`. Calls `found` for each unescaped byte of the label.
template <typename Found>
__device__ __forceinline__ int32 read_label(const uint8* text, int32 at, int32 length, Found found) {
    for (; at < length && text[at] != '{' && text[at] != '}'; at++) {
        if (text[at] == '\\') {
            at++;
            if (at == length) {
                return length;
            }
        }
        found(text[at]);
    }
    return at;
}

// Reads one tree. Each node has two brackets, so `nodes` has space for half as many nodes as the text has bytes.
class TreeParser {
public:
    __device__ TreeParser(const uint8* text, int32 length, TreeNode* nodes)
        : text_(text), length_(length), nodes_(nodes) {}

    __device__ __forceinline__ TreeShape parse() {
        TreeShape shape = {TREE_VALID, 0, {0, 0}, {0, 0}};
        int32 at = 0;
        while (at < length_ && shape.state == TREE_VALID) {
            switch (text_[at]) {
                case '{':
                    shape.state = open(at);
                    at = read_label(text_, at + 1, length_, [](uint8) {});
                    break;
                case '}':
                    shape.state = current_ < 0 ? TREE_INVALID : TREE_VALID;
                    if (current_ >= 0) {
                        close();
                    }
                    at++;
                    break;
                case ' ':
                case '\t':
                case '\r':
                case '\n':
                    at++;
                    break;
                default:
                    shape.state = TREE_INVALID;
            }
        }
        if (shape.state == TREE_VALID && (current_ >= 0 || count_ == 0)) {
            shape.state = TREE_INVALID;
        }
        if (shape.state == TREE_VALID) {
            shape.nodes = count_;
            measure(shape);
        }
        return shape;
    }

private:
    const uint8* text_;
    int32 length_;
    TreeNode* nodes_;
    int32 count_ = 0;
    int32 closed_ = 0;
    int32 current_ = -1;      // the innermost open node
    int32 before_ = -1;       // the node that the previous bracket closed, if it closed one
    int32 depth_ = 1;         // the number of open key roots, seen from the left
    int32 largest_depth_ = 1;

    // Returns the new state.
    __device__ __forceinline__ int32 open(int32 at) {
        if ((current_ < 0 && count_ > 0) || count_ == length_ / 2) {
            return TREE_INVALID;
        }
        if (count_ == MAX_NODES) {
            return TREE_ON_CPU;
        }
        if (current_ != count_ - 1) {
            depth_++;
            largest_depth_ = max(largest_depth_, depth_);
        }
        nodes_[count_] = {static_cast<uint32>(current_), at + 1};
        current_ = count_++;
        before_ = -1;
        return TREE_VALID;
    }

    __device__ __forceinline__ void close() {
        if (before_ >= 0) {
            nodes_[before_].bits |= TreeNode::LAST;
        }
        int32 parent = static_cast<int32>(nodes_[current_].bits);
        if (parent != current_ - 1) {
            depth_--;
        }
        nodes_[current_].bits = static_cast<uint32>((count_ - current_) | closed_++ << TreeNode::PLACE_SHIFT);
        before_ = current_;
        current_ = parent;
    }

    __device__ __forceinline__ void measure(TreeShape& shape) const {
        shape.left = {count_, largest_depth_};
        shape.right = {count_, 1};
        int32 depth = 1;
        bool is_first = true;
        for (int32 node = 1; node < count_; node++) {
            // a node before which no subtree ends is the first child of the previous node
            is_first = nodes_[node - 1].size() > 1;
            shape.left.work += is_first ? 0 : nodes_[node].size();
            shape.right.work += nodes_[node].is_last() ? 0 : nodes_[node].size();
            // a key root to the right ends where its next sibling begins, together with the nodes at its right edge
            depth += (nodes_[node].is_last() ? 0 : 1) - (is_first ? 0 : 1);
            shape.right.depth = max(shape.right.depth, depth);
        }
    }
};
