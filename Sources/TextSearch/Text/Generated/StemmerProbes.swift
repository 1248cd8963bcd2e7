// Made by Scripts/generate-stemmer-data.py. Do not edit.

/// Words whose stems tell versions of a language's algorithm apart. In the fingerprint of an index:
/// another list is another fingerprint.
enum StemmerProbes {
    /// The words for a language, divided by spaces.
    static func words(_ language: StemmerLanguage) -> String {
        switch language {
        case .arabic:
            """
            كتاب الكتاب والكتاب كتابهم مكتبة المكتبات يكتبون فسيكتبونها كاتبين مدرسة \
            بالمدرسة للمدرسين استعملوا المسلمون معلمات أولادهم سيارتي وسياراتنا
            """
        case .armenian:
            """
            աղավաղումից անվճարունակ ավտովթար բանակայինների գաղափարաքաղաքական գրոհելու \
            եզրափակիչին զվարճությունները թողարկումից լեսբուհու ծաղրանկարների կարմիրից \
            կուլտուրա հանդերձարաններ հեռուստածրագրերի հստակության
            """
        case .basque:
            """
            aldagaien atomikoa bereizgarri dendetan emazteak espainiarra galiziera \
            hareharrizko idealen jabeen kontinente maisuen nobelak politikatik suposatzen \
            zehatzago
            """
        case .catalan:
            """
            agermanament associada cargols conseqüències descentralitzada empedrats \
            eucairita generositat infectats locris napolitans periódico pròspers retorni \
            subterrànies utilitats
            """
        case .danish:
            """
            andreas bleven ebjatars forholder gedebukke herligheds indåndede kuedes \
            mefibosjets omstyrter påligger skabningen stegne tidligere udrakt vildæslers
            """
        case .dutch:
            """
            lupine opbloesemde lelies melkinstallatie onthielden onbeschoft pikte \
            milieutechnologiebedrijven magnesiumcarbonaat milieuspecificaties maastrichtse \
            mussen afvalbakken benijdden buitenmens drankkartons gaszuivering impulsen \
            kostenvermindering menselijkheid oliemaatschappijen opwaaien raketten \
            simmeringdichting telkens verdeelstations voedingszouten wisselstukken
            """
        case .english:
            """
            oncologist geologists lateral laterally vying added adding ebbed ebbing \
            emergencies emergency erred analysing bluebells coaxed cutaneous dragged \
            faintness greediness infamous losings notify plants reclaimed scuttle stokesly \
            tripped visaged
            """
        case .finnish:
            """
            aikaistua alkoholille ansioristi asiamiehen avustustilit corollan ekovertailussa \
            enteileekö estetään geriatrian halvoissa heistäkään hinaamaan huolenaiheita \
            hämmentyneet ilmoituksiin
            """
        case .french:
            """
            piémontaise hiboux mauvais japonaises c'est c'était d'abord d'accord d'accueil \
            d'accès d'accéder d'achat agenouillée autrichiennes charge contredanses \
            douloureuses enfance formera immortalisé laïcisation méprisée permettrez \
            prétexta représentant serres tomber éclipsait
            """
        case .german:
            """
            gesendet hervorleuchtete meisseln gehefteten kellnerin gesegnetes kilometer \
            mechujael mündet meisterinnen gründete hingewendet angafften baseler brachten \
            einteilenden fieberte gerechtfertigter häuser jesses leuchtender nichtsnutzigen \
            roßtäuscher sichtlichen träume unzweifelhafte vorhalten zentnern
            """
        case .greek:
            """
            ίσα αβρότητα ανέτοιμη αντιπροσωπεύονταν αραιοκατοικημένες βεντούζες δακτυλίδια \
            διευθετήθηκαν εκλεκτές εξαχθούν εργάσθηκαν θραύση κατάστασης κορυφωθεί μαγνητίτη \
            μορφημάτων ολόκληρες
            """
        case .hindi:
            """
            अपशिष्टों इलाक़ों कम्युनिटी कोहिस्तानी घिरनियों जेएनयू त्रिकोणों निकलता पायजामा \
            प्रेसिडेंसी बुद्धिवादी मांडवा योजनायें वरकारि शुक्राणु सिंधिया
            """
        case .hungarian:
            """
            akaratukat badarságok betelepítését bánniuk kapacitást kezdjem kisplasztikát \
            koordinálására kéréssel kötelezettségvállalások leolvasása létesítmények \
            meggyőzött megszakítatlannak minőségét műhasznosításnál
            """
        case .indonesian:
            """
            bekingan berputus dibantah dilipatgandakan disyaratkan imbuhan kemandirian \
            labuhan membuktikannya mengartikannya menumpuk paleoklimatologi penerbitan \
            perendahan rojali terampil
            """
        case .irish:
            """
            ardaicmeach bharrchruinne bhfiafródh bhlocáil bhucaid bpreasagallamh chaingeal \
            cheannasaíochta chleasacha chollóra choscródh chuimh conbhlóideach dheanfadh \
            dhoiciméidí draothadh
            """
        case .italian:
            """
            divano agginte attestava caporalaccio confronti diffamato evitare gridassero \
            intensificazione marocco orridi pregiudiziali relizane rompicollo siciliano \
            subacqueo utensili
            """
        case .lithuanian:
            """
            kolekcionieriai interjerų kreiserį krateryje negeria martin'as moters ešerys \
            moterimi moterims dizaineriai dizainerį antikinė atsiųsdavo bulimija domisi \
            formuojančios gūžduobės išskiriantis kenkėjas kruopštumu maldaknygę nagrinėjanti \
            nuodingas pamušalo pažymėjimus praktikoje raižinys
            """
        case .nepali:
            """
            अन्तर्क्रियामा कलाकारहरुका खुम्च्याउदै घटाउनुहुनेछ चिप्लिएकी झुक्क्याउछेस् \
            डुल्थी दिनुपर्दा निस्किछन् पार्नुपर्ने बजाउछिन् बोलाउदैहुन्छ मेट्नुपर्नेथ्यो \
            लखेट्दैथिए समस्याहरु सुन्लान्
            """
        case .norwegian:
            """
            mòla revers lòste mòlar mòlen hóvet ters lòsast knòdene lóser mòlane lósande \
            arealkonflikter bortfallet egenkapitalen forbudet føremonene hodeskalle \
            jotunkvinner kvarande merksame opplysningsplikta prognosen samlasternes snakke \
            tegnes ubøyelig velter
            """
        case .porter:
            """
            anatomists blunderbore coalitions cushions draggled falklands gregarious \
            infantry lovingness noticed plagues recanter scudded stocked triple visitations
            """
        case .portuguese:
            """
            agasalhar assinantes cancerígena comprovou declínio distribuía esdrúxula \
            fingindo iluminar lacônico mistificando partidária procure requisitou sorria \
            urinária
            """
        case .romanian:
            """
            descurcați frecvenţă divergenţi evaporație existenţe glumește elucubrații \
            hărțuiți emoţii gâlbăş evoluţie esenţa adresate armăsarii brânzi certată \
            conferit debuturi dialecticieni enumerări felinitate găsitoare incalusez \
            iridectomie lăcrimoşi motoriza ntreabă pasului
            """
        case .russian:
            """
            благословенной враздробь деваешь законном исчезало маменьки небывалые обыденною \
            папеньки покойную преспокойно пугливая светлом сочиняю туманный художественное
            """
        case .serbian:
            """
            akcionari činjenicama dimenziju emigrirala funkcionerske herojem inspirisao \
            kamera ljubičastih mučenika nasmešenih partijskoj ravnodušne tadašnji uhvaćenu \
            zaglavlja
            """
        case .spanish:
            """
            evaluacion resolucion alineacion aficionadas asienta captar conduciéndonos \
            declaradas dividiéndose estaba gamuza industrializadas lloviendo negativo \
            permite psicología retardo sucedía valuadas
            """
        case .swedish:
            """
            lintyget linets monstruöst silverrösten överrösta överöste flickröster \
            basrösterna förtröstande förtröstar löjliget mellanöstern avkunnad bockar \
            enfödde fängslade genomila humanaste kassaboken lifsfulla myndighets otäcka \
            rubbade skälles strävar tokigt utfärdad ägarinna
            """
        case .tamil:
            """
            வீடு வீடுகள் வீட்டில் வீட்டிற்கு மரங்கள் மரத்தில் பறவைகள் படித்தான் படிக்கிறாள் \
            படிப்பார்கள் அவனுடைய அவர்களுக்கு நாட்டின் புத்தகங்களை புத்தகத்தை பள்ளிக்கு \
            ஓடினார்கள் சென்றது
            """
        case .turkish:
            """
            gerekiyor' ferik'in dzdağ'ın görmüyor'' fas'a etiyopya'da ego'dan fenerbahçe'nin \
            gaziantep'e gençlikspor'un festival'de figo'nun almayın ayaklarım başlamasından \
            boğuldular dağıtıldığını duracağı engelleyeceğiz gayynuddin gönderdiğimiz \
            havalelerinin infazları kapamalılar kesintilerden kurucu mekana objeler
            """
        case .yiddish:
            """
            גע אַמטירנדיק אַרױפֿגעשטיגענעם אָנגעזאַפּט אָפּחוזקן אױסדריקלעכער אומגלײביקן \
            אידעאַליזירטן באַהאַנגען בורעסט געבלאָזן געמיניעטער געשעפּט דערהאַלט הערשעלע \
            טאַבעלן לאָמפּן
            """
        }
    }
}
