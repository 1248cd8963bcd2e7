import ArgumentParser
import TextIndexServer

// The command and the server read facets and sort keys alike.
extension FacetChoice: ExpressibleByArgument {}
extension SortChoice: ExpressibleByArgument {}
