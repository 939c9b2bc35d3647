import { createHash } from "node:crypto";
import { dayOf } from "#ports/clock.js";

/** Colours of the light theme, which print always uses. */
const LIGHT = `--bg:#fff;--text:#1b1f24;--soft:#535b66;--line:#d5dae1;--panel:#f5f7fa;--accent:#1a4f9c;
--good:#1a7f4b;--good-bg:#ddf3e6;--good-text:#0f5132;--half:#b58105;--half-bg:#fbf0cf;--half-text:#6b4c00;
--bad:#c0362c;--bad-bg:#fbe1df;--bad-text:#8c1d15;--held:#7a4fb5;--held-bg:#ece2f8;--held-text:#54308a;
--none-bg:#e8ebef;--none-text:#3f4752;--off-bg:#f1f3f6;--off-text:#4b535e`;

const DARK = `--bg:#14171c;--text:#e6e9ee;--soft:#a9b2be;--line:#353c47;--panel:#1d2229;--accent:#8ab8ff;
--good:#3fae73;--good-bg:#12382a;--good-text:#9fe3bf;--half:#d3a52f;--half-bg:#3d3110;--half-text:#f4d98a;
--bad:#e2665c;--bad-bg:#481d1a;--bad-text:#ffb9b2;--held:#a983e0;--held-bg:#33254b;--held-text:#d9c5f8;
--none-bg:#2c323b;--none-text:#c8cfd9;--off-bg:#232830;--off-text:#b3bcc8`;

/** Print uses no background colours. Words name the states. */
const PAPER = `--panel:#fff;--good-bg:#fff;--half-bg:#fff;--bad-bg:#fff;--held-bg:#fff;--none-bg:#fff;--off-bg:#fff`;

/**
 * Text has a contrast of at least 4.5 to its background, and fills one of at least 3. Styles for small screens do not
 * apply to print.
 */
export const STYLE = `
:root{color-scheme:light dark;${LIGHT}}
@media screen and (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem 1rem 4rem;max-width:64rem;background:var(--bg);color:var(--text);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .25rem}
h2{font-size:1.35rem;line-height:1.25;margin:3rem 0 .25rem;padding-top:1rem;border-top:1px solid var(--line)}
h3{font-size:1.05rem;margin:1.75rem 0 .5rem}
p{margin:.25rem 0 .75rem}
a{color:var(--accent)}
.whose{font-size:1.15rem;font-weight:600}
.soft{color:var(--soft);font-size:.9rem}
.notice{border-left:4px solid var(--accent);background:var(--panel);padding:.6rem .9rem;font-weight:600}
code{font:.9em/1.4 ui-monospace,monospace}
time{white-space:nowrap}
small{display:block;color:var(--soft);font-size:.85rem}
dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:.75rem 0}
dt{color:var(--soft)}dd{margin:0;min-width:0}
.states dt{color:var(--text)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.75rem;margin:1rem 0}
.figure{background:var(--panel);border:1px solid var(--line);border-radius:.5rem;padding:.6rem .9rem}
.figure b{display:block;font-size:1.6rem;line-height:1.2;font-variant-numeric:tabular-nums}
.figure span{display:block}.figure .made{color:var(--soft);font-size:.85rem}
svg{overflow:visible}.patterns{position:absolute}
.bar{display:block;width:100%;height:1.25rem;margin:.75rem 0 .5rem}
.swatch{width:1rem;height:1rem;vertical-align:-.15rem}.sample{width:2rem;height:1rem;vertical-align:-.2rem}
.fill{stroke:var(--soft);stroke-width:1;fill:var(--panel)}
.fill.compliant{fill:var(--good)}.fill.partial{fill:var(--half)}.fill.exempted{fill:var(--held)}.fill.non_compliant{fill:var(--bad)}
.mark{fill:none;stroke:var(--bg);stroke-width:1.5}.mark.not_applicable,.mark.upcoming{stroke:var(--soft);stroke-width:1}
ul.legend{display:flex;flex-wrap:wrap;gap:.35rem 1.25rem;list-style:none;margin:0 0 1rem;padding:0;font-size:.92rem}
.legend b{font-variant-numeric:tabular-nums}
.state{display:inline-block;border-radius:1rem;padding:.05rem .6rem;font-size:.85rem;font-weight:600;white-space:nowrap}
.state.compliant{background:var(--good-bg);color:var(--good-text)}.state.partial{background:var(--half-bg);color:var(--half-text)}
.state.exempted{background:var(--held-bg);color:var(--held-text)}.state.non_compliant{background:var(--bad-bg);color:var(--bad-text)}
.state.not_assessed{background:var(--none-bg);color:var(--none-text)}.state.not_applicable,.state.upcoming{background:var(--off-bg);color:var(--off-text)}
.trend{display:block;width:100%;max-width:36rem;height:auto}
.grid{stroke:var(--line);stroke-width:.5}.axis{fill:var(--soft);font:9px system-ui,sans-serif}
.line{fill:none;stroke-width:1.75;stroke-linejoin:round}.line.score{stroke:var(--accent)}.line.coverage{stroke:var(--soft);stroke-dasharray:3 2}
.dot.score{fill:var(--accent)}.dot.coverage{fill:none;stroke:var(--soft);stroke-width:1.5}
table{width:100%;table-layout:fixed;border-collapse:collapse;margin:.25rem 0 1rem;font-size:.92rem}
caption{text-align:left;color:var(--soft);font-size:.85rem;padding:.25rem 0}
th,td{text-align:left;vertical-align:top;padding:.45rem .6rem;border-top:1px solid var(--line)}
thead th{border-top:0;border-bottom:2px solid var(--line);color:var(--soft);font-size:.85rem}
thead th:first-child{width:36%}thead th:nth-child(2){width:16%}
tbody th{font-weight:400}tbody th b{display:block}th b .soft{font-weight:400;margin-left:.25rem}
.numbers thead th:first-child{width:52%}.numbers thead th:nth-child(2){width:auto}
.numbers th+th,.numbers td{text-align:right;font-variant-numeric:tabular-nums}
.unit{display:none}
footer{margin-top:2rem}
@media screen and (max-width:48rem){h1{font-size:1.45rem}dl.facts{grid-template-columns:1fr}dd{margin-bottom:.35rem}
.figures{grid-template-columns:1fr 1fr}.axis{font-size:13px}.unit{display:inline;color:var(--soft)}
table.stacked thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table.stacked,.stacked tbody,.stacked tr,.stacked th,.stacked td,.stacked caption{display:block;width:auto}
.stacked tr{border-top:1px solid var(--line);padding:.5rem 0}.stacked tbody th,.stacked td{border:0;padding:.1rem 0}.numbers td{text-align:left}}
@page{margin:16mm 15mm 18mm;@bottom-right{content:counter(page) " / " counter(pages);font:9pt sans-serif;color:#535b66}}
@media print{:root{color-scheme:light;font-size:9.5pt;${PAPER}}
body{max-width:none;padding:0}th,td{padding:.3rem .5rem}h2{margin-top:1.25rem}.trend{max-width:26rem}.axis{font-size:11px}a{color:inherit}section h2{margin-top:0;padding-top:0;border:0}.state{padding:0}
tr,.figure,.trend,.notice,.source,.bar,.legend,dl.facts{break-inside:avoid}h2,h3,caption,thead,.bar,.trend{break-after:avoid}.source,.lines{break-before:avoid}
p{orphans:3;widows:3}section+section,header+main{break-before:page}}
`;

/** What stands at the foot of each printed page, so that a loose page tells which report it is of. */
export function footStyle({ asOf, digest }: { readonly asOf: string; readonly digest: string }): string {
  if (!/^[0-9a-f]{64}$/.test(digest) || !/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(asOf))
    throw new Error("This is no report.");
  return `@page{@bottom-left{content:"Compliance report of ${dayOf(asOf)}, SHA-256 ${digest}";font:7pt monospace;color:#535b66}}`;
}

/** Allows these styles only: no scripts, no images, nothing from other origins. */
export function contentPolicy(...styles: readonly string[]): string {
  const allowed = styles.map((style) => `'sha256-${createHash("sha256").update(style).digest("base64")}'`);
  return `default-src 'none'; style-src ${allowed.join(" ")}; base-uri 'none'; form-action 'none'`;
}
