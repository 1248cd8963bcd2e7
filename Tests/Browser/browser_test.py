#!/usr/bin/env python3
"""The search page in a real browser: typing, highlights, facets, keys, scripts of all directions, and nothing from elsewhere.

usage: browser_test.py PATH-OF-TEXTINDEX [--figures FOLDER]
"""

import argparse
import json
import os
import subprocess
import tempfile
import unittest
import urllib.parse
import urllib.request

from chromium import Chromium
from recipes import records

ARGUMENTS = None
TOKEN = "a token of more than sixteen".replace(" ", "-")

# What the list shows, read off the page: identifiers, and of each snippet its text with the places
# of its marks.
SHOWN = """[...document.querySelectorAll('#results li')].map(li => ({
  id: li.dataset.id,
  snippets: [...li.querySelectorAll('.snippet')].map(p => {
    let text = '', marks = [];
    for (const node of p.childNodes) {
      const part = node.textContent;
      if (node.nodeName === 'MARK') marks.push([text.length, part.length, part]);
      else if (node.nodeName !== '#text') throw new Error('an element in a snippet: ' + node.nodeName);
      text += part;
    }
    return {text, marks, direction: getComputedStyle(p).direction};
  }),
}))"""


def run(folder, *words):
    """Runs a command in the folder of an index."""
    subprocess.run([ARGUMENTS.textindex, *words], check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Server:
    """`textindex serve` over the recipes, published or the index itself."""

    def __init__(self, folder, *options, place="published", port=0):
        command = ARGUMENTS.textindex
        pub = os.path.join(folder, "published")
        if not os.path.exists(pub):
            with open(os.path.join(folder, "recipes.jsonl"), "w", encoding="utf-8") as file:
                for record in records():
                    file.write(json.dumps(record, ensure_ascii=False) + "\n")
            attributes = ["cuisine", "minutes", "published:date", "shelf", "changed"]
            run(folder, "index", "recipes.jsonl", "--field", "title", "--field", "body", "--index", "index",
                *[word for name in attributes for word in ("--attribute", name)])
            run(folder, "publish", "published", "--index", "index")
        self.process = subprocess.Popen(
            [command, "serve", "--index", f"recipes={place}", "--port", str(port), *options], cwd=folder,
            stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().split()[-1]

    def close(self):
        self.process.terminate()
        status = self.process.wait()
        self.process.stdout.close()
        return status

    def get(self, path, **parameters):
        with urllib.request.urlopen(f"{self.url}{path[1:]}?{urllib.parse.urlencode(parameters)}") as answer:
            return json.load(answer)


class SearchPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="textindex-browser-")
        cls.server = Server(cls.folder.name)
        cls.browser = Chromium()
        cls.by_id = {record["id"]: record for record in records()}

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        assert cls.server.close() == 0, "the server did not end in order"
        cls.folder.cleanup()

    def setUp(self):
        # What the page of the test before asked for late came before this one was there.
        self.browser.visit("about:blank")
        self.browser.problems.clear()
        self.browser.requests.clear()
        self.browser.call("Emulation.setDeviceMetricsOverride", width=1200, height=860, deviceScaleFactor=1, mobile=False)
        self.browser.call("Emulation.setEmulatedMedia", features=[])
        self.browser.visit(self.server.url)
        self.settle("")

    def tearDown(self):
        self.assertEqual(self.browser.problems, [], "the page complained")
        for url in self.browser.requests:
            self.assertTrue(url.startswith(self.server.url), f"a request to elsewhere: {url}")

    # What the page shows

    def settle(self, text):
        """Until the answer to a text is shown, with its facets."""
        self.browser.wait(
            f"document.getElementById('box').value === {json.dumps(text)} && document.body.dataset.done !== undefined"
            " && document.body.dataset.done === document.body.dataset.busy")

    def type(self, text):
        for letter in text:
            self.browser.press(letter)

    def shown(self):
        return self.browser.value(SHOWN)

    def answer(self, text, **more):
        return self.server.get("/v1/search", **{"q": text, "limit": 10, "lastWordIsPrefix": "true", **more})

    def expect(self, text, **more):
        """The list is the answer to a text, with its marks exactly where they belong."""
        answer, shown = self.answer(text, **more), self.shown()
        self.assertEqual([hit["id"] for hit in shown], [hit["id"] for hit in answer["hits"]])
        for hit, wanted in zip(shown, answer["hits"]):
            self.assertEqual(len(hit["snippets"]), len(wanted["snippets"]))
            for snippet, own in zip(hit["snippets"], wanted["snippets"]):
                start = "" if own["isAtStart"] else "… "
                self.assertEqual(snippet["text"], start + own["text"] + ("" if own["isAtEnd"] else " …"))
                # Code units of UTF-16, which the page counts by.
                places = [[mark["location"] + len(start), mark["length"]] for mark in own["highlights"]]
                self.assertEqual([mark[:2] for mark in snippet["marks"]], places)
        return shown

    # The tests

    def test_typing(self):
        typed = ""
        for letter in "duckling":
            typed += letter
            self.browser.press(letter)
            self.settle(typed)
            shown = self.expect(typed)
            self.assertTrue(shown, typed)
            for hit, wanted in zip(shown, self.answer(typed)["hits"]):
                # Later steps find other spellings.
                if wanted.get("matchedBy", "unfinished") != "unfinished":
                    continue
                for snippet in hit["snippets"]:
                    for _, _, mark in snippet["marks"]:
                        self.assertTrue(mark.casefold().startswith(typed), mark)
        self.assertEqual([hit["id"] for hit in self.shown()], ["duckling"])
        for _ in "ling":
            self.browser.press("Backspace")
        self.settle("duck")
        self.expect("duck")
        self.type(" roast")
        self.settle("duck roast")
        self.expect("duck roast")

    def test_answers_out_of_order(self):
        # Holds the answer to "d" back until that to "du" is shown, and does not let it be aborted.
        self.browser.value("""(() => {
          const original = window.fetch;
          window.fetch = (path, options = {}) => {
            if (path !== '/v1/type' || JSON.parse(options.body).q !== 'd') return original(path, options);
            const {signal, ...others} = options;
            window.wasAborted = new Promise(done => signal.addEventListener('abort', () => done(true)));
            return original(path, others).then(answer => new Promise(done => { window.letGo = () => done(answer); }));
          };
        })()""")
        self.browser.press("d")
        self.browser.wait("window.letGo !== undefined")
        self.browser.press("u")
        self.settle("du")
        self.assertTrue(self.browser.value("window.wasAborted"))
        before = self.shown()
        self.browser.value("(window.letGo(), new Promise(requestAnimationFrame).then(() => 0))")
        self.assertEqual(self.shown(), before)
        self.expect("du")

    def test_facets(self):
        self.type("duck")
        self.settle("duck")
        counted = """Object.fromEntries([...document.querySelectorAll('[data-attribute=cuisine] label')]
          .map(l => [l.querySelector('bdi').textContent, Number(l.querySelector('.count').textContent)]))"""
        counts = self.browser.value(counted)
        wanted = self.server.get("/v1/facets", q="duck", lastWordIsPrefix="true", facet="cuisine")["facets"][0]["buckets"]
        self.assertEqual(counts, {bucket["value"]: bucket["count"] for bucket in wanted})
        self.browser.click("[data-attribute=cuisine] label:has(input[value*=german])")
        self.browser.wait("document.querySelectorAll('#chosen button').length === 1")
        self.settle("duck")
        shown = self.expect("duck", filter="cuisine:german")
        self.assertEqual(len(shown), counts["german"])
        self.assertEqual({self.by_id[hit["id"]]["cuisine"] for hit in shown}, {"german"})
        # Others can be chosen as well.
        self.assertEqual(self.browser.value(counted), counts)
        other = next(name for name in counts if name != "german")
        self.browser.click(f"[data-attribute=cuisine] label:has(input[value*={other}])")
        self.browser.wait("document.querySelectorAll('#chosen button').length === 2")
        self.settle("duck")
        self.expect("duck", filter=f"cuisine:german OR cuisine:{other}")
        self.browser.click("#chosen button:nth-child(2)")
        self.browser.wait("document.querySelectorAll('#chosen button').length === 1")
        self.browser.click("#chosen button")
        self.browser.wait("document.querySelectorAll('#chosen button').length === 0")
        self.settle("duck")
        self.expect("duck")

    def test_ranges(self):
        """Numbers and dates of many values are counted in ranges, which narrow the hits as values do."""
        self.type("duck")
        self.settle("duck")
        for name in ("minutes", "published"):
            counted = f"""[...document.querySelectorAll('[data-attribute={name}] label')]
              .map(l => [l.querySelector('bdi').textContent, l.querySelector('input').value, l.querySelector('.count').textContent])"""
            wanted = self.server.get("/v1/facets", q="duck", lastWordIsPrefix="true", facet=f"{name}:auto")["facets"][0]["buckets"]
            shown = self.browser.value(counted)
            self.assertGreater(len(wanted), 2)
            self.assertEqual([(filter, int(count)) for _, filter, count in shown], [(one["filter"], one["count"]) for one in wanted])
            self.assertTrue(all(" to " in label for label, _, _ in shown), shown)
        # Texts are in no range, whatever they look like.
        texts = self.browser.value("[...document.querySelectorAll('[data-attribute=changed] label bdi')].map(one => one.textContent)")
        self.assertEqual(len(texts), 8)
        self.assertTrue(all(text.endswith("T08:00:00Z") for text in texts), texts)
        self.browser.click("[data-attribute=minutes] label:nth-of-type(2)")
        self.browser.wait("document.querySelectorAll('#chosen button').length === 1")
        self.settle("duck")
        least, most = (self.server.get("/v1/facets", q="duck", lastWordIsPrefix="true", facet="minutes:auto")["facets"][0]["buckets"][1][end] for end in ("from", "to"))
        self.assertTrue(all(least <= self.by_id[hit["id"]]["minutes"] < most for hit in self.expect("duck", filter=f"minutes:[{least} TO {most}}}")))
        self.browser.click("#chosen button")
        self.browser.wait("document.querySelectorAll('#chosen button').length === 0")
        self.settle("duck")

    def test_keys(self):
        browser = self.browser
        browser.value("document.activeElement.blur()")
        browser.press("/")
        self.assertEqual(browser.value("document.activeElement.id"), "box")
        self.assertEqual(browser.value("document.activeElement.value"), "")
        self.type("duck")
        self.settle("duck")
        self.assertEqual(browser.value("box.getAttribute('aria-expanded')"), "true")
        active = "[box.getAttribute('aria-activedescendant'), document.querySelector('[aria-selected=true]')?.id ?? null]"
        self.assertEqual(browser.value(active), [None, None])
        for key, place in [("ArrowDown", 0), ("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1)]:
            browser.press(key)
            self.assertEqual(browser.value(active), [f"hit-{place}", f"hit-{place}"])
        identifier = self.shown()[1]["id"]
        browser.press("Enter")
        browser.wait("document.getElementById('object').open")
        record = self.by_id[identifier]
        self.assertEqual(browser.value("document.querySelector('#object-title bdi').textContent"), record["title"])
        texts = browser.value("[...document.querySelectorAll('#object-text p')].map(p => p.textContent)")
        self.assertEqual(texts, [record["title"], record["body"]])
        marks = browser.value("[...document.querySelectorAll('#object-text mark')].map(m => m.textContent.toLowerCase())")
        self.assertTrue(marks and all(mark.startswith("duck") for mark in marks), marks)
        browser.press("Escape")
        browser.wait("!document.getElementById('object').open && document.activeElement.id === 'box'")
        browser.press("Escape")
        self.assertEqual(browser.value(active), [None, None])
        browser.press("Escape")
        self.settle("")

    def test_directions_and_scripts(self):
        for text, identifier, direction in [
            ("بطة", "arabic", "rtl"), ("ברווז", "hebrew", "rtl"), ("утк", "russian", "ltr"), ("烤鸭", "chinese", "ltr"),
            ("鴨", "japanese", "ltr"),
        ]:
            self.browser.insert(text)
            self.settle(text)
            shown = [hit for hit in self.shown() if hit["id"] == identifier]
            self.assertEqual(len(shown), 1, text)
            for snippet in shown[0]["snippets"]:
                self.assertEqual(snippet["direction"], direction)
            marks = [mark[2].casefold() for snippet in shown[0]["snippets"] for mark in snippet["marks"]]
            self.assertTrue(marks and all(text in mark for mark in marks), f"{text}: {marks}")
            self.assertEqual(self.browser.value("getComputedStyle(box).direction"), direction)
            self.browser.press("Escape")
            self.settle("")

    def test_input_method(self):
        call = self.browser.call
        # Until it is committed, the text is looked for as a part, without the letter that waits.
        call("Input.imeSetComposition", text="北京k", selectionStart=3, selectionEnd=3)
        self.settle("北京k")
        self.assertEqual([hit["id"] for hit in self.shown()], ["chinese"])
        call("Input.imeSetComposition", text="北京烤", selectionStart=3, selectionEnd=3)
        self.browser.insert("北京烤鸭")
        self.settle("北京烤鸭")
        self.assertEqual([hit["id"] for hit in self.shown()], ["chinese"])

    def test_markup_is_text(self):
        self.type("whale")
        self.settle("whale")
        text = self.browser.value("document.querySelector('[data-id=whale]').textContent")
        self.assertIn("<script>alert('duck')</script>", text)
        self.assertEqual(self.browser.value("document.querySelectorAll('#results script, #results b').length"), 0)
        self.browser.press("Escape")
        self.settle("")
        self.browser.insert("<img src=x onerror=alert(1)>")
        self.settle("<img src=x onerror=alert(1)>")
        self.assertEqual(self.browser.value("document.querySelectorAll('img').length"), 0)

    def test_suggestions(self):
        self.type("duckk")
        self.settle("duckk")
        self.assertIn("duck", self.browser.value("[...document.querySelectorAll('#suggestions button')].map(b => b.textContent)"))
        self.browser.click("#suggestions button")
        self.settle("duck")
        self.expect("duck")

    def test_more(self):
        self.type("duck")
        self.settle("duck")
        self.browser.click("#more")
        self.browser.wait("document.querySelectorAll('#results li').length > 10")
        self.settle("duck")
        answer = self.answer("duck", limit=20)
        self.assertEqual([hit["id"] for hit in self.shown()], [hit["id"] for hit in answer["hits"]])

    # Following

    def publish(self, folder, added, removed):
        """Publishes another generation, with one recipe more and one less."""
        path = os.path.join(folder, f"{added}.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(json.dumps({"id": added, "title": "Duck", "body": "Duck and duck.", "cuisine": "french"}) + "\n")
        run(folder, "index", path, "--index", "index")
        run(folder, "remove", removed, "--index", "index")
        run(folder, "publish", "published", "--index", "index")

    def follows(self, server, added, removed):
        """Waits until a recipe came and another went; then the list is the answer to the text."""
        names = "[...document.querySelectorAll('#results li')].map(li => li.dataset.id)"
        self.browser.wait(
            f"document.body.dataset.live === 'following' && {names}.includes({json.dumps(added)})"
            f" && !{names}.includes({json.dumps(removed)})")
        answer = server.get("/v1/search", q="duck", limit=10, lastWordIsPrefix="true")
        self.assertEqual([hit["id"] for hit in self.shown()], [hit["id"] for hit in answer["hits"]])
        self.assertEqual(
            self.browser.value("[...document.querySelectorAll('#results li')].every((li, n) => li.id === `hit-${n}`)"), True)
        self.browser.wait(f"document.getElementById('summary').textContent.startsWith('{answer['total']} hits, live')")

    def test_live(self):
        with tempfile.TemporaryDirectory(prefix="textindex-live-") as folder:
            server = Server(folder, "--interval", "0.05")
            port = server.url.rsplit(":", 1)[1].strip("/")
            self.browser.visit(server.url)
            self.settle("")
            self.type("duck")
            self.settle("duck")
            self.assertEqual(self.browser.value("document.getElementById('live').role"), "switch")
            self.browser.click("#live")
            self.browser.wait("document.body.dataset.live === 'following'")
            first = [hit["id"] for hit in self.shown()]
            # What is chosen stays chosen, and rows that stay are not made anew.
            chosen, removed = first[1], first[0]
            self.browser.value("document.getElementById('box').focus()")
            for _ in range(2):
                self.browser.press("ArrowDown")
            self.browser.value(f"(window.kept = document.querySelector('[data-id={chosen}]'), 0)")
            self.publish(folder, "mallard", removed)
            self.follows(server, "mallard", removed)
            self.assertIn("1 new", self.browser.value("document.getElementById('summary').textContent"))
            self.assertEqual(self.browser.value("document.querySelector('[aria-selected=true]')?.dataset.id"), chosen)
            self.assertTrue(self.browser.value("window.kept.isConnected"))
            self.assertEqual(
                self.browser.value("document.getElementById('box').getAttribute('aria-activedescendant')"),
                self.browser.value("window.kept.id"))
            # A server that goes away and comes back with another generation.
            self.assertEqual(server.close(), 0)
            self.browser.wait("document.body.dataset.live === 'waiting'")
            self.publish(folder, "teal", "mallard")
            server = Server(folder, "--interval", "0.05", port=port)
            try:
                self.follows(server, "teal", "mallard")
                # Another text is followed as well, and nothing when the switch is off.
                self.browser.press("s")
                self.settle("ducks")
                self.browser.wait("document.body.dataset.live === 'following'")
                self.browser.press("Backspace")
                self.settle("duck")
                self.browser.wait("document.body.dataset.live === 'following'")
                self.browser.click("#live")
                self.browser.wait("document.body.dataset.live === undefined")
                self.settle("duck")
                while server.get("/v1/status")["requests"]["openStreams"] > 0:
                    pass
            finally:
                self.browser.visit(self.server.url)
                server.close()
            # The browser itself reports connections that are refused.
            self.assertTrue(all("ERR_" in problem for problem in self.browser.problems), self.browser.problems)
            self.browser.problems.clear()
            self.browser.requests = [url for url in self.browser.requests if not url.startswith(server.url)]

    def test_engagement(self):
        # Of what is published nothing is remembered, and nothing is asked for.
        self.type("duck")
        self.settle("duck")
        self.browser.press("Enter")
        self.browser.wait("document.getElementById('object').open")
        self.assertFalse([url for url in self.browser.requests if "engagements" in url])
        with tempfile.TemporaryDirectory(prefix="textindex-learning-") as folder:
            server = Server(folder, "--allow-engagement", place="index")
            try:
                self.browser.visit(server.url)
                self.settle("")
                self.type("duck")
                self.settle("duck")
                last = self.shown()[-1]["id"]
                self.browser.click("#results li:last-child")
                self.browser.wait("document.getElementById('object').open")
                score = ("fetch('/v1/search?q=duck&limit=100&learned=%s').then(answer => answer.json())"
                         f".then(answer => answer.hits.find(hit => hit.id === '{last}').score)")
                plain = self.browser.value(score % "false")
                self.browser.wait(f"{score % 'true'}.then(score => score > {plain})")
                # It comes higher for whoever types the same.
                self.browser.press("Escape")
                # Until the box has the keys again.
                self.browser.wait(
                    "!document.getElementById('object').open && document.activeElement.id === 'box'")
                self.browser.press("Escape")
                self.browser.press("Escape")
                self.settle("")
                self.type("duck")
                self.settle("duck")
                learned = server.get("/v1/search", q="duck", lastWordIsPrefix="true", learned="true")
                self.assertEqual([hit["id"] for hit in self.shown()], [hit["id"] for hit in learned["hits"]])
                self.assertNotEqual(self.shown()[-1]["id"], last)
            finally:
                self.browser.requests = [url for url in self.browser.requests if not url.startswith(server.url)]
                self.browser.visit(self.server.url)
                server.close()

    def test_narrow_screens(self):
        self.browser.call("Emulation.setDeviceMetricsOverride", width=360, height=640, deviceScaleFactor=2, mobile=True)
        self.type("duck")
        self.settle("duck")
        self.assertLessEqual(self.browser.value("document.documentElement.scrollWidth"), 360)
        # Hits come first; the filters are unfolded by whoever wants them.
        self.assertLess(self.browser.value("document.querySelector('#results li').getBoundingClientRect().bottom"), 640)
        self.assertFalse(self.browser.value("document.querySelector('#facets').checkVisibility()"))
        self.browser.click("#filters > summary")
        self.browser.wait("document.querySelector('[data-attribute=cuisine]').checkVisibility()")
        self.browser.call("Emulation.setDeviceMetricsOverride", width=1200, height=860, deviceScaleFactor=1, mobile=False)
        self.browser.wait("document.querySelector('#filters').open && !document.querySelector('#filters > summary').checkVisibility()")
        self.browser.call("Emulation.setDeviceMetricsOverride", width=360, height=640, deviceScaleFactor=2, mobile=True)
        self.browser.wait("document.querySelector('#filters > summary').checkVisibility() && document.querySelector('#filters').open")
        self.browser.click("#filters > summary")
        self.browser.wait("!document.querySelector('#filters').open")

    def test_roles(self):
        roles = self.browser.value("[box.role, results.role, box.getAttribute('aria-controls'), summary.role]".replace(
            "results", "document.getElementById('results')").replace("summary", "document.getElementById('summary')"))
        self.assertEqual(roles, ["combobox", "listbox", "results", "status"])
        self.type("duck")
        self.settle("duck")
        self.assertEqual(self.browser.value("[...document.querySelectorAll('#results > *')].every(e => e.role === 'option')"), True)

    def test_light_and_dark(self):
        self.type("duck")
        self.settle("duck")
        brightness = """(() => { const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number);
          return (r + g + b) / 3; })()"""
        for scheme, name in [("light", "search-page.png"), ("dark", "search-page-dark.png")]:
            self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            value = self.browser.value(brightness)
            self.assertTrue(value > 230 if scheme == "light" else value < 60, f"{scheme}: {value}")
            if ARGUMENTS.figures:
                self.browser.screenshot(os.path.join(ARGUMENTS.figures, name))

    def test_status(self):
        self.browser.visit(f"{self.server.url}status")
        self.browser.wait("document.querySelectorAll('#indexes tr').length > 0")
        rows = self.browser.value("""Object.fromEntries([...document.querySelectorAll('tr')]
          .map(row => [row.cells[0].textContent, row.cells[1].textContent]))""")
        self.assertEqual(rows["Objects"], str(len(records())))
        self.assertEqual(rows["Fields"], "title, body")

    def test_token(self):
        path = os.path.join(self.folder.name, "token")
        with open(path, "w", encoding="utf-8") as file:
            file.write(TOKEN + "\n")
        server = Server(self.folder.name, "--token-file", path)
        try:
            self.browser.visit(server.url)
            self.browser.wait("!document.getElementById('ask').hidden")
            # The browser itself reports the answer 401.
            self.assertTrue(all("401" in problem for problem in self.browser.problems), self.browser.problems)
            self.browser.problems.clear()
            self.browser.insert(TOKEN)
            self.browser.press("Enter")
            self.browser.wait("document.querySelectorAll('#results li').length > 0")
        finally:
            self.browser.visit(self.server.url)
            # Facets are asked for beside results. All that page asked for came before this one.
            self.browser.requests = [url for url in self.browser.requests if not url.startswith(server.url)]
            self.browser.value("sessionStorage.clear()")
            server.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("textindex")
    parser.add_argument("--figures")
    ARGUMENTS, rest = parser.parse_known_args()
    ARGUMENTS.textindex = os.path.abspath(ARGUMENTS.textindex)
    unittest.main(argv=["browser_test.py", *rest], verbosity=1)
