import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  CHROMIUM,
  expectAccessible,
  type RunningChromium,
  startChromium,
  type Visitor,
  visit,
} from "@reeve/testkit/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const STYLE = "body { color: #111; background: #fff } :focus { outline: 2px solid #00f }";
const POLICY = `default-src 'none'; script-src 'nonce-a'; style-src 'nonce-a'; connect-src http:; img-src data:`;

const html = (body: string, script = "", style = STYLE) =>
  `<!doctype html><html lang="en"><title>A page</title><style nonce="a">${style}</style><link rel="icon" href="data:,">
<main><h1>A page</h1>${body}</main><script nonce="a">${script}</script></html>`;

const FORM = `<a href="#there">There</a><label>Name <input id="name"></label>
<button type="button" id="save">Save: “all”</button><button type="button" tabindex="-1">Out of reach</button>
<p id="said" role="status"></p>`;
const SAVE = `document.querySelector("#save").onclick = () => {
  document.querySelector("#said").textContent = document.querySelector("#name").value;
};`;

const PAGES = new Map([
  ["/clean", html(FORM, SAVE)],
  ["/throws", html("", "setTimeout(() => { throw new Error('of the page'); })")],
  ["/warns", html("", "console.warn('mind this')")],
  ["/elsewhere", html("", "fetch('http://localhost:9/').catch(() => {})")],
  ["/inline", html('<p onclick="alert(1)">Text</p><p style="color: red">Red</p>')],
  ["/refused", html("", "fetch('/missing')")],
  ["/faint", html('<p class="faint">Faint</p><img src="data:,">', "", `${STYLE} .faint { color: #eee }`)],
  ["/dark", html("<p>Dark</p>", "", `${STYLE} @media (prefers-color-scheme: dark) { body { background: #222 } }`)],
  ["/hidden", html(FORM, SAVE, ":focus { outline: none }")],
]);

describe.skipIf(!CHROMIUM.path)(`the browser of the testkit${CHROMIUM.note}`, () => {
  let chromium: RunningChromium;
  let origin: string;
  const server = createServer(({ url = "" }, answer) => {
    const page = PAGES.get(url);
    answer.writeHead(page ? 200 : 404, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
    });
    answer.end(page);
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    chromium = await startChromium();
  });
  afterAll(async () => {
    await chromium?.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const to = (path: string, steps: (visitor: Visitor) => Promise<void> = async () => {}) =>
    visit(chromium.browser, { origin }, async (visitor) => {
      await visitor.page.goto(path);
      await visitor.page.waitForLoadState("networkidle");
      await steps(visitor);
    });

  it("lets a page pass that does nothing wrong, by keyboard and by axe", async () => {
    await to("/clean", async ({ page, keyboard }) => {
      await keyboard.fill("textbox", "Name", "Ada");
      await keyboard.activate("button", "Save: “all”");
      await expect.poll(() => page.getByRole("status").textContent()).toBe("Ada");
      await expectAccessible(page);
    });
  });

  it.each([
    ["an error", "/throws", /of the page/],
    ["a warning", "/warns", /warning: mind this/],
    ["a request elsewhere", "/elsewhere", /another origin: GET http:\/\/localhost:9\//],
    ["what the policy forbids", "/inline", /policy violated: script-src-attr[\s\S]*style-src-attr/],
    ["a refusal", "/refused", /status of 404/],
  ])("sees %s", async (_what, path, expected) => {
    await expect(to(path)).rejects.toThrow(expected);
  });

  it("lets a refusal pass that is part of the journey", async () => {
    await visit(chromium.browser, { origin }, async ({ page, expectStatus }) => {
      expectStatus(404);
      await page.goto("/refused");
      await page.waitForLoadState("networkidle");
    });
  });

  it.each([
    ["faint text and a picture without words", "/faint", /color-contrast[\s\S]*image-alt/],
    ["dark text on dark, in dark alone", "/dark", /^axe finds on [^\n]*\ndark: color-contrast(?![\s\S]*light:)/],
  ])("finds %s", async (_what, path, expected) => {
    await expect(to(path, ({ page }) => expectAccessible(page))).rejects.toThrow(expected);
  });

  it("says which controls it has passed when it does not reach one, and that a focus is not shown", async () => {
    const beyond = async ({ keyboard }: Visitor) => keyboard.tabTo("button", "Out of reach", 5);
    await expect(to("/clean", beyond)).rejects.toThrow(/link "There"\ntextbox "Name"\nbutton "Save: “all”"/);
    await expect(to("/hidden", beyond)).rejects.toThrow(/the focus is not shown on link "There"/);
  });
});
