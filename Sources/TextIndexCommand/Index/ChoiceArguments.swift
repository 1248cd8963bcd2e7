import ArgumentParser
import TextIndexInterface

// The command and the server read facets, sort keys and names alike.
extension FacetChoice: ExpressibleByArgument {}
extension KeyboardChoice: ExpressibleByArgument {}
extension RankingChoice: ExpressibleByArgument {}
extension ShardNumbers: ExpressibleByArgument {}
extension SortChoice: ExpressibleByArgument {}
extension StepsChoice: ExpressibleByArgument {}
