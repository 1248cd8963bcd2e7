import Synchronization

/// Keeps what was used of late, within a bound of bytes.
///
/// Entries stand in a ring, each with what had been used by then when it was used last. For a new
/// one a hand goes round and drops what was not used lately, until there is room (F. J. Corbató, "A
/// Paging Experiment with the Multics System", 1968, with a clock of bytes for its bit). So a use
/// moves nothing, and nobody who asks pays for more than what takes the place of others: there is
/// no moment at which much is dropped or moved at once.
///
/// **Thread safety**: guarded. Values are given out whole, and stay as long as somebody holds them.
final class RecentCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var key: Key
        var value: Value
        var byteCount: Int
        /// The state's `usedBytes` when it was put in, or used after long.
        var lastUse: Int
    }

    private struct State {
        var ring: [Entry] = []
        /// Where in the ring a key's entry is.
        var places: [Key: Int] = [:]
        var hand = 0
        var byteCount = 0
        /// The bytes of all that was put in, or used after long.
        var usedBytes = 0
    }

    /// Of one index; several that share a budget have equal parts of it.
    private let whole: Int
    private let budget: CacheBudget?
    private let state = Mutex(State())
    /// What an entry takes besides its value.
    private static var overhead: Int { 64 }

    /// Keeps nothing where `byteCount` is 0.
    init(byteCount: Int, budget: CacheBudget? = nil) {
        whole = max(byteCount, 0)
        self.budget = budget
    }

    private var bound: Int {
        guard let budget else { return whole }
        return whole / budget.memberCount
    }

    /// Values of more bytes are not kept.
    var largestByteCount: Int { bound / 8 - Self.overhead }

    /// Whether there is room for a value of any size that is kept, without dropping another.
    var hasRoom: Bool { state.withLock { $0.byteCount <= bound - bound / 8 } }

    /// The value of a key, if it is kept.
    func value(for key: Key) -> Value? {
        state.withLock { state in
            guard let place = state.places[key] else { return nil }
            // What is used all the time is noted now and then, so that it does not make all else
            // old.
            if state.usedBytes &- state.ring[place].lastUse > bound / 4 {
                Self.noteUse(of: place, &state)
            }
            return state.ring[place].value
        }
    }

    /// Keeps a value that takes `byteCount` bytes, unless that is a great part of all there is room
    /// for; it takes the place of the key's value.
    func insert(_ value: Value, for key: Key, byteCount: Int) {
        let bound = bound
        guard byteCount <= bound / 8 - Self.overhead else { return }
        let byteCount = byteCount + Self.overhead
        state.withLock { state in
            if let place = state.places[key] { Self.remove(place, &state) }
            Self.makeRoom(for: byteCount, within: bound, &state)
            let place = state.ring.count
            state.ring.append(Entry(key: key, value: value, byteCount: byteCount, lastUse: 0))
            state.places[key] = place
            state.byteCount += byteCount
            Self.noteUse(of: place, &state)
        }
    }

    private static func noteUse(of place: Int, _ state: inout State) {
        state.usedBytes &+= state.ring[place].byteCount
        state.ring[place].lastUse = state.usedBytes
    }

    /// What was used within the last half of the bytes is less than two thirds of them, so that
    /// there is always something to drop.
    private static func makeRoom(
        for byteCount: Int, within bound: Int, _ state: inout State
    ) {
        // Of a budget that is shared by more by now, all may be too much, and used of late.
        var passed = 0
        while state.byteCount > bound - byteCount, !state.ring.isEmpty {
            if state.hand >= state.ring.count { state.hand = 0 }
            if state.usedBytes &- state.ring[state.hand].lastUse > bound / 2
                || passed > state.ring.count
            {
                remove(state.hand, &state)
            } else {
                state.hand += 1
                passed += 1
            }
        }
        // Once for all, as far as it can be told: a dictionary that grows moves all that it has.
        guard state.places.count == state.places.capacity, state.places.count >= 48 else { return }
        let expected = bound / (state.byteCount / state.places.count)
        let capacity = min(max(expected, state.places.count * 2), state.places.count * 64)
        state.places.reserveCapacity(capacity)
        state.ring.reserveCapacity(capacity)
    }

    /// The last entry takes the place of one that goes.
    private static func remove(_ place: Int, _ state: inout State) {
        state.places[state.ring[place].key] = nil
        state.byteCount -= state.ring[place].byteCount
        state.ring.swapAt(place, state.ring.count - 1)
        state.ring.removeLast()
        if place < state.ring.count { state.places[state.ring[place].key] = place }
    }
}
