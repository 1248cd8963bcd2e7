/// Function words of Romance languages; see ``StopWords/language(_:)`` for what was left out.
extension StopWordLists {
    /// French.
    static let french = """
        à ai alors as au aucun aucune auquel aussi autre aux avaient avais avait avant avec \
        avez avons ce ceci cela celle celles celui ces cet cette ceux chaque chez comme \
        comment dans de des dont du elle elles en encore es est et étaient étais était étant \
        êtes eu eux il ils je la laquelle le les lesquelles lesquels leur leurs lui ma me \
        même mes moi mon ne ni nos notre nous on ont ou par parce pas pendant pour pourquoi \
        puisque quand que quel quelle quelles quels qui quoi sa sans se selon sera seront \
        ses si soit sommes son sont sous suis tes toi ton tu un une vos votre vous y
        """

    /// Spanish.
    static let spanish = """
        a al algo alguna algunas alguno algunos antes aquel aquella aquello así aunque cada \
        como con contra cual cuales cuando de del desde donde durante e el ella ellas ellos \
        en entre era eran eres es esa esas ese eso esos esta estaba estaban estamos están \
        estar estas este esto estos fue fueron ha había habían haber han has hasta he la las \
        le les lo los más me mi mis muy ni no nos nosotros nuestra nuestras nuestro nuestros \
        o otra otras otro otros para pero por porque pues que quien quienes se sea ser si \
        sin sino sobre son soy su sus también tampoco tan tu tus u un una uno unos usted \
        ustedes y ya yo
        """

    /// Italian.
    static let italian = """
        a ai al alla alle allo anche ancora che chi ci ciò col come con contro cui da dai \
        dal dalla dalle dallo degli dei del della delle dello di dopo dove e era erano fra \
        fu gli ha hai hanno ho i il in io la le lei li lo loro lui ma me mi mia mie miei mio \
        ne negli nei nel nella nelle nello noi non nostra nostre nostri nostro o ogni per \
        perché più può quale quali quando quanto quel quella quelli quello questa queste \
        questi questo se si sia siamo siete sono su sua sue sui sul sulla sulle suo suoi tra \
        tu tua tue tuo tuoi un una uno vi voi
        """

    /// Portuguese.
    static let portuguese = """
        a ao aos aquela aquelas aquele aqueles aquilo as até cada com como contra cuja cujo \
        da das de dela delas dele deles depois desde do dos e ela elas ele eles em enquanto \
        entre era eram essa essas esse esses esta estamos estão estar estas estava estavam \
        este estes estou eu foi foram ha havia isso isto já la lhe lhes lo mais mas me mesmo \
        meu meus minha minhas muito na nas nem no nos nossa nossas nosso nossos num numa o \
        os ou para pelas porque qual quando que quem se seja sem ser seu seus sob sobre \
        somos sou sua suas também te tem tinha tu tua tuas um uma umas uns você vocês vos
        """

    /// Romanian.
    static let romanian = """
        a acea aceasta acei acel acela acele acest acesta aceste acestor acești ai al ale \
        alt alta am ar are asta astfel au avea aveau avem aveți avut așa ca care căror ce \
        cea cei cel cele cine cu cum când dacă dar de deci deși despre din doar după e ea ei \
        el ele era erau este ești eu fără fi fie fiind fost iar îi îl în între își la le li \
        lor lui mea mei mele meu mă ne nici nimeni nimic niște noastră noastre nostru noștri \
        nu o ori orice pe pentru prin sa sale se si sub sunt suntem ta tale te tu un una \
        unde unei unele unor unui vă voastră vostru
        """

    /// Catalan.
    static let catalan = """
        a al als amb aquell aquella aquelles aquells aquest aquesta aquestes aquests això \
        allò com contra d de del dels des doncs el ell ella elles ells els em en encara ens \
        entre era eren eres es està estan estava et fins ha han havia haver he hem hi ho i \
        ja jo la les li lo los m me meu meus meva meves molt ni no nosaltres nostra nostre \
        nostres o on però pel pels per perquè que quan quant qui segons sense ser si sigui \
        sinó sobre sóc som sota seus seva seves també tan te teu teus teva teves tot tu un \
        una unes uns va vaig vam van vosaltres vostra vostre
        """
}
