import { describe, expect, it } from "vitest";
import { html } from "./markup.js";
import { contentPolicy, footStyle, STYLE } from "./style.js";

type Colours = Record<string, string>;

const colours = (text: string): Colours =>
  Object.fromEntries([...text.matchAll(/--([\w-]+):(#[0-9a-f]{3,6})/g)].map(([, name, value]) => [name, value]));
const roots = [...STYLE.matchAll(/(@media[^{]*\{)?:root\{([^}]*)\}/g)].map(([, media = "", inner = ""]) => ({
  media,
  inner,
}));
const rootOf = (media: string) => colours(roots.find((root) => root.media === media)?.inner ?? "");
const LIGHT = rootOf("");
const DARK_MEDIA = "@media screen and (prefers-color-scheme:dark){";
const THEMES = {
  light: LIGHT,
  dark: { ...LIGHT, ...rootOf(DARK_MEDIA) },
  print: { ...LIGHT, ...rootOf("@media print{") },
};

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

  it.each(Object.entries(THEMES))("has a contrast of 3 and more for all that is drawn, %s", (_theme, theme) => {
    const drawn = ["good", "half", "bad", "held", "soft", "accent"].flatMap((name) => [
      [name, "bg"],
      [name, "panel"],
    ]) as [string, string][];
    expect(drawn.filter(([one, back]) => contrast(theme[one] as string, theme[back] as string) < 3)).toEqual([]);
  });

  it("is light on paper whatever the theme, and is laid out for paper however narrow that is", () => {
    expect(roots.map(({ media }) => media)).toEqual(["", DARK_MEDIA, "@media print{"]);
    expect(STYLE.match(/@media [^{]*/g)?.filter((media) => !/^@media (?:screen and |print$)/.test(media))).toEqual([]);
    // The light theme must set every variable of the dark one, so that no dark value remains.
    expect(Object.keys(rootOf(DARK_MEDIA)).sort()).toEqual(Object.keys(LIGHT).sort());
    expect(roots.at(-1)?.inner).toContain("color-scheme:light;");
  });

  it("cuts no row on paper, and leaves no head alone at the end of a page", () => {
    const [, print = ""] = STYLE.split("@media print{");
    expect(print).toMatch(/^tr,[^{}]*\{break-inside:avoid\}/m);
    expect(print).toMatch(/\bh2,h3,caption,thead,[^{}]*\{break-after:avoid\}/);
    expect(STYLE).toContain("counter(page)");
  });

  it("draws nothing from elsewhere, and is let in by its own digest", () => {
    expect(STYLE).not.toMatch(/url\(|@import|expression/);
    expect(contentPolicy(STYLE)).toMatch(/^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'/);
  });

  it("names the report at the foot of each page, and takes nothing else in", () => {
    const report = { asOf: "2026-11-22T12:00:00.000Z", digest: "a".repeat(64) };
    expect(footStyle(report)).toContain(`"Compliance report of 2026-11-22, SHA-256 ${"a".repeat(64)}"`);
    for (const hostile of [{ digest: '"}</style><script>' }, { asOf: '2026-11-22"T' }])
      expect(() => footStyle({ ...report, ...hostile })).toThrow("no report");
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
