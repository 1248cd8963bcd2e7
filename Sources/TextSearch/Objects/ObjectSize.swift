/// How many bytes an object has of text, and of context and attributes.
struct ObjectSize {
    var text = 0
    var values = 0
}
