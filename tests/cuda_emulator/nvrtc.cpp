// An NVRTC that compiles CUDA C++ for the emulated driver: by g++ with the flags `KERNEL_FLAGS`, with device.h before it (precompiled
// with the same flags), to a shared object that stands where a cubin would. The object's kernels are the functions declared
// `extern "C" __global__`.
#include <dlfcn.h>
#include <regex>
#include <set>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace {
enum { SUCCESS = 0, OUT_OF_MEMORY = 1, INVALID_INPUT = 3, INVALID_PROGRAM = 4, COMPILATION = 6 };

struct Program {
    std::string source, log;
    std::vector<char> object;
};

std::string own_folder() {
    Dl_info info;
    if (!dladdr((void*)&own_folder, &info) || !info.dli_fname) return ".";
    std::string path = info.dli_fname;
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash);
}

bool read_file(const std::string& path, std::string& into) {
    FILE* file = fopen(path.c_str(), "rb");
    if (!file) return false;
    char part[1 << 14];
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;) into.append(part, n);
    return fclose(file) == 0;
}
bool write_file(const std::string& path, const std::string& text) {
    FILE* file = fopen(path.c_str(), "wb");
    const bool written = file && fwrite(text.data(), 1, text.size(), file) == text.size();
    return file && fclose(file) == 0 && written;
}

std::set<std::string> kernels(const std::string& source) {
    const std::regex kernel("extern \"C\"\\s+__global__\\s+void\\s+(?:__launch_bounds__\\([^)]*\\)\\s*)?(\\w+)\\s*\\(");
    std::set<std::string> names;
    for (std::sregex_iterator at(source.begin(), source.end(), kernel), end; at != end; ++at) names.insert((*at)[1]);
    return names;
}
} // namespace

extern "C" {
const char* nvrtcGetErrorString(int result) {
    switch (result) {
    case SUCCESS: return "NVRTC_SUCCESS";
    case COMPILATION: return "NVRTC_ERROR_COMPILATION";
    default: return "NVRTC_ERROR (of the emulator)";
    }
}
int nvrtcVersion(int* major, int* minor) {
    *major = 13;
    *minor = 0;
    return SUCCESS;
}
int nvrtcGetNumSupportedArchs(int* count) {
    *count = 1;
    return SUCCESS;
}
int nvrtcGetSupportedArchs(int* archs) {
    archs[0] = 90;
    return SUCCESS;
}
int nvrtcCreateProgram(void** program, const char* source, const char*, int, const char* const*, const char* const*) {
    *program = new Program{source, "", {}};
    return SUCCESS;
}
int nvrtcDestroyProgram(void** program) {
    delete (Program*)*program;
    *program = nullptr;
    return SUCCESS;
}
int nvrtcCompileProgram(void* handle, int, const char* const*) {
    Program& program = *(Program*)handle;
    char folder[] = "/tmp/cuda-emulator-XXXXXX";
    if (!mkdtemp(folder)) return INVALID_INPUT;
    const std::string in = folder, text = in + "/kernel.cpp", object = in + "/kernel.so", log = in + "/log";
    std::string all = program.source + "\n";
    std::set<std::string> names = kernels(all);
    if (names.empty() && write_file(text, all)) {
        // They may be declared by macros.
        std::string plain;
        if (system(("g++ -E -P -o '" + object + "' '" + text + "' 2> /dev/null").c_str()) == 0 && read_file(object, plain)) {
            names = kernels(plain);
        }
    }
    for (const auto& name : names) all += "EMULATOR_ENTRY(" + name + ")\n";
    const bool written = write_file(text, all);
    const char* more = getenv("CUDA_EMULATOR_CXXFLAGS");
    // Of the libraries, objects need those of <math.h> and of the compiler.
    const std::string command = "g++ " KERNEL_FLAGS " -shared -nodefaultlibs -Wl,-Bsymbolic " + std::string(more ? more : "") + " -include '"
        + own_folder() + "/device.h' -o '" + object + "' '" + text + "' -lm -lgcc 2> '" + log + "'";
    const bool built = written && system(command.c_str()) == 0;
    read_file(log, program.log);
    std::string bytes;
    const bool got = built && read_file(object, bytes);
    program.object.assign(bytes.begin(), bytes.end());
    if (getenv("CUDA_EMULATOR_KEEP")) {
        fprintf(stderr, "cuda emulator: kept %s\n", folder);
    } else {
        unlink(text.c_str());
        unlink(object.c_str());
        unlink(log.c_str());
        rmdir(folder);
    }
    return got ? SUCCESS : COMPILATION;
}
int nvrtcGetProgramLogSize(void* program, size_t* size) {
    *size = ((Program*)program)->log.size() + 1;
    return SUCCESS;
}
int nvrtcGetProgramLog(void* program, char* log) {
    strcpy(log, ((Program*)program)->log.c_str());
    return SUCCESS;
}
int nvrtcGetCUBINSize(void* program, size_t* size) {
    *size = ((Program*)program)->object.size();
    return SUCCESS;
}
int nvrtcGetCUBIN(void* program, char* cubin) {
    const auto& object = ((Program*)program)->object;
    memcpy(cubin, object.data(), object.size());
    return SUCCESS;
}
int nvrtcGetPTXSize(void*, size_t*) { return INVALID_PROGRAM; }
int nvrtcGetPTX(void*, char*) { return INVALID_PROGRAM; }
}
