/// Function words of Uralic languages; see ``StopWords/language(_:)`` for what was left out.
extension StopWordLists {
    /// Finnish.
    static let finnish = """
        ei eivät emme en ennen et että ette he heidän heille heitä hän häneen hänelle hänen \
        hänestä häntä ja jo johon joilla joita joka jolla jonka jos jossa josta jota jotka \
        jälkeen kaikki kanssa kenen ketä koska kuin kuka kun me meidän meille meitä mikäli \
        minkä minua minulla minulle minun minussa minä missä mistä mitä mukaan mutta myös ne \
        niiden niille niin niissä niistä niitä nuo nyt nämä näiden näin näitä ole olemme \
        olen olet olette oli olimme olin olisi olisivat olivat olla olleet ollut on ovat se \
        sekä sen siihen siinä siis siitä sille sillä sinua sinulla sinulle sinun sinä sitä \
        te teidän teille teitä tai tähän tällä tämä tämän tässä tästä tätä vaan vai vaikka \
        vain vielä
        """

    /// Hungarian.
    static let hungarian = """
        a abban ahhoz ahogy ahol aki akik akit akkor által ami amely amelyek amelyet amikor \
        amit annak arra arról attól az azért azok azon azt azzal be benne csak de e ebben \
        egy egyik ehhez előtt én engem ennek erre erről és ettől ez ezek ezen ezért ezt \
        ezzel ha hanem hogy hogyan hol hozzá így illetve is itt ki kik kit között le legyen \
        lehet lenne lesz meg mellett melyek mert mi miatt miért mikor milyen mind mint \
        minket míg mit mivel ne neked nekem neki nekik nekünk nélkül nem nincs ott olyan óta \
        pedig rá róla s sem se szerint te téged ti után vagyok vagyunk vagyis valamint van \
        vannak vele viszont volna volt voltak voltam
        """
}
