"""What the browser test indexes: recipes in several languages and scripts, some with signs that mean something in HTML."""

RECIPES = [
    ("peking-duck", "Peking duck", "Dry the duck overnight, glaze it with maltose and roast it until the skin is crisp. Carve the duck thin.", "chinese", 180, "2024-03-01", "meat/poultry"),
    ("duck-confit", "Duck confit", "Salt the duck legs, rinse them, and cook them slowly in their own fat. Duck keeps for months this way.", "french", 200, "2023-11-12", "meat/poultry"),
    ("duck-orange", "Duck à l’orange", "Roast duck with a sauce of bitter oranges, caramel and vinegar.", "french", 120, "2022-12-20", "meat/poultry"),
    ("goose", "Christmas goose", "A goose, stuffed with apples & <b>onions</b>; a duck does as well. Serve with red cabbage.", "german", 240, "2023-12-24", "meat/poultry"),
    ("dumplings", "Potato dumplings", "Grate the potatoes, mix with flour & starch, and simmer. Good beside duck.", "german", 50, "2021-10-03", "side"),
    ("red-curry", "Red curry with duck", "Fry the curry paste, add coconut milk, roast duck and pineapple.", "thai", 35, "2024-06-15", "meat/poultry"),
    ("whale", "Of whales", "No recipe at all: a white whale is not to be eaten. <script>alert('duck')</script>", "american", 1, "1851-10-18", "fish/sea"),
    ("arabic", "بطة مشوية مع الأرز", "بطة مشوية مع الأرز والزبيب والبهارات، وصفة سهلة للعائلة. تقدم البطة ساخنة.", "arabic", 90, "2024-05-01", "meat/poultry"),
    ("hebrew", "ברווז צלוי", "ברווז צלוי בתנור עם תפוזים ודבש. מגישים את הברווז חם.", "arabic", 110, "2023-09-15", "meat/poultry"),
    ("chinese", "北京烤鸭", "北京烤鸭是一道著名的菜肴。鸭子要烤得很脆，切成薄片。", "chinese", 200, "2022-01-10", "meat/poultry"),
    ("japanese", "鴨南蛮そば", "鴨肉とねぎを焼いて、温かいそばの上にのせます。鴨の旨味がつゆに広がります。", "japanese", 30, "2023-02-02", "noodles"),
    ("russian", "Утка с яблоками", "Утка с яблоками — праздничное блюдо. Утку запекают два часа.", "russian", 150, "2022-12-31", "meat/poultry"),
    ("salad", "Salade niçoise", "Tuna, olives, green beans and eggs. Naïve cooks add potatoes.", "french", 20, "2023-07-14", "fish/sea"),
    ("soup", "Fish soup", "Simmer the fish with saffron and fennel; strain, and serve with rouille.", "french", 60, "2023-08-01", "fish/sea"),
    ("ramen", "Duck ramen", "Clear broth of duck bones, noodles, spring onions and a soft egg.", "japanese", 240, "2024-01-20", "noodles"),
    ("pad-thai", "Pad Thai", "Rice noodles with tamarind, shrimp, peanuts and egg.", "thai", 25, "2024-02-11", "noodles"),
    ("trout", "Trout with almonds", "Fry the trout in butter and scatter roasted almonds over it.", "french", 25, "2021-05-09", "fish/river"),
    ("duckling", "Duckling with peas", "Young duckling braised with fresh peas and lettuce.", "french", 75, "2022-06-05", "meat/poultry"),
] + [
    (f"stew-{n}", f"Stew number {n}", f"A stew of {'beans and ' * (n % 3 + 1)}duck, batch {n}.", ["french", "german", "american"][n % 3], 40 + 5 * n, f"20{10 + n}-01-01", "meat/other")
    for n in range(1, 15)
]


def records():
    names = ("id", "title", "body", "cuisine", "minutes", "published", "shelf")
    return [dict(zip(names, recipe), changed=f"{recipe[5]}T08:00:00Z") for recipe in RECIPES]
