/// Function words of Slavic languages; see ``StopWords/language(_:)`` for what was left out.
extension StopWordLists {
    /// Polish.
    static let polish = """
        a aby albo ale ani aż bardzo bez bo by być był była było były będą będzie ci ciebie \
        co czy dla do gdy gdzie go i ich im ja jak jednak jego jej jemu jest jestem jeszcze \
        jeśli już każdy kiedy kto która które którego której który którzy lub ma mi mnie \
        moja moje mój mu my na nad nam nami nas nasz nasza nasze ni nich nie niego niej nim \
        o od on ona one oni ono oraz po pod ponieważ przed przez przy są się sobie swoje \
        swój ta tak także tam te tego tej temu ten też to tobie tu tych tylko tym u w wam \
        was wasz we wy z za ze żeby
        """

    /// Czech.
    static let czech = """
        a aby ale ani až bez bude budou by bych bychom byl byla byli bylo co což či do ho i \
        já jak jako je jeho jej její jejich jen ještě jestli ji jim jsem jsi jsme jsou jste \
        k kde kdo kdy když ke která které který má mají me mezi mi mít mne moje mu můj my na \
        nad nám ne nebo není než ni nich od on ona oni ono pak po pod podle pokud proč proti \
        proto protože pro před přes při s se si sobě svůj své ta tak také tam te tedy ten \
        tento ti tím to toho tom tomu tu tvůj ty u už v vám vás ve však vy z za ze
        """

    /// Slovak.
    static let slovak = """
        a aby aj ak aké ako aký ale alebo ani až bez bol bola boli bolo bude budú by cez čo \
        či do ešte ho i ich im ja je jeho jej k kde kedy keď kto ktorá ktoré ktorí ktorý ku \
        len ma majú medzi mi mňa mne moja moje môj mu my na nad nám naša ne nie nim nich od \
        on ona oni ono po pod podľa pre pred preto pretože prečo pri proti s sa si so som \
        sme ste sú svoj svoje ta tak tam táto te ten tento ti tie tiež to toho tom tomu toto \
        tu tvoj ty u už v vám vás vo však vy z za zo že
        """

    /// Russian.
    static let russian = """
        а без бы был была были было быть в вам вас ваш ваша ваше во все всех вы где да для \
        до его ее ей ему если еще же за и из или им ими их к как когда которая которого \
        которой которые который которых кто ли меня между мне мой мы на над нам нами нас наш \
        наша наше не него нее ней нет ни ним них но о об он она они оно от перед по под при \
        про с себе себя свои своих своя так также такой там те тебе тебя тех то того той \
        только ту тот ты у уже хотя чем через что чтобы эта эти этим этих это этого этой \
        этом этот я
        """

    /// Ukrainian.
    static let ukrainian = """
        а але або б без би був була були було бути буде будуть в вам вас ваш ви від він вона \
        вони воно все всі вже де для до є ж же з за зі із і й його йому її їй їм їх коли \
        крім кого кому між мене мені мій моя моє ми на над нам нами нас наш наша наше не \
        него неї ні ним них о по під при про свій своя своє себе собі та так також там те \
        тебе ти тих то тобі той того тому тут тільки у хоча хто це цей ця ці цього цій цих \
        чи через чому ще що щоб я як яка який яких якщо які яке якого якої
        """

    /// Bulgarian.
    static let bulgarian = """
        а аз ако ала без беше би бил била били било бъде бях бяха в вас ваш ваша вече ви вие \
        все във го да дали до докато е един една едни едно за защо защото и из или им как \
        какво като кога което които която къде към ли ме между мен ми мой моя му на над не \
        него негов неин нея ни ние никой нито но някой няма обаче около онези онзи освен от \
        още по под пред през при с са само свой своя се себе си след сме сте съм със също \
        тази така там твой твоя те тебе тези техен ти то това тогава този той тук тя тях у \
        че ще щом я
        """

    /// Croatian.
    static let croatian = """
        a ako ali bez bi bih bili bilo bio biti bude ću ćeš će ćemo ćete da do dok ga gdje i \
        ih ili im iz između ja je jer joj još ju k kad kada kako kao koja koje kojih koji \
        kojoj koju kroz li me mene meni mi moj moja moje mu na nad nama nas ne nego ni nije \
        njega njegov njegova njemu njih njima njoj nju o od on ona one oni ono ova ovo pa po \
        pod pred prema pri s sa sam samo se sebe sebi si ste su svoj svoja svoje ta taj tako \
        također te tebe tebi ti tko to tu u uz vas već vi za zašto zbog
        """

    /// Serbian, in Latin and in Cyrillic letters.
    static let serbian = """
        a ako ali bez bi bih bili bilo bio biti bude ću ćeš će ćemo ćete da do dok ga gde i \
        ih ili im iz između ja je jer joj još ju k kad kada kako kao ko koja koje kojih koji \
        kojoj koju kroz li me mene meni mi moj moja moje mu na nad nama nas ne nego ni nije \
        njega njegov njegova njemu njen njih njima njoj nju o od on ona one oni ono ova ovo \
        pa po pod pred prema pri s sa sam samo se sebe sebi si ste su svoj svoja svoje ta \
        taj tako takođe te tebe tebi ti to tu u uz vas već vi za zašto zbog šta а ако али \
        без би бих били било био бити буде ћу ћеш ће ћемо ћете да до док га где и их или им \
        из између ја је јер јој још ју к кад када како као ко која које којих који којој \
        коју кроз ли ме мене мени ми мој моја моје му на над нама нас не него ни није њега \
        његов његова њему њен њих њима њој њу о од он она оне они оно ова ово па по под пред \
        према при с са сам само се себе себи си сте су свој своја своје та тај тако такође \
        те тебе теби ти то ту у уз вас већ ви за зашто због што шта
        """
}
