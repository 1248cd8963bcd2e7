import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// What people typed, over a few objects, and what they should find.
struct EverydayCase: Sendable, CustomTestStringConvertible {
    /// The strings of each object; the first one is its title.
    var objects: [[String]]
    var query: String
    /// The places of the objects that must be found first, in this order.
    var first: [Int]
    /// Those that must be found behind them, in any order.
    var others: Set<Int> = []
    /// Whether nothing else may be found.
    var isAll = false
    var keepsSymbols = false

    init(
        _ objects: [String], _ query: String, first: [Int] = [], others: Set<Int> = [],
        isAll: Bool = false, keepsSymbols: Bool = false
    ) {
        self.init(
            strings: objects.map { [$0] }, query, first: first, others: others, isAll: isAll,
            keepsSymbols: keepsSymbols)
    }

    init(
        strings: [[String]], _ query: String, first: [Int] = [], others: Set<Int> = [],
        isAll: Bool = false, keepsSymbols: Bool = false
    ) {
        objects = strings
        self.query = query
        self.first = first
        self.others = others
        self.isAll = isAll
        self.keepsSymbols = keepsSymbols
    }

    var testDescription: String { query }

    /// Why what was found is not what should have been; nil where it is.
    func failure(_ found: [String]) -> String? {
        let places = found.compactMap { Int($0) }
        guard Array(places.prefix(first.count)) == first else {
            return "\(query): found \(places), not \(first) first"
        }
        guard others.isSubset(of: places) else {
            return "\(query): found \(places), without some of \(others)"
        }
        guard !isAll || places.count == first.count + others.count else {
            return "\(query): found \(places), which is too much"
        }
        return nil
    }
}

extension EverydayCase {
    /// A. Words that are written joined.
    static let joinedWords: [EverydayCase] = [
        Self(["Alice met", "Alice's dog"], "alice", first: [0, 1], isAll: true),
        Self(["amour", "l'amour"], "amour", first: [0, 1], isAll: true),
        Self(["acqua", "dell'acqua"], "acqua", first: [0, 1], isAll: true),
        Self(["istanbul", "\u{130}stanbul'da"], "istanbul", others: [0, 1], isAll: true),
        Self(["log", "log.txt"], "log", first: [0, 1], isAll: true),
        Self(
            ["example", "www.example.com", "jane.doe@example.com"], "example", first: [0],
            others: [1, 2], isAll: true),
        Self(["a dog", "log.txt"], "log", first: [1]),
        Self(["TODO", "TODO:fix", "status:open"], "TODO", first: [0, 1]),
        Self(["open", "status:open"], "open", first: [0, 1], isAll: true),
        Self(["value", "max_value"], "value", first: [0, 1], isAll: true),
        Self(["value", "max_value", "max value"], "max_value", first: [1]),
        Self(["end of a sentence.Next one"], "next", first: [0]),
        Self(
            ["\u{1F44D}", "\u{1F44D}\u{1F3FD}"], "\u{1F44D}", first: [0], others: [1],
            keepsSymbols: true),
        // French and Italian words behind an apostrophe are as short as they like.
        Self(["l'or noir", "un os"], "or", first: [0], isAll: true),
        Self(["un os dur", "l'os dur"], "os", first: [0, 1], isAll: true),
        Self(["qu'il vienne", "il vient"], "il", first: [1, 0], isAll: true),
        Self(["j'ai froid", "j\u{2019}ai faim"], "ai", others: [0, 1], isAll: true),
        Self(["dell'io", "nobody"], "io", first: [0], isAll: true),
        Self(["they're here", "regarding re"], "re", first: [1]),
    ]

    private static let joined = [
        "Alice met", "Alice's dog", "vive l'amour de ma vie", "see README.md today",
        "max_value set", "status:open now", "bob cat",
    ]

    /// A. The same in phrases and patterns, beside operators, and where they are excluded.
    static let joinedWordsInQueries: [EverydayCase] = {
        let found: [(query: String, places: Set<Int>)] = [
            ("\"amour de\"", [2]), ("\"open now\"", [5]), ("\"value set\"", [4]), ("amour*", [2]),
            ("amo*", [2]), ("valu*", [4]), ("am?ur", [2]), ("/amou./", [2]), ("amour~1", [2]),
            ("amuor~1", [2]), ("vlaue~1", [4]), ("amour OR bob", [2, 6]),
            ("title:(amour vie)", [2]), ("\"md\"", [3]), ("md*", [3]), ("md OR zzz", [3]),
            ("title:amour", [2]), ("\"de ma\"", [2]), ("amuor~1/3", []), ("amour~1/3", [2]),
        ]
        return found.map { Self(joined, $0.query, others: $0.places, isAll: true) } + [
            Self(joined + ["vie"], "vie -amour", first: [7], isAll: true),
            Self(joined + ["dog"], "dog -alice", first: [7], isAll: true),
            Self(joined, "(amour OR dog) -alice", first: [2], isAll: true),
        ]
    }()

    /// B. Pieces of words with a sign in them.
    static let piecesOfWords: [EverydayCase] =
        [
            "well-kn*", "*ell-kno*", "w?ll-known", "/well-kn.*/", "well-knwon~1",
        ].map {
            Self(["a well-known thing", "an e-mail", "well done"], $0, first: [0], isAll: true)
        }
        + [
            Self(["a well-known thing", "an e-mail"], "e-mall~1", first: [1], isAll: true),
            Self(
                ["a well-known thing", "a thing"], "thing -well-kn*", first: [1], isAll: true),
        ]

    /// C. Stop words.
    static let stopWords: [EverydayCase] = [
        Self(
            strings: [["Kit", "it is here"], ["It", "a clown"]], "title:it", first: [1],
            isAll: true),
        Self(["It", "Kit", "Her", "The Who"], "it", first: [0]),
        Self(["Bus", "Us", "Dust"], "us", first: [1]),
        Self(["Her", "There", "Herring"], "her", first: [0]),
        Self(["Whole", "The Who", "Guess Who"], "the who", first: [1]),
        Self(
            ["to be or not to be", "can not"], "\"to be or not to be\"", first: [0], isAll: true),
        Self(["not", "to be or not to be", "bee"], "to be or not to be", first: [1]),
        Self(
            ["flights from London to Paris", "flights to London from Paris"],
            "\"london to paris\"", first: [0], isAll: true),
        Self(["text with 1", "part IT-1", "NOR-7", "1"], "IT-1", first: [1]),
        Self(["text with 7", "part IT-1", "NOR-7", "7"], "NOR-7", first: [2]),
        Self(
            ["is what the", "the categorical imperative of Kant", "what is the weather"],
            "what is the categorical imperative", first: [1]),
    ]

    /// D. What was typed is nearly right.
    static let nearlyRight: [EverydayCase] = {
        let pairs = [
            ("database", "databases"), ("whale", "whale's"), ("recipe", "recipes"),
            ("wifi", "wi-fi"), ("email", "e-mail"), ("Spiderman", "Spider-Man"),
            ("whitewhale", "white whale"), ("dont", "don't"),
        ]
        let both = pairs.flatMap { a, b in
            [
                Self(["the \(a) of", "the \(b) of", "else"], a, first: [0, 1]),
                Self(["the \(a) of", "the \(b) of", "else"], b, first: [1, 0]),
            ]
        }
        return both + [
            Self(["running shoes", "shore"], "runing shoe", first: [0]),
            Self(["Elizabeth Bennet", "Elisa"], "elisabeth benet", first: [0]),
            Self(["an XML library", "XML liberty"], "xml libary", first: [0]),
            Self(["Raskolnikov", "Razumikhin"], "raskolnikow", first: [0]),
            Self(
                ["the table of a knight", "the knights of the Round Table"], "knight round tables",
                first: [1]),
            Self(
                ["Madame was shattered, a hatter", "the Mad Hatter"], "mad hatter", first: [1]),
            Self(
                ["an imperative", "the categorical imperative", "Kant", "kantian"],
                "categorical imperative kant", first: [1]),
            Self(
                ["The Invisible Man shook hands, one hand", "an invisible hand"],
                "invisible hand", first: [1, 0]),
            Self(["order 1234", "order 1235"], "1235", first: [1], isAll: true),
        ] + signs
    }()

    /// D. Words with signs and digits in them.
    private static let signs: [EverydayCase] = [
        ("Alice's dog", "alcie's"), ("l'amour", "l'amuor"), ("don't panic", "dno't"),
        ("O'Connor", "O'Conner"), ("O'Connor", "oconner"), ("O'Connor", "oconnor"),
        ("O'Brien", "obrien"), ("rock'n'roll", "rocknroll"), ("src/main.c", "mian.c"),
        ("max_value", "max_vlaue"), ("max_value", "maxvalue"), ("total_count", "totl_count"),
        ("jane.doe@example.com", "jane.deo@example.com"), ("COVID-19", "covid19"),
        ("7-Eleven", "7eleven"), ("iPhone 15", "iphone15"), ("Wi-Fi 6", "wifi6"),
        ("iphone15", "iphone 15"),
    ].map { Self(["something else", $0, "15 of 19"], $1, first: [1]) }

    /// E. Signs in pasted text.
    static let pastedText: [EverydayCase] = [
        Self(["tail -n 3", "git commit -m fix", "-40 degrees"], "tail -n 3", first: [0]),
        Self(["tail -n 3", "git commit -m fix"], "git commit -m fix", first: [1]),
        Self(["-40 degrees", "40 degrees"], "-40 degrees", first: [0]),
        Self(["rm -rf /", "something else"], "rm -rf", first: [0], isAll: true),
        Self(["rm -rf /", "something else"], "rm -rf /", first: [0], isAll: true),
        Self(["rm -rf /", "rm all"], "rm -rf", first: [1], isAll: true),
        Self(
            ["MediaStreamTrack: stop()-Methode", "History: back()-Methode"],
            "History: back()-Methode", first: [1]),
        Self(
            ["page 42", "https://www.example.com/path/to/page?id=42&x=y#frag"],
            "https://www.example.com/path/to/page?id=42&x=y#frag", first: [1], isAll: true),
        Self(["Rabbit?!", "something else"], "Rabbit?!", first: [0], isAll: true),
        Self(["Guess Who?!", "something else"], "who?!", first: [0], isAll: true),
        Self(["5*3", "five"], "5*3", first: [0], isAll: true),
        Self(["a cat", "a cart", "c*t"], "c*t", others: [0, 1], isAll: true),
        Self(["Not Without My Daughter", "else"], "NOT WITHOUT MY DAUGHTER", first: [0]),
        Self(["Why Not Me", "you"], "WHY NOT ME", first: [0]),
        Self(["304 Not Modified", "something else"], "304 NOT MODIFIED", first: [0]),
        Self(["OR gate", "NOT gate"], "NOT gate", first: [1, 0]),
        Self(["a cat", "a cat, a dog"], "cat NOT dog", first: [0], isAll: true),
        Self([#"C:\Users\Anna"#, "Anna"], #"C:\Users\Anna"#, first: [0]),
        Self([#"C:\Users\Anna"#, "Anna"], #""C:\Users\Anna""#, first: [0]),
        Self(["00:10:05,123", "00:11:06,456"], "00:10:05", first: [0]),
        Self(["2024-05-01T12:30:05Z", "11:30"], "12:30:05", first: [0]),
        Self(
            ["2024-05-01T11:30:05Z", "2024-05-01T12:30:05Z", "2024-05-01T12:30:06Z"], "12:30:05",
            first: [1]),
        Self(["src/main.c", "main"], "src/mai", first: [0]),
        Self(["[PATCH] mend it", "pat"], "[PATC", first: [0]),
        Self(["jane.doe@example.com", "jane"], "jane.doe@exam", first: [0]),
        Self(["key:value", "value"], "key:val", first: [0]),
        Self(["2024-05-01", "2024-05-02", "02-05-2024"], "2024-05-02", first: [1]),
        Self(["½ cup", "1/2 cup", "a cup"], "1/2", others: [0, 1]),
        Self(["5 €", "3 $", "none"], "€ $", others: [0, 1], keepsSymbols: true),
        Self(["a # b", "none"], "#", first: [0], keepsSymbols: true),
        Self(["a @ b", "none"], "@", first: [0], keepsSymbols: true),
        Self(["a % b", "none"], "%", first: [0], keepsSymbols: true),
    ]

    /// F. Scripts.
    static let scripts: [EverydayCase] = [
        Self(["함수", "함수에서"], "함수", first: [0, 1]),
        Self(["변수", "변수를"], "변수", first: [0, 1]),
        Self(["Straße", "Heinestraße"], "straße", first: [0, 1]),
        Self(["كتاب", "الكتاب"], "كتاب", first: [0, 1]),
        Self(["in\u{200B}visible", "visible"], "invisible", first: [0]),
        Self(["978-0-8065-1328-7", "9780"], "9780806513287", first: [0]),
        Self(["9780806513287", "978"], "978-0-8065-1328-7", first: [0]),
        Self(["555 then", "call 555.123.4567 now"], "5551234567", first: [1]),
        Self(["+49.30.1234567", "4930"], "49301234567", first: [0], isAll: true),
        Self(["part 12.34.56.78", "12.34.56.87"], "12345678", first: [0], isAll: true),
    ]

    // MARK: Written apart

    /// What was typed joined and is written apart, and the other way round: the same first, then
    /// what was meant, and nothing else, whether or not an object has what was typed.
    private static func meant(_ pairs: [(query: String, text: String)]) -> [EverydayCase] {
        pairs.flatMap { query, text in
            [
                Self(["something else", text, query], query, first: [2, 1], isAll: true),
                Self(["something else", text], query, first: [1], isAll: true),
            ]
        }
    }

    static let writtenApart: [EverydayCase] =
        meant([
            ("l'amour", "amour toujours"), ("dell'acqua", "acqua alta"), ("max_value", "max value"),
            ("node.js", "node js"), ("log.txt", "the log txt"), ("www.example.com", "an example"),
            ("jane.doe@example.com", "jane doe"), ("TODO:fix", "a TODO to fix"),
            ("status:open", "status: open"), ("rock'n'roll", "rock n roll"),
            ("aujourd'hui", "aujourd hui"), ("user_guide", "user guide"),
            ("python3.11", "python 3.11"), ("self.max_value", "self max value"),
            ("max_value", "maxvalue"), ("max_value", "max.value"), ("N.A.S.A.", "NASA"),
            ("v1.10.2", "version 1.10.2"), ("1,000,000", "1000000"), ("1.000.000", "1000000"),
            ("1 000 000", "1000000"), ("1.000.000", "1,000,000"), ("wall-e", "WALL\u{B7}E"),
            ("rock n roll", "rock'n'roll"), ("o connor", "O'Connor"), ("l amour", "l'amour"),
            ("tic tac toe", "tictactoe"), ("n w a", "N.W.A"), ("u s a", "U.S.A."),
            ("r e m", "R.E.M."), ("\"max value\"", "max_value"),
            ("d artagnan", "D\u{2019}Artagnan"),
        ]) + [
            Self(
                ["max and min", "the value", "max value", "max_value"], "max_value",
                first: [3, 2]),
            Self(["the max 3", "a value", "max value 3"], "max_value 3", first: [2]),
            Self(["jane", "doe, jane", "jane.doe"], "jane.doe@example.com", first: [2, 1, 0]),
            // What an apostrophe adds is no part, nor are letters and digits alone.
            Self(["don quixote", "don't"], "don't", first: [1], isAll: true),
            Self(["a Ph.D. thesis", "d day"], "r&d", isAll: true),
            Self(["an N.A.S.A. rocket", "plan a"], "q&a", isAll: true),
            Self(["\u{2460} first", "1000000"], "1 000 000", first: [1], isAll: true),
            Self(["vitamin d", "a c clef"], "vitamin c", first: [0], isAll: true),
            Self(["4 of 3", "the 11"], "v3.11", isAll: true),
        ]

    /// Runs of scripts without spaces of which an object has most.
    static let runs: [EverydayCase] =
        meant([
            ("北京大学图书馆", "北京大学的图书馆"), ("北京图书馆", "北京大学图书馆"),
            ("机器学习入门教程", "机器学习教程"), ("ユーザー管理", "ユーザーの管理"),
            ("東京スカイツリー", "東京のスカイツリー"), ("日本語勉強", "日本語の勉強"),
            ("コンピューター", "コンピュータ"), ("iPhone手机壳", "iPhone 15 手机壳"),
            ("ห้องสมุดมหาวิทยาลัย", "ห้องสมุดของมหาวิทยาลัย"),
        ]) + [
            Self(
                ["北京", "图书馆", "北京图书馆", "北京大学的图书馆"], "北京大学图书馆", first: [3],
                others: [2], isAll: true),
            Self(["北京大学", "北京大学 library"], "北京大学 libary", first: [1]),
            Self(["北京 library", "北京大学的图书馆 library"], "北京大学图书馆 library", first: [1, 0]),
        ]

    // MARK: Typing errors

    static let corrections: [EverydayCase] = [
        // A stop word is no correction, unless it is asked for.
        Self(["bread for all", "the form"], "fork", first: [1], isAll: true),
        Self(["salt and pepper", "a band"], "hand", first: [1], isAll: true),
        Self(["bread for all", "the form"], "fork~1", others: [0, 1], isAll: true),
        // The beginning of a word may have an error.
        Self(["a Restaurant", "the rest"], "restuar", first: [0], isAll: true),
        Self(["Philosophical notes", "philosopher"], "philosphic", first: [0]),
        Self(["the Elizabethan age", "Elizabeth"], "elizabteh", first: [1, 0], isAll: true),
        Self(["knights", "knitting"], "knigth", first: [0], isAll: true),
        Self(["round knights", "square knights"], "round knigth", first: [0]),
        // Another letter at the end is more than an error.
        Self(["restaurant", "restful"], "restauk", first: [], isAll: true),
    ]
}
