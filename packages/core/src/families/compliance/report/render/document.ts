import { dayOf } from "../../../../ports/clock.js";
import { figures, trend } from "../figures/figures.js";
import type { Report, ReportFramework } from "../schema.js";
import { patterns, STATES, stateMeaning, stateName, swatch } from "./charts.js";
import { html, Markup } from "./markup.js";
import { CONTENT_POLICY, STYLE } from "./style.js";
import { controlTable, exemptions, frameworkTable, gaps } from "./tables.js";
import { day, dayOr, moment } from "./words.js";

/** A report as one self-contained page. */
export function reportPage(report: Report): string {
  const { organization, asOf, inputsDigest, disclaimer, overall, frameworks } = report;
  const controls = frameworks.flatMap((framework) => framework.controls);
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${CONTENT_POLICY}"><title>Compliance report of ${organization}, ${dayOf(asOf)}</title>
<style>${new Markup(STYLE)}</style></head><body>${patterns()}<header><h1>Compliance report</h1><p class="whose">${organization}</p>
<dl class="facts"><dt>As of</dt><dd>${moment(asOf)}</dd><dt>Digest of the inputs</dt><dd><code>${inputsDigest}</code></dd></dl><p class="notice">${disclaimer}</p></header>
<main><section aria-labelledby="overall"><h2 id="overall">All frameworks</h2>${figures(overall, controls)}
${trend(overall.trend, "all frameworks", "overall")}${frameworks.length > 1 && html`<h3>By framework</h3>${frameworkTable(frameworks)}`}</section>${frameworks.map(frameworkSection)}
<section aria-labelledby="reading"><h2 id="reading">How to read this</h2>
<p>The score is the weight of what is met, and half of it for what is partly met, in percent of the weight that was assessed. The coverage is how many of the controls that
apply were assessed at all. Both are rounded down to a tenth. Where nothing was assessed there is no score.</p>
<h3>States of controls</h3><dl class="facts states">${STATES.map((state) => html`<dt>${swatch(state)} ${stateName(state)}</dt><dd>${stateMeaning(state)}</dd>`)}</dl>
<h3>Where the numbers are from</h3><p>The same report as JSON holds all inputs and every day of the lines over time. Equal inputs have the digest that stands at the head of this page, and give
equal numbers. A record can be looked up by its id, with who assessed it, what evidence there is, and what has become of it.</p></section></main>
<footer><p class="notice">${disclaimer}</p></footer></body></html>
`;
  return page.text;
}

function frameworkSection(framework: ReportFramework, index: number): Markup {
  const { name, edition, publisher, source, sourceUrl, checkedOn, evidenceFreshness: fresh, controls } = framework;
  return html`<section class="framework" aria-labelledby="framework-${index}"><h2 id="framework-${index}">${name}</h2><p class="soft">${publisher}. ${edition}.</p>
${figures(framework, controls)}${trend(framework.trend, name, `${index}`)}
<h3>Freshness of evidence</h3><dl class="facts"><dt>Oldest evidence in use</dt><dd>${dayOr(fresh.oldest, "none")}</dd><dt>Oldest evaluation in use</dt><dd>${dayOr(fresh.oldestEvaluation, "none")}</dd>
<dt>Evidence that is too old</dt><dd>${fresh.staleCount}</dd><dt>Next to grow too old</dt><dd>${dayOr(fresh.nextExpiry, "none")}</dd></dl>
<h3>Gaps</h3>${gaps(framework)}
<h3>Exemptions</h3>${exemptions(controls)}
<h3>Controls</h3>${controlTable(controls)}
<p class="soft source">${source} ${checkedOn && html`Checked on ${day(checkedOn)}.`} ${sourceUrl && html`<a href="${sourceUrl}" rel="noreferrer">${sourceUrl}</a>`}</p></section>`;
}
