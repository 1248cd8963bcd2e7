#include "TableList.h"

#include "Varint.h"

namespace cldb {

namespace {

enum Tag : uint64_t {
    kComparator = 1,
    kLogNumber = 2,
    kNextFileNumber = 3,
    kLastSequence = 4,
    kCompactPointer = 5,
    kDeletedFile = 6,
    kNewFile = 7,
    kPreviousLogNumber = 9,
};

bool SkipVarint(leveldb::Slice* fields) {
    uint64_t ignored;
    return TakeVarint(fields, &ignored);
}

bool TakeBytes(leveldb::Slice* fields, std::string* bytes) {
    uint64_t length;
    if (!TakeVarint(fields, &length) || length > fields->size()) return false;
    bytes->assign(fields->data(), length);
    fields->remove_prefix(length);
    return true;
}

bool SkipBytes(leveldb::Slice* fields) {
    std::string ignored;
    return TakeBytes(fields, &ignored);
}

}  // namespace

bool TableList::Apply(const std::string& edit) {
    leveldb::Slice fields(edit);
    uint64_t tag, number, size;
    std::string first, last;
    while (!fields.empty()) {
        if (!TakeVarint(&fields, &tag)) return false;
        bool understood = false;
        switch (tag) {
            case kComparator:
                understood = TakeBytes(&fields, &comparator_);
                break;
            case kLogNumber:
                understood = TakeVarint(&fields, &log_number_);
                break;
            case kLastSequence:
                understood = TakeVarint(&fields, &last_sequence_);
                break;
            case kNextFileNumber:
                understood = TakeVarint(&fields, &next_file_number_);
                break;
            case kPreviousLogNumber:
                understood = SkipVarint(&fields);
                break;
            case kCompactPointer:
                understood = SkipVarint(&fields) && SkipBytes(&fields);
                break;
            case kDeletedFile:
                understood = SkipVarint(&fields) && TakeVarint(&fields, &number);
                if (understood) {
                    tables_.erase(number);
                    keys_.erase(number);
                }
                break;
            case kNewFile:
                understood = SkipVarint(&fields) && TakeVarint(&fields, &number) &&
                             TakeVarint(&fields, &size) && TakeBytes(&fields, &first) &&
                             TakeBytes(&fields, &last);
                if (understood) {
                    tables_[number] = size;
                    keys_[number] = {first, last};
                }
                break;
        }
        if (!understood) return false;
    }
    return true;
}

}  // namespace cldb
