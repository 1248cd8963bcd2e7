// Xapian with its glass backend, as its documentation has it: TermGenerator, an identifier as a
// boolean term, one commit for bulk loads.
//   xapian index FOLDER CORPUS LIMIT [stream] LIMIT: bytes of text at most, 0 for all xapian query
//   FOLDER QUERIES [turns] turns: the kinds of query come by standard input, see Kinds xapian
//   single FOLDER OBJECTS xapian open FOLDER WORD warm|evicted
#include <xapian.h>

#include <filesystem>

#include "peers.hpp"

using namespace peers;

namespace {

const char* const engine = "xapian";

Xapian::Document made(Xapian::TermGenerator& generator, const Document& from,
                      const std::string& id) {
    Xapian::Document document;
    generator.set_document(document);
    generator.set_termpos(0);
    generator.index_text(from.title);
    generator.increase_termpos();
    generator.index_text(from.body);
    document.add_boolean_term("Q" + id);
    document.set_data(id);
    return document;
}

void index(const std::string& folder, const std::string& corpus, size_t limit, bool streams) {
    std::filesystem::remove_all(folder);
    // The default commits every 10,000 documents; a bulk load is one commit.
    setenv("XAPIAN_FLUSH_THRESHOLD", "100000000", 0);
    std::vector<Document> all;
    if (!streams) all = documents(corpus, limit);
    size_t count = 0, bytes = 0;
    const double start = now(), processor = processorSeconds();
    {
        Xapian::WritableDatabase database(folder, Xapian::DB_CREATE_OR_OVERWRITE);
        Xapian::TermGenerator generator;
        const auto add = [&](const Document& document) {
            database.add_document(made(generator, document, std::to_string(++count)));
            bytes += document.bytes();
        };
        if (streams) forEachDocument(corpus, limit, add);
        for (const auto& document : all) add(document);
        database.commit();
    }
    reportIndexing(engine, count, bytes, now() - start, processorSeconds() - processor,
                   bytesOf(folder));
}

void query(const std::string& store, const std::string& folder, bool takesTurns) {
    Xapian::Database database(store);
    Xapian::Enquire enquire(database);
    const auto run = [&](const Xapian::Query& query, bool isRanked) {
        enquire.set_query(query);
        if (isRanked)
            enquire.set_weighting_scheme(Xapian::BM25Weight(1.2, 0, 1, 0.75, 0.5));
        else
            enquire.set_weighting_scheme(Xapian::BoolWeight());
        const auto matches = enquire.get_mset(0, isRanked ? 10 : database.get_doccount());
        uint64_t count = 0, sum = 0;
        for (auto match = matches.begin(); match != matches.end(); ++match, ++count) sum += *match;
        return sum > 0 ? count : 0;
    };
    Kinds kinds;
    const auto measure = [&](const char* kind, const char* file, Xapian::Query::op operation,
                             bool isRanked) {
        kinds.add(kind, [=] {
            reportQueries(engine, kind, queries(folder, file), [&](const std::string& text) {
                if (operation == Xapian::Query::OP_WILDCARD)
                    return run(Xapian::Query(operation, text), isRanked);
                const auto all = words(text);
                return run(Xapian::Query(operation, all.begin(), all.end()), isRanked);
            });
        });
    };
    using Query = Xapian::Query;
    for (const char* kind : {"term_common", "term_mid", "term_rare", "and2", "and2_stop"})
        measure(kind, kind, Query::OP_AND, true);
    for (const char* kind : {"or2", "or35"}) measure(kind, kind, Query::OP_OR, true);
    measure("phrase", "phrase", Query::OP_PHRASE, true);
    measure("prefix3_top", "prefix3", Query::OP_WILDCARD, true);
    measure("prefix3_all", "prefix3", Query::OP_WILDCARD, false);
    measure("term_common_all", "term_common", Query::OP_AND, false);
    measure("and2_all", "and2", Query::OP_AND, false);
    measure("or2_all", "or2", Query::OP_OR, false);
    measure("phrase_all", "phrase", Query::OP_PHRASE, false);
    kinds.run(takesTurns);
}

void single(const std::string& folder, const std::string& file) {
    const auto objects = documents(file);
    Xapian::WritableDatabase database(folder, Xapian::DB_OPEN);
    Xapian::TermGenerator generator;
    const auto measure = [&](const char* what, const std::function<void(size_t)>& change) {
        std::vector<double> times;
        for (size_t i = 0; i < objects.size(); ++i) {
            const double start = now();
            change(i);
            database.commit();
            times.push_back((now() - start) * 1e6);
        }
        reportSingles(engine, what, times);
    };
    const auto id = [](size_t number) { return "new" + std::to_string(number); };
    measure("add", [&](size_t i) { database.add_document(made(generator, objects[i], id(i))); });
    measure("update", [&](size_t i) {
        database.replace_document("Q" + id(i),
                                  made(generator, objects[objects.size() - 1 - i], id(i)));
    });
    measure("remove", [&](size_t i) { database.delete_document("Q" + id(i)); });
}

}  // namespace

int main(int count, char** arguments) try {
    const std::vector<std::string> given(arguments + 1, arguments + count);
    if (given.size() < 3) {
        fprintf(stderr, "xapian: see the first lines of xapian.cpp for the arguments\n");
        return 2;
    }
    if (given[0] == "index" && given.size() > 3) {
        const size_t limit = strtoull(given[3].c_str(), nullptr, 10);
        index(given[1], given[2], limit ? limit : SIZE_MAX, given.size() > 4);
    } else if (given[0] == "query") {
        query(given[1], given[2], given.size() > 3);
        reportMemory(engine);
    } else if (given[0] == "single") {
        single(given[1], given[2]);
    } else if (given[0] == "open" && given.size() > 3) {
        if (given[3] == "evicted") evict(given[1]);
        const double start = now();
        Xapian::Database database(given[1]);
        const double opened = now();
        Xapian::Enquire enquire(database);
        enquire.set_query(Xapian::Query(given[2]));
        enquire.get_mset(0, 10);
        reportOpening(engine, given[3] == "warm", opened - start, now() - opened);
    } else {
        return 2;
    }
} catch (const Xapian::Error& error) {
    fprintf(stderr, "xapian: %s\n", error.get_description().c_str());
    return 1;
}
