import { createHash } from "node:crypto";

/** Every pair of text and background here has a contrast of 4.5 and more. */
export const STYLE = `
:root{color-scheme:light dark;--bg:#fff;--text:#1b1f24;--soft:#535b66;--line:#d5dae1;--panel:#f5f7fa;--accent:#1a4f9c;
--good:#1a7f4b;--good-bg:#ddf3e6;--good-text:#0f5132;--half:#b58105;--half-bg:#fbf0cf;--half-text:#6b4c00;
--bad:#c0362c;--bad-bg:#fbe1df;--bad-text:#8c1d15;--held:#7a4fb5;--held-bg:#ece2f8;--held-text:#54308a;
--none:#8b95a3;--none-bg:#e8ebef;--none-text:#3f4752;--off:#c9cfd7;--off-bg:#f1f3f6;--off-text:#4b535e}
@media (prefers-color-scheme:dark){:root{--bg:#14171c;--text:#e6e9ee;--soft:#a9b2be;--line:#353c47;--panel:#1d2229;--accent:#8ab8ff;
--good:#3fae73;--good-bg:#12382a;--good-text:#9fe3bf;--half:#d3a52f;--half-bg:#3d3110;--half-text:#f4d98a;
--bad:#e2665c;--bad-bg:#481d1a;--bad-text:#ffb9b2;--held:#a983e0;--held-bg:#33254b;--held-text:#d9c5f8;
--none:#76808e;--none-bg:#2c323b;--none-text:#c8cfd9;--off:#454d59;--off-bg:#232830;--off-text:#b3bcc8}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem 1rem 4rem;max-width:64rem;background:var(--bg);color:var(--text);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .25rem}
h2{font-size:1.35rem;line-height:1.25;margin:3rem 0 .25rem;padding-top:1rem;border-top:1px solid var(--line)}
h3{font-size:1.05rem;margin:1.75rem 0 .5rem}
p{margin:.25rem 0 .75rem}
a{color:var(--accent)}
.soft{color:var(--soft);font-size:.9rem}
.notice{border-left:4px solid var(--accent);background:var(--panel);padding:.6rem .9rem;font-weight:600}
code{font:.85em/1.4 ui-monospace,monospace}
dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:.75rem 0}
dt{color:var(--soft)}dd{margin:0;min-width:0}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.75rem;margin:1rem 0}
.figure{background:var(--panel);border:1px solid var(--line);border-radius:.5rem;padding:.6rem .9rem}
.figure b{display:block;font-size:1.6rem;line-height:1.2;font-variant-numeric:tabular-nums}
.figure span{color:var(--soft);font-size:.85rem}
.bar{display:block;width:100%;height:1.25rem;border-radius:.25rem;margin:.75rem 0 .5rem;background:var(--panel)}
.fill{stroke:var(--bg);stroke-width:1;vector-effect:non-scaling-stroke}
.fill.compliant{fill:var(--good)}.fill.partial{fill:var(--half)}.fill.exempted{fill:var(--held)}.fill.non_compliant{fill:var(--bad)}
.fill.not_assessed{fill:var(--none)}.fill.not_applicable,.fill.upcoming{fill:var(--off)}
ul.legend{display:flex;flex-wrap:wrap;gap:.35rem .5rem;list-style:none;margin:0 0 1rem;padding:0}
.state{display:inline-block;border-radius:1rem;padding:.05rem .6rem;font-size:.85rem;font-weight:600;white-space:nowrap}
.state.compliant{background:var(--good-bg);color:var(--good-text)}.state.partial{background:var(--half-bg);color:var(--half-text)}
.state.exempted{background:var(--held-bg);color:var(--held-text)}.state.non_compliant{background:var(--bad-bg);color:var(--bad-text)}
.state.not_assessed{background:var(--none-bg);color:var(--none-text)}.state.not_applicable,.state.upcoming{background:var(--off-bg);color:var(--off-text)}
.trend{display:block;width:100%;max-width:36rem;height:auto}
.grid{stroke:var(--line);stroke-width:.5}.axis{fill:var(--soft);font:9px system-ui,sans-serif}
.line{fill:none;stroke-width:1.75;stroke-linejoin:round}.line.score{stroke:var(--accent)}.line.coverage{stroke:var(--soft);stroke-dasharray:3 2}
.dot.score{fill:var(--accent)}.dot.coverage{fill:none;stroke:var(--soft);stroke-width:1.5}
table{width:100%;border-collapse:collapse;margin:.25rem 0 1rem;font-size:.92rem}
caption{text-align:left;color:var(--soft);font-size:.85rem;padding:.25rem 0}
th,td{text-align:left;vertical-align:top;padding:.45rem .6rem;border-top:1px solid var(--line)}
thead th{border-top:0;border-bottom:2px solid var(--line);color:var(--soft);font-size:.85rem}
tbody th{font-weight:400;width:44%}tbody th b{display:block}
td.number{font-variant-numeric:tabular-nums;white-space:nowrap}
footer{margin-top:3rem;border-top:1px solid var(--line);padding-top:1rem}
@media (max-width:40rem){h1{font-size:1.45rem}dl.facts{grid-template-columns:1fr}dd{margin-bottom:.35rem}
table.stacked thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table.stacked,.stacked tbody,.stacked tr,.stacked th,.stacked td,.stacked caption{display:block;width:auto}
.stacked tr{border-top:1px solid var(--line);padding:.5rem 0}.stacked tbody th,.stacked td{border:0;padding:.1rem 0}}
@media print{:root{color-scheme:light;--bg:#fff;--text:#000;--soft:#444;--line:#bbb;--panel:#fff;--accent:#1a4f9c;
--good-bg:#fff;--good-text:#0f5132;--half-bg:#fff;--half-text:#6b4c00;--bad-bg:#fff;--bad-text:#8c1d15;--held-bg:#fff;--held-text:#54308a;
--none-bg:#fff;--none-text:#3f4752;--off-bg:#fff;--off-text:#4b535e}
body{max-width:none;padding:0;font-size:10pt}tr,.figure,.trend{break-inside:avoid}h2,h3{break-after:avoid}section.framework{break-before:page}
.fill{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`;

/** Lets this style in, and nothing else: no script, no image, nothing from anywhere. */
export const CONTENT_POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'`;
