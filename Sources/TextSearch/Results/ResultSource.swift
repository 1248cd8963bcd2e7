import Foundation

/// What results ask of the index that found them.
protocol ResultSource<Object>: AnyObject, Sendable {
    associatedtype Object

    var store: IndexStore { get }
    var configuration: TextIndexConfiguration { get }
    var pendingDetails: PendingDetails { get }

    /// The object with an identifier; nil where there is none.
    func object(for identifier: Data) throws -> Object?

    /// What is to be indexed of an object; nil for nothing.
    func indexedObject(for object: Object, identifier: Data) throws -> IndexedObject?

    /// The score of a match, through the override where there may be one.
    func score(asked match: Match) -> Double

    /// The items, best first.
    func ordered(_ items: [SearchResultItem<Object>]) -> [SearchResultItem<Object>]

    /// How the score of an item comes about.
    func explain(_ item: SearchResultItem<Object>) throws -> ScoreExplanation?
}
