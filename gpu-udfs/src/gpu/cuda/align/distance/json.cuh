// Converts JSON values to trees in bracket notation, which tree.cuh parses: dev.bellman.align.distance.JsonTreeParser.
#pragma once

#include "common/columns.cuh"

// The space for a tree in bracket notation, in bytes for each byte of JSON. The number 1 needs it all: {1}
constexpr int32 JSON_EXPANSION = 3;

// Converts one value. The first byte of a label is the kind of the node. For example, {"a": [1, "}"]} becomes
// {\{{:a{[{1}{"\}}}}}.
class JsonConverter {
public:
    // `out` has space for JSON_EXPANSION * length bytes, and `open` for the kinds of the open values.
    __device__ JsonConverter(const uint8* text, int32 length, uint8* out, uint8* open)
        : text_(text), length_(length), out_(out), open_(open) {}

    // Writes the tree and returns its length in bytes; returns 0 if the text is not one JSON value.
    __device__ __forceinline__ int32 convert() {
        bool has_next = true;
        while (has_next && is_valid_) {
            has_next = !value() || is_followed();
        }
        return is_valid_ ? written_ : 0;
    }

private:
    const uint8* text_;
    int32 length_;
    uint8* out_;
    uint8* open_;
    int32 at_ = 0;
    int32 written_ = 0;
    int32 depth_ = 0;
    bool is_valid_ = true;

    static constexpr uint8 OBJECT = '{';
    static constexpr uint8 ARRAY = '[';
    static constexpr uint8 MEMBER = ':';
    static constexpr uint8 STRING = '"';
    static constexpr int32 END = -1;

    // Reads a value, or the beginning of an object or array that is not empty. Returns whether it read a whole value.
    __device__ __forceinline__ bool value() {
        int32 first = next();
        if (first == OBJECT || first == ARRAY) {
            open(static_cast<uint8>(first));
            if (is_closed()) {
                return true;
            }
            if (first == OBJECT) {
                member();
            }
            return false;
        }
        if (first == STRING) {
            put('{');
            string(STRING);
            put('}');
        } else {
            literal();
        }
        return true;
    }

    // Reads what follows a value, up to the beginning of the next value. Returns false after the last value.
    __device__ __forceinline__ bool is_followed() {
        while (depth_ > 0 && is_valid_) {
            bool is_in_object = open_[depth_ - 1] == OBJECT;
            if (is_in_object) {
                put('}');
            }
            if (next() == ',') {
                at_++;
                if (is_in_object) {
                    member();
                }
                return true;
            }
            require(is_closed());
        }
        require(next() == END);
        return false;
    }

    __device__ __forceinline__ void open(uint8 kind) {
        put('{');
        put_label(kind);
        open_[depth_++] = kind;
        at_++;
    }

    // Closes the innermost value if its closing bracket is next. Returns whether it is.
    __device__ __forceinline__ bool is_closed() {
        bool is_closed = next() == (open_[depth_ - 1] == OBJECT ? '}' : ']');
        if (is_closed) {
            put('}');
            depth_--;
            at_++;
        }
        return is_closed;
    }

    // Reads a member's name and the colon.
    __device__ __forceinline__ void member() {
        require(next() == STRING);
        put('{');
        string(MEMBER);
        require(next() == ':');
        at_++;
    }

    // Reads a string, which becomes a label.
    __device__ __forceinline__ void string(uint8 kind) {
        put_label(kind);
        for (at_++; is_valid_ && at_ < length_ && text_[at_] != '"'; at_++) {
            if (text_[at_] == '\\') {
                escape();
            } else {
                require(text_[at_] >= ' ');
                put_label(text_[at_]);
            }
        }
        require(at_ < length_);
        at_++;
    }

    __device__ __forceinline__ void escape() {
        at_++;
        switch (byte(at_)) {
            case '"':
            case '\\':
            case '/':
                put_label(text_[at_]);
                break;
            case 'b':
                put_label('\b');
                break;
            case 'f':
                put_label('\f');
                break;
            case 'n':
                put_label('\n');
                break;
            case 'r':
                put_label('\r');
                break;
            case 't':
                put_label('\t');
                break;
            case 'u':
                character();
                break;
            default:
                is_valid_ = false;
        }
    }

    // Reads a character, which may be a pair of surrogates. Other surrogates are written like any other character.
    __device__ __forceinline__ void character() {
        int32 unit = code_unit();
        if (unit >> 10 == 0xd800 >> 10 && byte(at_ + 1) == '\\' && byte(at_ + 2) == 'u') {
            at_ += 2;
            int32 second = code_unit();
            if (second >> 10 == 0xdc00 >> 10) {
                put_character(0x10000 + ((unit & 0x3ff) << 10 | (second & 0x3ff)));
                return;
            }
            put_character(unit);
            unit = second;
        }
        put_character(unit);
    }

    // Reads the four hexadecimal digits after the current byte.
    __device__ __forceinline__ int32 code_unit() {
        int32 unit = 0;
        for (int32 k = 0; k < 4; k++) {
            at_++;
            int32 digit = byte(at_);
            int32 letter = digit | 0x20;
            bool is_letter = letter >= 'a' && letter <= 'f';
            require(is_letter || is_digit(digit));
            unit = is_valid_ ? unit << 4 | (is_letter ? letter - 'a' + 10 : digit - '0') : 0;
        }
        return unit;
    }

    __device__ __forceinline__ void put_character(int32 character) {
        if (character < 0x80) {
            put_label(static_cast<uint8>(character));
            return;
        }
        int32 more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
        put(static_cast<uint8>(0xff00 >> (more + 1) | character >> 6 * more));
        for (int32 k = more - 1; k >= 0; k--) {
            put(static_cast<uint8>(0x80 | (character >> 6 * k & 0x3f)));
        }
    }

    // Reads true, false, null or a number.
    __device__ __forceinline__ void literal() {
        int32 begin = at_;
        if (!skip("true") && !skip("false") && !skip("null")) {
            at_ += byte(at_) == '-' ? 1 : 0;
            if (byte(at_) == '0') {
                at_++;
            } else {
                digits();
            }
            if (byte(at_) == '.') {
                at_++;
                digits();
            }
            if ((byte(at_) | 0x20) == 'e') {
                at_++;
                at_ += byte(at_) == '+' || byte(at_) == '-' ? 1 : 0;
                digits();
            }
        }
        require(!continues(byte(at_)));
        put('{');
        for (int32 i = begin; i < at_ && is_valid_; i++) {
            put(text_[i]);
        }
        put('}');
    }

    // Whether a byte would be a part of the literal before it.
    __device__ __forceinline__ static bool continues(int32 byte) {
        int32 letter = byte | 0x20;
        return is_digit(byte) || (letter >= 'a' && letter <= 'z') || byte == '+' || byte == '-' || byte == '.';
    }

    __device__ __forceinline__ bool skip(const char* word) {
        int32 end = at_;
        for (; *word != 0; word++, end++) {
            if (byte(end) != *word) {
                return false;
            }
        }
        at_ = end;
        return true;
    }

    // Reads at least one digit.
    __device__ __forceinline__ void digits() {
        require(is_digit(byte(at_)));
        while (is_digit(byte(at_))) {
            at_++;
        }
    }

    __device__ __forceinline__ static bool is_digit(int32 byte) {
        return byte >= '0' && byte <= '9';
    }

    // Skips white space and returns the next byte, or END.
    __device__ __forceinline__ int32 next() {
        while (byte(at_) == ' ' || byte(at_) == '\t' || byte(at_) == '\r' || byte(at_) == '\n') {
            at_++;
        }
        return byte(at_);
    }

    __device__ __forceinline__ int32 byte(int32 at) const {
        return at < length_ ? text_[at] : END;
    }

    __device__ __forceinline__ void require(bool condition) {
        is_valid_ = is_valid_ && condition;
    }

    __device__ __forceinline__ void put_label(uint8 byte) {
        if (byte == '{' || byte == '}' || byte == '\\') {
            put('\\');
        }
        put(byte);
    }

    __device__ __forceinline__ void put(uint8 byte) {
        if (is_valid_) {
            out_[written_++] = byte;
        }
    }
};
