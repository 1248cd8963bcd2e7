import Foundation
import Synchronization
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Following", .timeLimit(.minutes(10)))
struct FollowerTests {
    @Test("An index reads all objects once, and then what changed")
    func following() async throws {
        let followed = try Followed(100)
        let (index, source) = (followed.index, followed.source)
        let follower = try followed.follower()
        #expect(try follower.status.phase == .new)
        let first = try await follower.catchUp()
        #expect(first.sliceCount == 1)
        try followed.expectSame()
        #expect(try follower.status.phase == .following)
        source.put(PlainNote("0001", "duck"), PlainNote("a", "goose"))
        source.delete("0002", "nobody")
        #expect(try follower.status.behind == 4)
        let report = try await follower.catchUp()
        #expect(report.indexedCount == 2)
        #expect(report.removedCount == 2)
        #expect(try follower.status.behind == 0)
        try followed.expectSame()
        let nothing = try await follower.catchUp()
        #expect(nothing.sliceCount == 0)
        #expect(source.readObjectCount == 100)
        await follower.stop()
        #expect(source.released == report.position)
        try index.closeVerified()
    }

    @Test("A started follower follows whoever commits, and says so")
    func starting() async throws {
        let followed = try Followed(20)
        let (index, source) = (followed.index, followed.source)
        let follower = try followed.follower()
        var updates = follower.updates.makeAsyncIterator()
        try follower.start()
        try follower.start()
        #expect(follower.isFollowing)
        let first = try #require(await updates.next())
        #expect(first.storeIdentifier == "first")
        source.put(PlainNote("a", "goose"))
        var position = first.position
        while position.ordinal < 21 { position = try #require(await updates.next()).position }
        await #expect(try index.contains(identifier: Data("a".utf8)))
        try await follower.reset()
        while try await index.contains(identifier: Data("a".utf8)) == false {
            _ = await updates.next()
        }
        try await follower.catchUp()
        try followed.expectSame()
        await follower.stop()
        #expect(!follower.isFollowing)
        source.put(PlainNote("b", "goose"))
        await #expect(try !index.contains(identifier: Data("b".utf8)))
        try index.closeVerified()
    }

    @Test(
        "A follower that is stopped between slices goes on where it was", arguments: [false, true])
    func stopping(reopens: Bool) async throws {
        let followed = try Followed(100)
        let source = followed.source
        var index = followed.index
        let held = Shared<IndexFollower<MemorySource>?>(nil)
        var follower = try followed.follower(slice: 10)
        held.change { $0 = follower }
        let stops = Shared<[Task<Void, Never>]>([])
        source.beforeRead { count in
            guard count % 3 == 0, let follower = held.current else { return }
            stops.change { $0.append(Task { await follower.stop() }) }
            // The slice under way is read when the stop is known.
            while follower.isFollowing { Thread.sleep(forTimeInterval: 0.0001) }
        }
        var rounds = 0
        while rounds < 100 {
            rounds += 1
            // To be stopped it has to follow; what it does by itself is stopped as well.
            try follower.start()
            do {
                try await follower.catchUp()
                break
            } catch is CancellationError {}
            for stop in stops.current { await stop.value }
            if reopens {
                try index.closeVerified()
                index = try FollowedModel.makeIndex(at: followed.folder("index"))
                follower = try IndexFollower(
                    index, following: source, options: FollowerOptions.quiet(slice: 10))
                held.change { $0 = follower }
            }
        }
        #expect(rounds > 1)
        source.beforeRead(nil)
        held.change { $0 = nil }
        await follower.stop()
        try await follower.catchUp()
        // Slices that were read once were not read again.
        #expect(source.readObjectCount == 100)
        try followed.expectSame(index)
        try index.closeVerified()
    }

    @Test("Changes while a follower reads are read again")
    func changesWhileReading() async throws {
        let followed = try Followed(60)
        let (index, source) = (followed.index, followed.source)
        source.beforeRead { count in
            guard count < 8 else { return }
            source.put(PlainNote("0000", "duck", "x\(count)"), PlainNote("z\(count)", "goose"))
            source.delete("000\(count)", "005\(count)")
        }
        let follower = try followed.follower(slice: 10)
        try await follower.catchUp()
        try await follower.catchUp()
        try followed.expectSame()
        try index.closeVerified()
    }

    @Test(
        "A history that is lost is noticed: everything is compared, or an error says so",
        arguments: [FollowerOptions.HistoryLoss.reconcile, .fail], 0..<3)
    func lostHistory(_ loss: FollowerOptions.HistoryLoss, how: Int) async throws {
        let followed = try Followed(50)
        let (index, source) = (followed.index, followed.source)
        var options = FollowerOptions.quiet(slice: 10)
        options.onHistoryLost = loss
        let follower = try IndexFollower(index, following: source, options: options)
        try await follower.catchUp()
        let copy = source.contents
        source.put(PlainNote("a", "goose"), PlainNote("b", "goose"))
        switch how {
        case 0:
            // Expired.
            source.delete("0003", "0004")
            source.expire(keeping: 1)
        case 1:
            // Another database in its place.
            source.contents.store = "second"
            source.contents.notes["0005"] = nil
        default:
            // An older copy, which goes on and comes as far with other changes.
            try await follower.catchUp()
            source.contents = copy
            source.put(PlainNote("c", "duck"), PlainNote("d", "goose"))
        }
        if loss == .fail {
            await #expect { try await follower.catchUp() } throws: {
                ($0 as? TextIndexError)?.code == .historyLost
            }
            #expect(try follower.status.lastError != nil)
            try await follower.reindexAll()
        } else {
            // What is there as it should be is not indexed again.
            #expect(try await follower.catchUp().indexedCount == 2)
        }
        try followed.expectSame()
        #expect(try follower.status.lastError == nil)
        source.put(PlainNote("e", "duck"))
        try await follower.catchUp()
        try followed.expectSame()
        try index.closeVerified()
    }

    @Test("Thousands of objects that another database has not are removed, some at a time")
    func largeSweep() async throws {
        let followed = try Followed(2_500)
        let follower = try followed.follower(slice: 1_000)
        try await follower.catchUp()
        let before = followed.index.count
        #expect(before > 2_000)
        followed.source.contents.store = "second"
        followed.source.contents.notes = followed.source.contents.notes.filter {
            ["0003", "1024", "2499"].contains($0.key)
        }
        let report = try await follower.catchUp()
        try followed.expectSame()
        #expect(report.removedCount == before - followed.index.count)
        try followed.index.closeVerified()
    }

    @Test("A slice has one object at least, and one byte")
    func leastSlice() {
        var limit = SliceLimit(count: -1, byteCount: 0)
        #expect(limit == SliceLimit(count: 1, byteCount: 1))
        (limit.count, limit.byteCount) = (0, -7)
        #expect(limit == SliceLimit(count: 1, byteCount: 1))
    }

    @Test("A new version reads everything again; an index that was emptied is filled again")
    func beginningAnew() async throws {
        let followed = try Followed(30)
        let (index, source) = (followed.index, followed.source)
        var options = FollowerOptions.quiet()
        try await IndexFollower(index, following: source, options: options).catchUp()
        options.version = 1
        let follower = try IndexFollower(index, following: source, options: options)
        try await follower.catchUp()
        #expect(source.readObjectCount == 60)
        try await index.removeAll()
        try await follower.catchUp()
        #expect(source.readObjectCount == 90)
        try followed.expectSame()
        // What was indexed by hand before goes, too.
        try await index.removeAll()
        try await index.indexObjects([PlainNote("stray", "duck")])
        try await follower.catchUp()
        try followed.expectSame()
        try index.closeVerified()
    }

    @Test("An error of the source is told, what was read stays, and the next call goes on")
    func sourceErrors() async throws {
        let followed = try Followed(100)
        let (index, source) = (followed.index, followed.source)
        let follower = try followed.follower(slice: 10)
        source.beforeRead { if $0 % 4 == 0 { throw MemorySource.Unreachable() } }
        var failures = 0
        while failures < 50 {
            do {
                try await follower.catchUp()
                break
            } catch is MemorySource.Unreachable {
                failures += 1
                #expect(try follower.status.lastError is MemorySource.Unreachable)
            }
        }
        #expect(failures == 3)
        #expect(try follower.status.lastError == nil)
        #expect(source.readObjectCount == 100)
        try followed.expectSame()
        try index.closeVerified()
    }

    @Test("Of two followers with one name neither takes the other back")
    func twoFollowers() async throws {
        let followed = try Followed(50)
        let (index, source) = (followed.index, followed.source)
        let followers = try (0..<2).map { _ in
            try followed.follower(slice: 5)
        }
        await withTaskGroup(of: Void.self) { group in
            for (number, follower) in followers.enumerated() {
                group.addTask {
                    var generator = SeededGenerator(seed: UInt64(number))
                    for _ in 0..<20 {
                        let id = String(format: "%04d", generator.int(0...60))
                        source.commit([(id, FollowedModel.note(id, &generator))])
                        do {
                            try await follower.catchUp()
                        } catch let error as TextIndexError
                            where error.code == .mismatchedClientState
                        {} catch {
                            Issue.record(error)
                        }
                    }
                }
            }
        }
        try await followers[0].catchUp()
        try followed.expectSame()
        #expect(try await followers[1].drift().isEmpty)
        try index.closeVerified()
    }

    @Test("Drift is what differs and nothing else, and a repair puts that right")
    func drift() async throws {
        let followed = try Followed(80)
        let (index, source) = (followed.index, followed.source)
        let follower = try followed.follower(slice: 10)
        #expect(try await follower.drift().isEmpty)
        let wanted = source.notes.filter { FollowedModel.isIndexed($0.value) }.keys.sorted()
        let (gone, other, weight) = (wanted[3], wanted[30], wanted[50])
        var changed = try #require(source.notes[other])
        changed.strings[0] += " duck"
        var heavy = try #require(source.notes[weight])
        heavy.weight += 1
        try await index.apply([
            .remove(Data(gone.utf8)), .index(changed), .index(heavy),
            .index(PlainNote("stray", "duck")),
        ])
        source.beforeRead { count in
            // Changed meanwhile: no drift.
            source.put(PlainNote(wanted[60], "goose x\(count)"))
        }
        let report = try await follower.drift()
        #expect(report.missing == [Data(gone.utf8)])
        #expect(report.outdated == [Data(other.utf8), Data(weight.utf8)])
        #expect(report.extra == [Data("stray".utf8)])
        #expect(report.comparedCount == 80)
        #expect(try await follower.drift(sample: 10).comparedCount <= 20)
        #expect(try await follower.repairDrift() == report)
        source.beforeRead(nil)
        #expect(try await follower.drift().isEmpty)
        try followed.expectSame()
        source.contents.notes[wanted[7]]?.strings = ["river"]
        try await follower.reindex([Data(wanted[7].utf8), Data("nobody".utf8)])
        try followed.expectSame()
        try index.closeVerified()
    }

    @Test("History is released once in a while, and never beyond what the index has")
    func releasing() async throws {
        let followed = try Followed()
        let (index, source) = (followed.index, followed.source)
        var options = FollowerOptions.quiet(slice: 3)
        options.releaseInterval = 10
        let follower = try IndexFollower(index, following: source, options: options)
        try await follower.catchUp()
        for number in 0..<40 {
            source.put(PlainNote("\(number)", "duck"))
            try await follower.catchUp()
            let released = source.released?.ordinal ?? 0
            #expect(try released <= #require(follower.status.position).ordinal)
            #expect(source.contents.history.count <= 12)
        }
        try followed.expectSame()
        try index.closeVerified()
    }

    @Test("The history of a database that took the place of another one is not released")
    func releasingAnother() async throws {
        let followed = try Followed(10)
        let source = followed.source
        var options = FollowerOptions.quiet(slice: 10)
        options.onHistoryLost = .fail
        options.releaseInterval = 5
        let follower = try IndexFollower(followed.index, following: source, options: options)
        source.refuseRelease(true)
        try await follower.catchUp()
        for number in 0..<9 { source.put(PlainNote("\(number)", "goose")) }
        try await follower.catchUp()
        #expect(try follower.status.lastError != nil)
        source.refuseRelease(false)
        source.contents.store = "second"
        await #expect { try await follower.catchUp() } throws: {
            ($0 as? TextIndexError)?.code == .historyLost
        }
        #expect(source.released == nil)
        source.contents.store = "first"
        let report = try await follower.catchUp()
        #expect(source.released == report.position)
        try followed.index.closeVerified()
    }

    @Test("History that cannot be released fails no call, is told, and goes another time")
    func refusedRelease() async throws {
        let followed = try Followed(20)
        let (index, source) = (followed.index, followed.source)
        let follower = try followed.follower { $0.releaseInterval = 1 }
        source.refuseRelease(true)
        try await follower.catchUp()
        source.put(PlainNote("a", "goose"))
        #expect(try await follower.catchUp().indexedCount == 1)
        try followed.expectSame()
        #expect(source.released == nil)
        #expect(try follower.status.lastError is MemorySource.Unreachable)
        source.refuseRelease(false)
        let report = try await follower.catchUp()
        #expect(source.released == report.position)
        #expect(try follower.status.lastError == nil)
        try index.closeVerified()
    }

    @Test("Drift that is cancelled or stopped ends after a slice", arguments: [false, true])
    func endedDrift(stops: Bool) async throws {
        let followed = try Followed(100)
        let (index, source) = (followed.index, followed.source)
        let follower = try followed.follower(slice: 10)
        try await follower.catchUp()
        let readCount = source.readCount
        let drift = Shared<Task<DriftReport, any Error>?>(nil)
        let stop = Shared<Task<Void, Never>?>(nil)
        try follower.start()
        try await follower.catchUp()
        source.beforeRead { count in
            // The third slice of objects, after one of changes.
            guard count > readCount + 6, stop.current == nil else { return }
            if !stops { drift.current?.cancel() }
            stop.change { $0 = Task { if stops { await follower.stop() } } }
            while stops, follower.isFollowing { Thread.sleep(forTimeInterval: 0.0001) }
        }
        let task = Task { try await follower.drift() }
        drift.change { $0 = task }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(source.readCount < readCount + 12)
        await stop.current?.value
        source.beforeRead(nil)
        #expect(try await follower.drift().isEmpty)
        await follower.stop()
        try index.closeVerified()
    }

    @Test("The state of a follower is read as it was written, and nothing else is")
    func storedState() throws {
        var generator = SeededGenerator(seed: 5)
        let phases: [FollowerState.Phase] = [
            .reading(after: nil, sweeps: false), .reading(after: Data([0, 1]), sweeps: true),
            .reading(after: Data(), sweeps: true), .sweeping, .following,
        ]
        for phase in phases {
            let state = FollowerState(
                storeIdentifier: "store", version: -3, phase: phase,
                position: SourcePosition(ordinal: .max - 1, token: Data([7, 8])))
            let encoded = state.encoded()
            #expect(try FollowerState(encoded) == state)
            for _ in 0..<200 {
                var damaged = encoded
                if generator.once(in: 2) {
                    damaged = damaged.prefix(generator.int(0...damaged.count))
                } else {
                    damaged[generator.int(0...(damaged.count - 1))] = UInt8(generator.int(0...255))
                }
                _ = try? FollowerState(damaged)
            }
        }
    }
}
