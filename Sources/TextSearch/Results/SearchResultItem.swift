public import Foundation
import Synchronization

/// An object that a search found.
///
/// **Thread safety**: may be used from any thread. **Lifetime**: it holds what it shows, even when
/// the index changes or closes. Only `object`, the object's strings and the explanation of the
/// score need the index.
public final class SearchResultItem<Object>: @unchecked Sendable {
    // Unchecked because `Object` need not be Sendable: the cached object is guarded and shared as
    // the caller's hook made it; and for `rank` and `matchedBy`, which the search that makes the
    // item sets last, before it gives it out.

    /// The identifier of the found object.
    public var identifier: Data {
        switch identity {
        case .stored(let record): record.head.identifier
        case .record(let head): head.identifier
        case .identifier(let identifier, _): identifier
        }
    }
    /// The weight that the object was indexed with.
    public var weight: Double {
        switch identity {
        case .stored(let record): record.head.weight
        case .record(let head): head.weight
        case .identifier(_, let weight): weight
        }
    }
    /// The value that results are ordered by: the weight for keywords, the relevance for queries,
    /// unless overridden.
    public let score: Double
    /// The position among the results, from 0.
    public internal(set) var rank: Int
    /// The step that found the object; see ``SearchSteps``. `.exact` for typed queries and
    /// keywords.
    public internal(set) var matchedBy = SearchSteps.exact
    /// Who it is, and what its record says; in large pages that is read when somebody asks.
    private let identity: PageDetails.Identity
    private let matches: Matches
    /// What decides between results of one score: the relevance for queries; of keywords it is 0,
    /// since the places of the matches decide.
    public let relevance: Double
    let place: MatchPlace
    let document: UInt32
    let index: any ResultSource<Object>
    /// The search that found it; nil for keywords.
    let origin: SearchOrigin?
    /// The object once somebody asked for it, a ``Cached``. Its type names no `Object`, so that
    /// items are laid out alike whatever that is: looking it up took a tenth of a search.
    private let cached = Mutex<AnyObject?>(nil)

    /// Unchecked because `Object` need not be Sendable: it never changes, and is handed out as the
    /// caller's hook made it.
    private final class Cached: @unchecked Sendable {
        let object: Object?
        init(_ object: Object?) { self.object = object }
    }

    init(
        _ identity: PageDetails.Identity, score: Double, relevance: Double = 0, matches: Matches,
        place: MatchPlace = MatchPlace(), document: UInt32,
        index: any ResultSource<Object>,
        origin: SearchOrigin? = nil, rank: Int = 0
    ) {
        self.rank = rank
        self.matches = matches
        self.origin = origin
        self.identity = identity
        self.score = score
        self.relevance = relevance.isNaN ? -.infinity : relevance
        self.place = place
        self.document = document
        self.index = index
    }

    /// The matches, found already or with those of the whole page.
    enum Matches {
        case known(PageDetails.Places)
        case page(PageDetails.Shared, Int)
    }

    /// The context that the object was indexed with.
    ///
    /// On a page of more than 256 results it is read on first use, for all of them. If that fails
    /// it is empty, and ``failure`` says why.
    public var context: [String: ContextValue] { head?.context ?? [:] }

    /// The attributes that the object was indexed with; read as ``context`` is.
    public var attributes: [String: AttributeValue] { head?.attributes ?? [:] }

    private var head: RecordHead? {
        switch identity {
        case .stored(let record): return record.head
        case .record(let head): return head
        case .identifier:
            guard case .page(let page, let place) = matches else { return nil }
            return (try? page.details.head(at: place)) ?? nil
        }
    }

    /// The matches in text order, each range of text once; empty if everything matches. Those of a
    /// query that overlap or touch are one.
    ///
    /// The matches of a query are found on first use, for the whole page, in the state of the index
    /// that the search saw, even if the index has changed or closed since. If that fails they are
    /// empty, and ``failure`` says why. At most ``QueryLimits/maximumMatchesPerItem`` are found,
    /// the first ones in the text; ``hasMoreMatches`` says whether there may be more.
    public var resultTokens: [ResultToken] { places.tokens }

    /// Whether the object has, or may have, more matches than ``resultTokens``: more than
    /// ``QueryLimits/maximumMatchesPerItem``, or more than the time or memory of the search
    /// allowed. Finds the matches if necessary.
    public var hasMoreMatches: Bool { places.hasMore }

    /// Finds the matches of all results of the page in the time that is left of a budget; where
    /// that is over there may be more.
    package func findMatches(within budget: SearchBudget) {
        if case .page(let page, _) = matches { page.details.find(within: budget) }
    }

    /// Further places in words that match, to be shown; a word counts once.
    var furtherTokens: [ResultToken] { places.furtherTokens }

    private var places: PageDetails.Places {
        switch matches {
        case .known(let places): places
        case .page(let page, let place):
            (try? page.details.places(at: place)) ?? PageDetails.Places()
        }
    }

    /// Why the matches, context or attributes could not be read; nil if they could. Reads them if
    /// necessary.
    public var failure: TextIndexError? {
        guard case .page(let page, let place) = matches else { return nil }
        do throws(TextIndexError) {
            _ = try page.details.places(at: place)
            return recordFailure
        } catch {
            return error
        }
    }

    /// Why the context or attributes could not be read, as ``failure``; matches are not looked for.
    package var recordFailure: TextIndexError? {
        // Records of other pages were read with them.
        guard case .identifier = identity, case .page(let page, let place) = matches else {
            return nil
        }
        do throws(TextIndexError) {
            _ = try page.details.head(at: place)
            return nil
        } catch {
            return error
        }
    }

    /// The object, fetched once through ``TextIndex/object(for:)``; nil if there is none or the
    /// hook failed.
    public var object: Object? {
        cached.withLock { cached in
            if let known = cached as? Cached { return known }
            let asked = Cached((try? index.object(for: identifier)) ?? nil)
            cached = asked
            return asked
        }.object
    }

    /// The range of a match in its string, in UTF-16 code units, covering whole characters.
    ///
    /// Characters are the extended grapheme clusters of Unicode 15.0, on every machine. A newer
    /// Swift may take more for one `Character`: since Unicode 15.1, consonants of some Indic
    /// scripts that a virama joins are one. Ranges may then begin or end within such a `Character`,
    /// but always at boundaries of scalars and of older clusters.
    ///
    /// - Parameter token: one of `resultTokens`.
    /// - Returns: The range.
    public func range(of token: ResultToken) -> NSRange {
        NSRange(location: token.word + token.token, length: token.length)
    }

    /// The range of a match in its string.
    ///
    /// - Parameters:
    ///   - token: one of `resultTokens`.
    ///   - string: the string that was indexed.
    /// - Returns: The range, of whole characters as in ``range(of:)``; nil if it does not lie in
    ///   `string`, which is then another one.
    public func range(of token: ResultToken, in string: String) -> Range<String.Index>? {
        let units = string.utf16
        guard
            let lower = units.index(
                units.startIndex, offsetBy: token.word + token.token, limitedBy: units.endIndex),
            let upper = units.index(lower, offsetBy: token.length, limitedBy: units.endIndex)
        else { return nil }
        // The units are those of whole characters of the string that was indexed; of another string
        // they may cut one.
        let scalars = string.unicodeScalars
        guard lower.samePosition(in: scalars) != nil, upper.samePosition(in: scalars) != nil
        else { return nil }
        return lower..<upper
    }

    /// Whether this comes before `other` in the order that every search falls back on.
    static func precedes(_ a: SearchResultItem, _ b: SearchResultItem) -> Bool {
        switch order(a, b) {
        case .orderedAscending: true
        case .orderedDescending: false
        case .orderedSame: a.document < b.document
        }
    }

    /// Score descending, then relevance for queries, earliest match and more matches for keywords.
    static func order(_ a: SearchResultItem, _ b: SearchResultItem) -> ComparisonResult {
        if a.score != b.score { return a.score > b.score ? .orderedAscending : .orderedDescending }
        if a.relevance != b.relevance {
            return a.relevance > b.relevance ? .orderedAscending : .orderedDescending
        }
        if a.place == b.place { return .orderedSame }
        return a.place < b.place ? .orderedAscending : .orderedDescending
    }
}
