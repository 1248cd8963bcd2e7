// SQLite FTS5, as an app sets it up: WAL, synchronous=NORMAL, a cache of 64 MB, prepared
// statements, bulk loads in one transaction.
//   fts5 index DATABASE CORPUS VARIANT LIMIT [stream] LIMIT: bytes of text at most, 0 for all fts5
//   query DATABASE QUERIES VARIANT [turns] turns: the kinds of query come by standard input, see
//   Kinds fts5 filters DATABASE CORPUS WORDS words beside filters, and sort keys: see
//   FilteredEntry.swift fts5 single DATABASE OBJECTS VARIANT fts5 open DATABASE WORD VARIANT
//   warm|evicted fts5 remove DATABASE CORPUS QUERIES
// VARIANT: contentless, content, prefix, prefix-content, trigram, trigram-content
#include <sqlite3.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "peers.hpp"

using namespace peers;

namespace {

sqlite3* database;

[[noreturn]] void fail(const std::string& what) {
    fprintf(stderr, "fts5: %s: %s\n", what.c_str(), sqlite3_errmsg(database));
    exit(1);
}

void execute(const std::string& text) {
    if (sqlite3_exec(database, text.c_str(), nullptr, nullptr, nullptr)) fail(text);
}

void open(const std::string& file) {
    if (sqlite3_open(file.c_str(), &database)) fail(file);
    execute("PRAGMA journal_mode=WAL");
    execute("PRAGMA synchronous=NORMAL");
    execute("PRAGMA cache_size=-65536");
}

/// A prepared statement.
class Statement {
public:
    explicit Statement(const char* text) {
        if (sqlite3_prepare_v2(database, text, -1, &statement_, nullptr)) fail(text);
    }
    ~Statement() { sqlite3_finalize(statement_); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    Statement& bind(int place, int64_t number) {
        sqlite3_bind_int64(statement_, place, number);
        return *this;
    }
    Statement& bind(int place, const std::string& text) {
        sqlite3_bind_text(statement_, place, text.data(), int(text.size()), SQLITE_STATIC);
        return *this;
    }
    void run() {
        if (sqlite3_step(statement_) != SQLITE_DONE) fail("step");
        sqlite3_reset(statement_);
    }
    /// Steps over all rows; how many there are.
    uint64_t rows() {
        uint64_t count = 0;
        int64_t sum = 0;
        int code;
        while ((code = sqlite3_step(statement_)) == SQLITE_ROW) {
            sum += sqlite3_column_int64(statement_, 0);
            ++count;
        }
        if (code != SQLITE_DONE || sum < 0) fail("step");
        sqlite3_reset(statement_);
        return count;
    }
    /// The number in the only row.
    uint64_t number() {
        if (sqlite3_step(statement_) != SQLITE_ROW) fail("step");
        const auto value = uint64_t(sqlite3_column_int64(statement_, 0));
        sqlite3_reset(statement_);
        return value;
    }

private:
    sqlite3_stmt* statement_ = nullptr;
};

void checkpoint() { execute("PRAGMA wal_checkpoint(TRUNCATE)"); }

void create(const std::string& file, const std::string& variant) {
    static const std::map<std::string, std::string> options = {
        {"contentless", ", content=''"},
        {"content", ""},
        {"prefix", ", content='', prefix='2 3'"},
        {"prefix-content", ", prefix='2 3'"},
        {"trigram", ", content='', tokenize='trigram'"},
        {"trigram-content", ", tokenize='trigram'"},
    };
    const auto found = options.find(variant);
    if (found == options.end()) {
        fprintf(stderr, "fts5: no variant %s\n", variant.c_str());
        exit(2);
    }
    for (const char* end : {"", "-wal", "-shm"}) unlink((file + end).c_str());
    open(file);
    execute("CREATE VIRTUAL TABLE t USING fts5(title, body" + found->second + ")");
}

constexpr const char* insertion = "INSERT INTO t(rowid, title, body) VALUES(?, ?, ?)";

void index(const std::string& file, const std::string& corpus, const std::string& variant,
           size_t limit, bool streams) {
    create(file, variant);
    std::vector<Document> all;
    if (!streams) all = documents(corpus, limit);
    Statement insert(insertion);
    size_t count = 0, bytes = 0;
    const double start = now(), processor = processorSeconds();
    execute("BEGIN");
    const auto add = [&](const Document& document) {
        insert.bind(1, int64_t(++count)).bind(2, document.title).bind(3, document.body).run();
        bytes += document.bytes();
    };
    if (streams) forEachDocument(corpus, limit, add);
    for (const auto& document : all) add(document);
    execute("COMMIT");
    checkpoint();
    reportIndexing("fts5-" + variant, count, bytes, now() - start, processorSeconds() - processor,
                   bytesOf(file) + bytesOf(file + "-wal"));
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

std::string joined(const std::string& query, const char* with) {
    std::string all;
    for (const auto& word : words(query)) {
        if (!all.empty()) all += with;
        all += quoted(word);
    }
    return all;
}

void query(const std::string& folder, const std::string& variant, bool takesTurns) {
    const std::string engine = "fts5-" + variant;
    Statement top("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT 10");
    Statement all("SELECT rowid FROM t WHERE t MATCH ?");
    Statement count("SELECT count(*) FROM t WHERE t MATCH ?");
    using Reading = std::function<std::string(const std::string&)>;
    Kinds kinds;
    const auto measure = [&](const char* kind, const char* file, Statement& statement,
                             const Reading& read) {
        kinds.add(kind, [=, &statement] {
            reportQueries(engine, kind, queries(folder, file), [&](const std::string& text) {
                const std::string match = read(text);
                return statement.bind(1, match).rows();
            });
        });
    };
    const auto counting = [&](const char* kind, const char* file, const Reading& read) {
        kinds.add(kind, [=, &count] {
            reportQueries(engine, kind, queries(folder, file), [&](const std::string& text) {
                const std::string match = read(text);
                return count.bind(1, match).number();
            });
        });
    };
    if (variant == "trigram") {
        measure("infix_top", "infix", top, quoted);
        measure("infix_all", "infix", all, quoted);
        counting("infix_count", "infix", quoted);
        return kinds.run(takesTurns);
    }
    const Reading conjunction = [](const std::string& q) { return joined(q, " AND "); };
    const Reading disjunction = [](const std::string& q) { return joined(q, " OR "); };
    const Reading prefix = [](const std::string& q) { return quoted(q) + "*"; };
    if (variant != "prefix") {
        for (const char* kind : {"term_common", "term_mid", "term_rare", "and2", "and2_stop"})
            measure(kind, kind, top, conjunction);
        for (const char* kind : {"or2", "or35"}) measure(kind, kind, top, disjunction);
        measure("phrase", "phrase", top, quoted);
        measure("term_common_all", "term_common", all, quoted);
        measure("and2_all", "and2", all, conjunction);
        measure("or2_all", "or2", all, disjunction);
        measure("phrase_all", "phrase", all, quoted);
        counting("term_common_count", "term_common", quoted);
    }
    measure("prefix3_top", "prefix3", top, prefix);
    measure("prefix3_all", "prefix3", all, prefix);
    counting("prefix3_count", "prefix3", prefix);
    kinds.run(takesTurns);
}

/// Titles with a number, one of five categories and a mark that 100 have, in a table beside them
/// with an index of each.
void filters(const std::string& file, const std::string& corpus, const std::string& path) {
    create(file, "contentless");
    execute("CREATE TABLE item(id INTEGER PRIMARY KEY, price REAL, category TEXT, rare INTEGER)");
    const auto all = documents(corpus);
    const size_t every = std::max<size_t>(all.size() / 100, 1);
    execute("BEGIN");
    {
        Statement insert("INSERT INTO t(rowid, title) VALUES(?, ?)");
        Statement item(
            "INSERT INTO item VALUES(?1, (?1 * 2654435761 % 10000) / 100.0, "
            "substr('abcde', ?1 % 5 + 1, 1), ?2)");
        for (size_t i = 0; i < all.size(); ++i) {
            insert.bind(1, int64_t(i)).bind(2, all[i].title).run();
            item.bind(1, int64_t(i)).bind(2, int64_t(i % every == 7)).run();
        }
    }
    for (const char* column : {"price", "category", "rare"})
        execute(std::string("CREATE INDEX by_") + column + " ON item(" + column + ")");
    execute("COMMIT");
    execute("ANALYZE");
    checkpoint();
    std::vector<std::string> words;
    std::ifstream lines(path);
    for (std::string word; lines >> word;) words.push_back(word);
    const auto rows = [&](const char* kind, const std::string& text) {
        Statement statement(text.c_str());
        reportQueries("fts5-contentless", kind, words, [&](const std::string& word) {
            const std::string match = quoted(word);
            return statement.bind(1, match).rows();
        }, "short");
    };
    const std::string joined =
        "SELECT t.rowid FROM t JOIN item ON item.id = t.rowid WHERE t MATCH ? ";
    rows("filter_none", "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT 20");
    rows("filter_number", joined + "AND price < 25 ORDER BY rank LIMIT 20");
    rows("filter_category", joined + "AND category = 'b' ORDER BY rank LIMIT 20");
    rows("filter_few", joined + "AND rare = 1 ORDER BY rank LIMIT 20");
    rows("filter_sort", joined + "ORDER BY price LIMIT 20");
    words.resize(20);
    Statement sorted("SELECT id FROM item ORDER BY price LIMIT 20");
    Statement counted("SELECT count(*) FROM item WHERE price < 1");
    reportQueries("fts5-contentless", "all_sort", words,
                  [&](const std::string&) { return sorted.rows(); }, "short");
    reportQueries("fts5-contentless", "range_count", words,
                  [&](const std::string&) { return counted.number(); }, "short");
}

void single(const std::string& file, const std::string& variant) {
    const std::string engine = "fts5-" + variant;
    const auto objects = documents(file);
    const int64_t base = 1'000'000'000;
    Statement insert(insertion);
    std::vector<double> adding, updating, removing;
    for (size_t i = 0; i < objects.size(); ++i) {
        const double start = now();
        insert.bind(1, base + int64_t(i)).bind(2, objects[i].title).bind(3, objects[i].body).run();
        adding.push_back((now() - start) * 1e6);
    }
    reportSingles(engine, "add", adding);
    if (variant != "content") return;
    Statement update("UPDATE t SET title = ?2, body = ?3 WHERE rowid = ?1");
    Statement remove("DELETE FROM t WHERE rowid = ?");
    for (size_t i = 0; i < objects.size(); ++i) {
        const auto& object = objects[objects.size() - 1 - i];
        const double start = now();
        update.bind(1, base + int64_t(i)).bind(2, object.title).bind(3, object.body).run();
        updating.push_back((now() - start) * 1e6);
    }
    for (size_t i = 0; i < objects.size(); ++i) {
        const double start = now();
        remove.bind(1, base + int64_t(i)).run();
        removing.push_back((now() - start) * 1e6);
    }
    reportSingles(engine, "update", updating);
    reportSingles(engine, "remove", removing);
}

/// Times the kinds of query that are compared before and after removing.
void afterRemoving(const std::string& state, const std::string& folder) {
    Statement top("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT 10");
    for (const char* kind : {"term_common", "or35", "phrase", "prefix3"})
        reportQueries("fts5-content", state + "/" + kind, queries(folder, kind),
                      [&](const std::string& text) {
                          const std::string match = kind == std::string("or35") ? joined(text, " OR ")
                              : kind == std::string("prefix3")                  ? quoted(text) + "*"
                                                                                : quoted(text);
                          return top.bind(1, match).rows();
                      });
}

void reportRemoval(const std::string& file, const char* state, size_t count, double seconds) {
    checkpoint();
    printf("{\"op\":\"remove\",\"engine\":\"fts5-content\",\"state\":\"%s\",\"count\":%zu,"
           "\"seconds\":%.4f,\"bytes\":%llu}\n",
           state, count, seconds, (unsigned long long)bytesOf(file));
}

/// Removes three objects of every five, and compares with a table that never had them.
void remove(const std::string& file, const std::string& corpus, const std::string& folder) {
    const auto all = documents(corpus);
    for (const bool fresh : {true, false}) {
        create(file, "content");
        {
            Statement insert(insertion);
            execute("BEGIN");
            for (size_t i = 0; i < all.size(); ++i)
                if (!fresh || i % 5 >= 3)
                    insert.bind(1, int64_t(i)).bind(2, all[i].title).bind(3, all[i].body).run();
            execute("COMMIT");
            if (fresh) {
                reportRemoval(file, "fresh", 0, 0);
                afterRemoving("fresh", folder);
            } else {
                Statement remove("DELETE FROM t WHERE rowid = ?");
                size_t count = 0;
                double start = now();
                execute("BEGIN");
                for (size_t i = 0; i < all.size(); ++i)
                    if (i % 5 < 3) {
                        remove.bind(1, int64_t(i)).run();
                        ++count;
                    }
                execute("COMMIT");
                reportRemoval(file, "removed", count, now() - start);
                afterRemoving("removed", folder);
                start = now();
                execute("INSERT INTO t(t) VALUES('optimize')");
                execute("VACUUM");
                reportRemoval(file, "optimized", count, now() - start);
                afterRemoving("optimized", folder);
            }
        }
        sqlite3_close(database);
    }
}

}  // namespace

int main(int count, char** arguments) {
    const std::vector<std::string> given(arguments + 1, arguments + count);
    if (given.size() < 4) {
        fprintf(stderr, "fts5: see the first lines of fts5.cpp for the arguments\n");
        return 2;
    }
    if (given[0] == "index" && given.size() > 4) {
        const size_t limit = strtoull(given[4].c_str(), nullptr, 10);
        index(given[1], given[2], given[3], limit ? limit : SIZE_MAX, given.size() > 5);
    } else if (given[0] == "query") {
        open(given[1]);
        query(given[2], given[3], given.size() > 4);
        reportMemory("fts5-" + given[3]);
    } else if (given[0] == "filters") {
        filters(given[1], given[2], given[3]);
    } else if (given[0] == "single") {
        open(given[1]);
        single(given[2], given[3]);
    } else if (given[0] == "open" && given.size() > 4) {
        if (given[4] == "evicted") evict(given[1]);
        const double start = now();
        open(given[1]);
        const double opened = now();
        Statement top("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT 10");
        const std::string match = quoted(given[2]);
        top.bind(1, match).rows();
        reportOpening("fts5-" + given[3], given[4] == "warm", opened - start, now() - opened);
    } else if (given[0] == "remove") {
        remove(given[1], given[2], given[3]);
        return 0;
    } else {
        return 2;
    }
}
