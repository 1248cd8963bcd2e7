/// Function words of languages with few relatives here or none; see ``StopWords/language(_:)`` for
/// what was left out.
extension StopWordLists {
    /// Greek.
    static let greek = """
        αλλά αν από ας αυτά αυτές αυτή αυτήν αυτό αυτοί αυτόν αυτός αυτού αυτούς αυτών για \
        δε δεν εάν εγώ εδώ είμαι είναι είσαι είχαν είχε είχες εκεί εκείνα εκείνη εκείνο \
        εκείνοι εκείνος εμάς εμείς ένα έναν ένας ενός ενώ επειδή εσάς εσείς εσύ έτσι έχει \
        έχεις έχουν έχω ή ήμουν ήταν θα και κατά κάθε κι μα μας με μέχρι μετά μη μην μια \
        μιας μου να ο οι όμως όπου όπως όσο όταν ότι ούτε παρά ποια ποιο ποιοι ποιος που \
        πριν προς πως σαν σας σε σου στα στη στην στης στις στο στον στου στους τα τη την \
        της τι τις το τον του τους των χωρίς ως ώστε
        """

    /// Turkish.
    static let turkish = """
        ama ancak bana bazı belki ben bende benden beni benim bile bir biri biz bizden bize \
        bizi bizim böyle bu buna bunda bundan bunlar bunları bunların bunu bunun çok çünkü \
        da daha de değil diye eğer en fakat gibi göre hangi hem hep hepsi her hiç için ile \
        ise kadar kendi ki kim kime kimi lakin madem mi mu nasıl ne neden nerede nereye \
        niçin niye o olan olarak olduğu ona ondan onlar onlara onlardan onları onların onu \
        onun oysa öyle rağmen sana sen senden seni senin siz sizden size sizi sizin sonra \
        şöyle şunlar şunu tüm üzere ve veya ya yani yine zira
        """

    /// Indonesian.
    static let indonesian = """
        ada adalah agar akan aku anda antara apa apabila apakah atau bagaimana bagi bahwa \
        beberapa belum bila bisa boleh bukan dalam dan dapat dari daripada demi dengan di \
        dia engkau hanya harus hingga ia ialah ini itu jangan jika juga kalau kami kamu \
        kapan karena ke kemudian kenapa kepada ketika kita lagi lain lalu maka mana masih \
        maupun melalui mengapa mereka meskipun namun oleh pada para pun saat saja sambil \
        sampai sana sang saya sebab sebagai sebuah secara sedang sehingga sejak sekitar \
        selain semua seorang seperti serta setelah setiap si siapa sini situ sudah supaya \
        suatu tapi telah tentang terhadap tersebut tetapi tiap tidak untuk walaupun yaitu \
        yakni yang
        """

    /// Vietnamese.
    static let vietnamese = """
        ai chiếc các cái giữa gì hoặc không kia luôn một nay nhau nhiều nhưng phải rất theo \
        trên trước tuy và vào đều ấy
        """

    /// Arabic.
    static let arabic = """
        إذ إذا إلا إلى إليه إليها أن أنا أنت أنتم أنه أنها أو أولئك أي أيضا أين بعد بعض بل \
        به بها بهم بين تحت تكون تلك ثم حتى حول حيث خلال دون ذلك سوف سوى عليه عليها عليهم عن \
        عند عندما عنه عنها غير فقط فوق في فيه فيها فيهم قبل قد كان كانت كانوا كل كلا كما كيف \
        لا لأن لدى لعل لقد لك لكن لم لماذا لن لنا له لها لهم لو لولا لي ليت ليس ليست ما متى \
        مع من منذ منه منها منهم نحن هؤلاء هذا هذان هذه هل هم هما هن هنا هناك هو هي وراء يكون \
        الذي الذين التي اللذان اللواتي
        """

    /// Persian.
    static let persian = """
        آن آنان آنجا آنها آنکه آیا اگر اما او اکنون از است این اینجا اینکه ایشان با باشد \
        باشند باید بدون بر برای بلکه بود بودم بودند بوده به بی بین تا تو جز چرا چنان چنین چه \
        چون چگونه خواهد خواهند خود خویش داشت دارند دارد در درباره دیگر را زیرا سپس شاید شد \
        شدند شده شما شود شوند علیه ما مانند مرا مگر من می نباید نمی نه نیز نیست نیستند ها هر \
        هرچه هست هستم هستند هستیم هم همان همه همین هنوز هیچ و وقتی ولی وی پس که کجا کرده \
        کنند یا یک
        """

    /// Hebrew.
    static let hebrew = """
        אבל אולי אותה אותו אותי אותך אותם אותנו אז אחרי איך אין איפה אך אלא אלה אלו אליה \
        אליו אליהם אנחנו אני אשר את אתה אתכם אתם אתן בגלל בה בהם בו בין בלי בנו גם הוא היא \
        היה היו היינו הייתי היתה הייתה הם הן זאת זה זו יהיה יהיו יש כאן כאשר כבר כדי כי כך \
        כל כמו כן לא לה להיות להם להן לו לי לך לכם לכן ללא למה לנו לפני לפי מאשר מה מי מן \
        ממנה ממנו ממני מפני מתי עד עוד על עליה עליו עליהם רק של שלה שלהם שלו שלי שלך שלכם \
        שלנו תהיה תחת
        """

    /// Hindi.
    static let hindi = """
        अगर अपना अपनी अपने आप आपका आपकी आपके इन इनका इनकी इनके इन्हें इस इसका इसकी इसके \
        इसलिए इसे उन उनका उनकी उनके उन्हें उन्होंने उस उसका उसकी उसके उसने उसमें उसे एक और \
        कब कहाँ का कि किंतु किस किसी की कुछ के कैसे को कोई कौन क्या क्यों क्योंकि गया जब \
        जहाँ जिन जिस जिसका जिसकी जिसके जैसे जो तक तब तथा तुम तुम्हें तू तो था थी थीं थे \
        द्वारा न नहीं ने पर परंतु बिना भी मुझे में मेरा मेरी मेरे मैं मैंने यदि यह यहाँ या \
        ये रहा रही रहे लिए लेकिन वह वहाँ वे सकता सकती से हम हमारा हमारी हमारे हमें ही हुआ \
        हुई हुए हूँ है हैं हो होता होती होते
        """

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
