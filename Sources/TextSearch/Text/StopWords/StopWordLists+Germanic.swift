/// Function words of Germanic languages other than English; see ``StopWords/language(_:)`` for what
/// was left out.
extension StopWordLists {
    /// German.
    static let german = """
        aber als am an auch auf aus bei bis da damit dann das dass dein dem den denn der des \
        dich die dies diese diesem diesen dieser dieses doch du durch ein eine einem einen \
        einer eines er es eure für habe haben hat hatte hatten hier ich ihm ihn ihnen ihr \
        ihre ihrem ihren ihrer im in ins ist ja jede jeder jedes kann kein keine keinen \
        können mein meine meinen mich mir mit nach nicht noch nur ob oder ohne sehr seid \
        sein seine seinen sich sie sind so über um und uns unser unsere unter vom von vor \
        war warst was weil welche welcher welches wenn wer wie wir wird wo wurde wurden zu \
        zum zur zwischen
        """

    /// Dutch.
    static let dutch = """
        aan al als an ben bent bij daar dan dat de deze die dit doch door dus een en er ge \
        geen had hadden heb hebben heeft hem het hier hij hoe hun ik in is ja je jij jou \
        jouw jullie kan kunnen maar me men met mij mijn na naar niet nog nu of om omdat \
        onder ons onze ook op over te tegen ten ter toch toen tot tussen u uit uw van voor \
        waar wanneer want waren was wat we wel welke werd werden wie wij wil word worden \
        wordt zal ze zich zij zijn zo zonder zou zouden
        """

    /// Swedish.
    static let swedish = """
        alla att av bara blev bli blir blivit de dem den denna deras dess dessa det detta \
        dig din dina ditt du då där efter ej eller en er era ert ett från för genom ha hade \
        han hans henne hennes hon honom hos hur i icke in inom inte jag ju kan kunde med \
        mellan men mig min mina mitt mot mycket måste ni nu någon någonting något några när \
        och också om oss på samma sedan sig sin sina sitt ska skall skulle som så sådan \
        sådana till under upp ur utan vad varför varje vem vi vid vilka vilken vilket än \
        ännu över
        """

    /// Danish.
    static let danish = """
        af alle at blev blive bliver da de dem den denne der deres det dette dig din dine \
        disse dit du efter ej eller en end er et for fra ham han hans havde hende hendes her \
        hos hun hvad hvem hver hvilke hvilken hvis hvor hvordan hvorfor i ikke ind jeg jer \
        jeres jo kan kunne man med meget men mellem mig min mine mit må ned nogen noget \
        nogle nu når og også om op os over på sig sin sine sit skulle som så sådan til ud \
        under uden var ved vi vil ville vor vore være været
        """

    /// Norwegian Bokmål.
    static let norwegian = """
        alle at av bare ble bli blir blitt da de deg dem den denne der dere deres det dette \
        din dine disse ditt du eller en enn er et etter for fordi fra ha hadde ham han hans \
        henne hennes her hos hun hva hvem hver hvilke hvilken hvis hvor hvordan hvorfor i \
        ikke inn jeg kan kunne man med meg mellom men min mine mitt må ned noe noen nå når \
        og også om opp oss over på seg selv si sin sine sitt skulle slik som så til under \
        uten ved vi vil ville være vært å
        """
}
