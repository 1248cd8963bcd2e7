/// Function words of Slavic languages; see ``StopWords/language(_:)`` for what was left out.
extension StopWordLists {
    /// Polish.
    static let polish = """
        a aby albo ale ani aż bardzo bez bo by być był była było były będą będzie ci ciebie \
        co czy dla do gdy gdyż gdzie go i ich im ja jak jako jednak jego jej jemu jest \
        jestem jeszcze jeśli jeżeli już każdy kiedy kto która które którego której który \
        których którym którzy lub ma mi mnie moja moje mój mu my na nad nam nami nas nasz \
        nasza nasze nawet ni nią nich nie niego niej nim niż o od on ona one oni ono oraz po \
        pod ponieważ przed przez przy są się sobie swoje swój ta tak także tam te tego tej \
        temu ten też to tobie tu twoja twój tych tylko tym u w wam was wasz we wy z za zaś \
        ze żeby
        """

    /// Czech.
    static let czech = """
        a aby ale ani asi až bez bude budou by bych bychom byl byla byli bylo co což či do \
        ho i já jak jako je jeho jej její jejich jemu jen jenž ještě jestli ji jim jimi jsem \
        jsi jsme jsou jste k kam kde kdo kdy když ke která které kterou který kteří má mají \
        me mezi mi mít mne moje mu můj my na nad nám naše ne nebo není než ni nic nich od on \
        ona oni ono pak po pod podle pokud proč proti proto protože pro před přes při s se \
        si sobě svůj své ta tak také tam te tedy ten tento ti tím to toho tom tomto tomu tu \
        tuto tvůj ty u už v vám vás vaše ve však vy z za ze
        """

    /// Slovak.
    static let slovak = """
        a aby aj ak aká aké ako aký ale alebo ani asi až bez bol bola boli bolo bude budú by \
        cez čo či do ešte ho i iba ich im ja je jeho jej k kam kde kedy keď kto ktorá ktoré \
        ktorí ktorý ku len ma majú medzi mi mňa mne moja moje môj mu my na nad nám naša naše \
        ne nech nie nim nich od on ona oni ono po pod podľa pokiaľ potom pre pred predsa \
        preto pretože prečo pri proti s sa si so som sme ste sú svoj svoje ta tak takže tam \
        táto te ten tento ti tie tiež to toho tom tomu toto tu tvoj ty u už v vám vás vaše \
        veď vo však vy z za zo že
        """

    /// Russian.
    static let russian = """
        а без бы был была были было быть в вам вами вас ваш ваша ваше ваши во вот все всех \
        вы где да для до его ее ей ему если еще же за и из или им ими их к как когда которая \
        которого которой которые который которых кто ли либо меня между мне мной мои мой моя \
        мы на над нам нами нас наш наша наше наши не него нее ней нет ни ним них но о об он \
        она они оно от перед по под при про с себе себя свои своих свою своя со так также \
        такой там те тебе тебя тем тех то тобой того той только ту тот ты у уже хотя чего \
        чем через что чтобы эта эти этим этих это этого этой этом этот эту я
        """

    /// Ukrainian.
    static let ukrainian = """
        а але або б без би був була були було бути буде будуть в вам вами вас ваш ваша ваше \
        ви від він вона вони воно все всі вже де для до є ж же з за зі із і й його йому її \
        їй їм їх коли крім кого кому між мене мені мій мною моя моє ми на над нам нами нас \
        наш наша наше не него неї ні ним них о об однак по під при про свій своя своє себе \
        собі та так також там те тебе ти тих то тобі той того тому тут тільки у хоча хто це \
        цей ця ці цього цій цих чи через чому ще що щоб щодо я як яка який яких якщо які яке \
        якого якої
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
        a ako ali bez bi bih bili bila bilo bio bismo biste biti bude budu ću ćeš će ćemo \
        ćete da do dok ga gdje i ih ili im iz između ja je jer joj još ju k ka kad kada kako \
        kao koja koje kojeg kojem kojih kojim koji kojoj koju kroz li me mene meni mi mnom \
        moj moja moje mu na nad nakon nama nas ne nego neka neki ni nije nisam nismo nisu \
        niti njega njegov njegova njemu njezin njih njima njoj njom nju o od on ona onaj one \
        oni ono ova ovaj ove ovi ovo pa po pod pred preko prema pri s sa sam samo se sebe \
        sebi si smo ste su svoj svoja svoje ta taj tako također te tebe tebi ti tko to tu \
        tvoj tvoja u uz vama vas već vi za zašto zbog
        """

    /// Serbian, in Latin and in Cyrillic letters.
    static let serbian = """
        a ako ali bez bi bih bili bila bilo bio bismo biste biti bude budu ću ćeš će ćemo \
        ćete da do dok ga gde i ih ili im iz između ja je jer joj još ju k ka kad kada kako \
        kao ko koja koje kojeg kojem kojih kojim koji kojoj koju kroz li me mene meni mi \
        mnom moj moja moje mu na nad nakon nama nas ne nego neka neki ni nije nisam nismo \
        nisu niti njega njegov njegova njemu njen njih njima njoj njom nju o od on ona onaj \
        one oni ono ova ovaj ove ovi ovo pa po pod pred preko prema pri s sa sam samo se \
        sebe sebi si smo ste su svoj svoja svoje ta taj tako takođe te tebe tebi ti to tu \
        tvoj tvoja u uz vama vas već vi za zašto zbog šta а ако али без би бих били била \
        било био бисмо бисте бити буде буду ћу ћеш ће ћемо ћете да до док га где и их или им \
        из између ја је јер јој још ју к ка кад када како као ко која које којег којем којих \
        којим који којој коју кроз ли ме мене мени ми мном мој моја моје му на над након \
        нама нас не него нека неки ни није нисам нисмо нису нити њега његов његова њему њен \
        њих њима њој њом њу о од он она онај оне они оно ова овај ове ови ово па по под пред \
        преко према при с са сам само се себе себи си смо сте су свој своја своје та тај \
        тако такође те тебе теби ти то ту твој твоја у уз вама вас већ ви за зашто због што \
        шта
        """
}
