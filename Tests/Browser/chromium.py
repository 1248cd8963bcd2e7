"""Drives a headless Chromium by the DevTools protocol, over a pair of pipes. Standard library only."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Chromium:
    """A browser with one page. What it logs and asks for is kept in `problems` and `requests`."""

    def __init__(self, executable="chromium", patience=60):
        self.patience = patience
        self.profile = tempfile.mkdtemp(prefix="textindex-browser-")
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()

        def pipes():
            # The browser reads from descriptor 3 and writes to 4. The numbers may be in use as our
            # own ends.
            reader, writer = os.dup(to_browser), os.dup(from_browser)
            os.dup2(reader, 3)
            os.dup2(writer, 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)

        self.process = subprocess.Popen(
            [
                executable, "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu",
                "--no-default-browser-check", "--disable-background-networking", "--disable-component-update",
                "--disable-dev-shm-usage", "--hide-scrollbars", f"--user-data-dir={self.profile}",
                # Its sandbox cannot be had by root, nor in most containers; it visits no page but
                # ours.
                "--no-sandbox", "about:blank",
            ],
            preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.problems = []
        self.requests = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.output)
        os.close(self.input)
        shutil.rmtree(self.profile, ignore_errors=True)

    # The protocol

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") != self.number:
                self._note(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            else:
                return answer["result"]

    def _message(self):
        deadline = time.monotonic() + self.patience
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.input], [], [], max(deadline - time.monotonic(), 0))
            more = os.read(self.input, 1 << 16) if ready else b""
            if not more:
                raise RuntimeError("the browser does not answer")
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def _note(self, event):
        method, what = event.get("method"), event.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(what["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.problems.append(what["exceptionDetails"].get("exception", {}).get("description", "exception"))
        elif method == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning", "assert"):
            self.problems.append(f"console.{what['type']}: {what['args']}")
        elif method == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning"):
            self.problems.append(f"{what['entry']['source']}: {what['entry']['text']} {what['entry'].get('url', '')}")

    # The page

    def visit(self, url):
        self.call("Page.navigate", url=url)
        self.wait(f"document.readyState === 'complete' && location.href.startsWith({json.dumps(url)})")

    def value(self, expression):
        """What an expression of JavaScript is."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, condition):
        """Until a condition holds in the page; fails when it does not come to hold."""
        deadline = time.monotonic() + self.patience
        while True:
            try:
                if self.value(condition):
                    return
            except RuntimeError:
                # Between two pages there is nothing to ask.
                pass
            if time.monotonic() > deadline:
                raise AssertionError(f"this did not come to hold: {condition}")
            self.value("new Promise(requestAnimationFrame).then(() => 0)")

    def press(self, key, text=None):
        """Presses and releases a key, as a keyboard does."""
        codes = {"ArrowDown": 40, "ArrowUp": 38, "Enter": 13, "Escape": 27, "Backspace": 8, "/": 191, " ": 32}
        what = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0].upper()))}
        text = text if text is not None else key if len(key) == 1 else "\r" if key == "Enter" else None
        if text:
            what["text"] = text
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **what)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=what["windowsVirtualKeyCode"])

    def insert(self, text):
        """Puts in text that no key has, as an input method commits it."""
        self.call("Input.insertText", text=text)

    def click(self, selector):
        """Clicks in the middle of an element, with the mouse."""
        place = self.value(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
            " const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.call(
                "Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
