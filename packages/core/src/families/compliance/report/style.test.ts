import { describe, expect, it } from "vitest";
import { html } from "./markup.js";
import { CONTENT_POLICY, STYLE } from "./style.js";

type Colours = Record<string, string>;

const colours = (text: string): Colours =>
  Object.fromEntries([...text.matchAll(/--([\w-]+):(#[0-9a-f]{3,6})/g)].map(([, name, value]) => [name, value]));
const [light = "", dark = "", print = ""] = [...STYLE.matchAll(/:root\{([^}]*)\}/g)].map(([, inner]) => inner);
const LIGHT = colours(light);
const THEMES = { light: LIGHT, dark: { ...LIGHT, ...colours(dark) }, print: { ...LIGHT, ...colours(print) } };

/** Relative luminance of WCAG 2.2. */
function luminance(hex: string): number {
  const long = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join("") : hex.slice(1);
  const [r = 0, g = 0, b = 0] = [0, 2, 4]
    .map((at) => Number.parseInt(long.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const STATES = ["good", "half", "bad", "held", "none", "off"];
const TEXTS = [
  ...["text", "soft", "accent"].flatMap((name) => [
    [name, "bg"],
    [name, "panel"],
  ]),
  ...STATES.map((name) => [`${name}-text`, `${name}-bg`]),
] as [string, string][];

describe("the style of a report", () => {
  it.each(Object.entries(THEMES))("has a contrast of 4.5 and more for every text, %s", (_theme, theme) => {
    const poor = TEXTS.filter(([text, back]) => contrast(theme[text] as string, theme[back] as string) < 4.5);
    expect(poor).toEqual([]);
  });

  it("draws nothing from elsewhere, and is let in by its own digest", () => {
    expect(STYLE).not.toMatch(/url\(|@import|expression/);
    expect(CONTENT_POLICY).toMatch(/^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='/);
  });
});

describe("markup", () => {
  it("takes all that is put in for text, unless it is markup itself", () => {
    const inner = html`<b>${`"><script>'&`}</b>`;
    expect(html`<p title="${'"'}">${inner}${[inner, 0]}${null}${undefined}${false}</p>`.text).toBe(
      '<p title="&quot;"><b>&quot;&gt;&lt;script&gt;&#39;&amp;</b><b>&quot;&gt;&lt;script&gt;&#39;&amp;</b>0</p>',
    );
  });
});
