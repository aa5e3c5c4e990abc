// Exports constants and the offsets of struct members from the kernels to the host, so that each of them is defined
// only once. The build writes these values next to the kernels, and dev.bellman.cuda.ModuleInterface reads them.
#pragma once

// An integer constant, which Java reads as ModuleInterface.constant("NAME").
#define FOR_HOST(NAME) extern "C" __constant__ long long for_host_##NAME = static_cast<long long>(NAME)

// The size and the member offsets of a struct that corresponds to a record in Java. A test compares them with the
// record.
#define STRUCT_FOR_HOST(TYPE) extern "C" __constant__ long long for_host_##TYPE = sizeof(TYPE)
#define MEMBER_FOR_HOST(TYPE, MEMBER)                       \
    extern "C" __constant__ long long for_host_##TYPE##__##MEMBER = \
            static_cast<long long>(__INTADDR__(&static_cast<TYPE*>(nullptr)->MEMBER))
