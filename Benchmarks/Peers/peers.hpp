// What the drivers share: documents and queries, clocks, percentiles, memory, sizes, and one JSON
// object a line as output.
#pragma once
#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace peers {

struct Document {
    std::string id, title, body;
    size_t bytes() const { return title.size() + body.size(); }
};

inline void appendUTF8(std::string& out, unsigned scalar) {
    if (scalar < 0x80) {
        out += char(scalar);
    } else if (scalar < 0x800) {
        out += char(0xC0 | scalar >> 6);
        out += char(0x80 | (scalar & 63));
    } else if (scalar < 0x10000) {
        out += char(0xE0 | scalar >> 12);
        out += char(0x80 | (scalar >> 6 & 63));
        out += char(0x80 | (scalar & 63));
    } else {
        out += char(0xF0 | scalar >> 18);
        out += char(0x80 | (scalar >> 12 & 63));
        out += char(0x80 | (scalar >> 6 & 63));
        out += char(0x80 | (scalar & 63));
    }
}

/// Reads the JSON objects of a corpus: one a line, whose values of interest are strings. It ends at
/// a line it cannot read.
class Line {
public:
    explicit Line(const std::string& line) : at_(line.data()), end_(at_ + line.size()) {}

    bool read(Document& document) {
        document = Document();
        if (!skipTo('{')) return false;
        ++at_;
        std::string key, value;
        while (skipTo('"')) {
            if (!string(key) || !skipTo(':')) return false;
            ++at_;
            while (at_ < end_ && *at_ == ' ') ++at_;
            if (at_ < end_ && *at_ == '"') {
                if (!string(value)) return false;
            } else {
                value.clear();
                while (at_ < end_ && *at_ != ',' && *at_ != '}') value += *at_++;
            }
            if (key == "id") document.id.swap(value);
            if (key == "title") document.title.swap(value);
            if (key == "body") document.body.swap(value);
        }
        return true;
    }

private:
    const char* at_;
    const char* end_;

    bool skipTo(char sign) {
        while (at_ < end_ && *at_ != sign) ++at_;
        return at_ < end_;
    }

    unsigned hexadecimal() {
        unsigned value = 0;
        for (int i = 0; i < 4 && at_ < end_; ++i) {
            const char sign = *at_++;
            value = value * 16 + unsigned(sign <= '9' ? sign - '0' : (sign | 32) - 'a' + 10);
        }
        return value;
    }

    bool string(std::string& out) {
        out.clear();
        for (++at_; at_ < end_; ++at_) {
            if (*at_ == '"') {
                ++at_;
                return true;
            }
            if (*at_ != '\\') {
                out += *at_;
                continue;
            }
            if (++at_ == end_) return false;
            switch (*at_) {
            case 'n': out += '\n'; break;
            case 't': out += '\t'; break;
            case 'r': out += '\r'; break;
            case 'b': out += '\b'; break;
            case 'f': out += '\f'; break;
            case 'u': {
                ++at_;
                unsigned scalar = hexadecimal();
                if (scalar >= 0xD800 && scalar < 0xDC00 && end_ - at_ >= 6 && at_[1] == 'u') {
                    at_ += 2;
                    scalar = 0x10000 + ((scalar - 0xD800) << 10) + (hexadecimal() - 0xDC00);
                }
                appendUTF8(out, scalar);
                --at_;
                break;
            }
            default: out += *at_;
            }
        }
        return false;
    }
};

/// Calls `body` with the documents of a file until so many bytes of text have been read.
inline void forEachDocument(const std::string& file, size_t limit,
                            const std::function<void(const Document&)>& body) {
    std::ifstream in(file);
    std::string line;
    Document document;
    size_t bytes = 0;
    while (bytes < limit && std::getline(in, line)) {
        if (!Line(line).read(document)) continue;
        bytes += document.bytes();
        body(document);
    }
}

inline std::vector<Document> documents(const std::string& file, size_t limit = SIZE_MAX) {
    std::vector<Document> all;
    forEachDocument(file, limit, [&](const Document& document) { all.push_back(document); });
    return all;
}

/// The queries of a kind: `id<TAB>text` a line.
inline std::vector<std::string> queries(const std::string& folder, const std::string& kind) {
    std::vector<std::string> all;
    std::ifstream in(folder + "/" + kind + ".tsv");
    std::string line;
    while (std::getline(in, line)) {
        const auto tab = line.find('\t');
        if (tab != std::string::npos) all.push_back(line.substr(tab + 1));
    }
    return all;
}

inline std::vector<std::string> words(const std::string& text) {
    std::vector<std::string> all;
    std::string word;
    for (const unsigned char sign : text) {
        if (isalnum(sign) || sign >= 0x80) {
            word += char(tolower(sign));
        } else if (!word.empty()) {
            all.push_back(word);
            word.clear();
        }
    }
    if (!word.empty()) all.push_back(word);
    return all;
}

inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

inline double processorSeconds() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/// A line of /proc/self/status such as VmHWM or RssAnon, in MB.
inline double memory(const std::string& name) {
    std::ifstream in("/proc/self/status");
    std::string line;
    while (std::getline(in, line)) {
        if (line.compare(0, name.size() + 1, name + ":") == 0)
            return strtod(line.c_str() + name.size() + 1, nullptr) * 1024 / 1e6;
    }
    return 0;
}

inline double percentile(std::vector<double> values, double part) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[std::min(size_t(double(values.size()) * part), values.size() - 1)];
}

/// Calls `body` with every file at or below a path.
inline void forEachFile(const std::string& path,
                        const std::function<void(const std::string&, const struct stat&)>& body) {
    struct stat status;
    if (lstat(path.c_str(), &status)) return;
    if (!S_ISDIR(status.st_mode)) return body(path, status);
    DIR* folder = opendir(path.c_str());
    if (!folder) return;
    while (const dirent* entry = readdir(folder)) {
        const std::string name = entry->d_name;
        if (name != "." && name != "..") forEachFile(path + "/" + name, body);
    }
    closedir(folder);
}

inline uint64_t bytesOf(const std::string& path) {
    uint64_t bytes = 0;
    forEachFile(path, [&](const std::string&, const struct stat& status) {
        bytes += uint64_t(status.st_size);
    });
    return bytes;
}

/// Has the system forget what it holds of these files, and of no others.
inline void evict(const std::string& path) {
    forEachFile(path, [](const std::string& file, const struct stat&) {
        const int descriptor = open(file.c_str(), O_RDONLY);
        if (descriptor < 0) return;
        fsync(descriptor);
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
        close(descriptor);
    });
}

/// Prints what indexing took.
inline void reportIndexing(const std::string& engine, size_t count, size_t text, double seconds,
                           double processor, uint64_t bytes) {
    printf("{\"op\":\"index\",\"engine\":\"%s\",\"threads\":1,\"docs\":%zu,\"text_bytes\":%zu,"
           "\"seconds\":%.4f,\"cpu_s\":%.4f,\"bytes\":%llu,\"peak_mb\":%.1f}\n",
           engine.c_str(), count, text, seconds, processor, (unsigned long long)bytes,
           memory("VmHWM"));
}

/// For so many seconds queries are run before they are timed: whoever waited for a turn finds
/// caches that others used.
constexpr double warmingTime = 0.03;

/// Times a kind of query: passes that are not timed, the first of which gives the hits, then three
/// that are. A query takes the time in the middle of its three.
inline void reportQueries(const std::string& engine, const std::string& kind,
                          const std::vector<std::string>& queries,
                          const std::function<uint64_t(const std::string&)>& search,
                          const std::string& corpus = "") {
    if (queries.empty()) return;
    std::string hits;
    const double begin = now();
    for (const auto& query : queries) {
        if (!hits.empty()) hits += ",";
        hits += std::to_string(search(query));
    }
    while (now() - begin < warmingTime)
        for (const auto& query : queries) search(query);
    std::vector<std::vector<double>> passes(queries.size());
    for (int pass = 0; pass < 3; ++pass) {
        for (size_t place = 0; place < queries.size(); ++place) {
            const double start = now();
            search(queries[place]);
            passes[place].push_back((now() - start) * 1e6);
        }
    }
    std::vector<double> times;
    for (const auto& pass : passes) times.push_back(percentile(pass, 0.5));
    printf("{\"op\":\"query\",\"engine\":\"%s\",\"kind\":\"%s\",\"n\":%zu,\"p50_us\":%.2f,"
           "\"p90_us\":%.2f,\"p99_us\":%.2f,\"hits\":[%s]%s}\n",
           engine.c_str(), kind.c_str(), queries.size(), percentile(times, 0.5),
           percentile(times, 0.9), percentile(times, 0.99), hits.c_str(),
           corpus.empty() ? "" : (",\"corpus\":\"" + corpus + "\"").c_str());
    fflush(stdout);
}

/// Kinds of query by name. All are timed, or, where drivers take turns, those that standard input
/// names, one a line: then the names that it may give come first, and an empty line ends these and
/// each answer.
class Kinds {
public:
    void add(const std::string& name, const std::function<void()>& measure) {
        kinds_.emplace_back(name, measure);
    }

    void run(bool takesTurns) const {
        for (const auto& kind : kinds_) {
            if (takesTurns)
                printf("%s\n", kind.first.c_str());
            else
                kind.second();
        }
        if (!takesTurns) return;
        endAnswer();
        std::string wanted;
        while (std::getline(std::cin, wanted)) {
            for (const auto& kind : kinds_)
                if (kind.first == wanted) kind.second();
            endAnswer();
        }
    }

private:
    std::vector<std::pair<std::string, std::function<void()>>> kinds_;

    static void endAnswer() {
        printf("\n");
        fflush(stdout);
    }
};

inline void reportSingles(const std::string& engine, const std::string& what,
                          const std::vector<double>& times) {
    printf("{\"op\":\"single\",\"engine\":\"%s\",\"what\":\"%s\",\"n\":%zu,\"p50_us\":%.2f,"
           "\"p99_us\":%.2f}\n",
           engine.c_str(), what.c_str(), times.size(), percentile(times, 0.5),
           percentile(times, 0.99));
}

inline void reportMemory(const std::string& engine) {
    printf("{\"op\":\"memory\",\"engine\":\"%s\",\"what\":\"searching\",\"rss_mb\":%.1f,"
           "\"anonymous_mb\":%.1f}\n",
           engine.c_str(), memory("VmRSS"), memory("RssAnon"));
}

inline void reportOpening(const std::string& engine, bool warm, double opening, double first) {
    printf("{\"op\":\"open\",\"engine\":\"%s\",\"files\":\"%s\",\"open_ms\":%.3f,"
           "\"first_ms\":%.3f}\n",
           engine.c_str(), warm ? "warm" : "evicted", opening * 1e3, first * 1e3);
}

}  // namespace peers
