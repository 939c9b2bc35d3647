import { dayOf } from "#ports/clock.js";
import { figures, trend } from "../report-figures.js";
import type { Report, ReportFramework } from "../schema.js";
import { patterns, STATES, stateMeaning, stateName, swatch } from "./charts.js";
import { html, Markup } from "./markup.js";
import { assetAssessments, exemptionRegister, findings, person, policyRevisions, statement } from "./registers.js";
import { flaggedDecisions, haltRegister } from "./stops.js";
import { contentPolicy, footStyle, STYLE } from "./style.js";
import { controlTable, exemptions, frameworkTable, gaps } from "./tables.js";
import { day, dayOr, moment, words } from "./words.js";

/** The content security policy of the page of a report. */
export const policyOf = (report: Report): string => contentPolicy(STYLE, footStyle(report));

/** A report as one self-contained page. */
export function reportPage(report: Report): string {
  const { organization, asOf, inputsDigest, disclaimer, overall, frameworks, reportId, digest } = report;
  const controls = frameworks.flatMap((framework) => framework.controls);
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policyOf(report)}"><title>Compliance report of ${organization}, ${dayOf(asOf)}</title>
<style>${new Markup(STYLE)}</style><style>${new Markup(footStyle(report))}</style></head><body>${patterns()}<header><h1>Compliance report</h1><p class="whose">${organization}</p>
<dl class="facts"><dt>Generated, and as of</dt><dd>${moment(asOf)}</dd><dt>Period of the trend</dt><dd>${period(overall.trend)}</dd><dt>Prepared by</dt><dd>${person(report.people, report.preparedBy)}</dd>
<dt>Filed</dt><dd>${reportId === null ? "no; this is a draft" : html`as <code>${reportId}</code>; its digest stands in the chain of events`}</dd>
<dt>Digest of the report</dt><dd><code>${digest}</code></dd><dt>Digest of the inputs</dt><dd><code>${inputsDigest}</code></dd></dl><p class="notice">${disclaimer}</p>
<h2 id="verify">How to verify this</h2>${verifying(report)}
<nav aria-labelledby="contents"><h2 id="contents">Contents</h2><ol>${contents(frameworks)}</ol></nav></header>
<main><section aria-labelledby="overall"><h2 id="overall">All frameworks</h2>${figures(overall, controls)}
${trend(overall.trend, "all frameworks", "overall")}${frameworks.length > 1 && html`<h3>By framework</h3>${frameworkTable(frameworks)}`}</section>${frameworks.map((each, index) => frameworkSection(each, index, report))}
<section aria-labelledby="assets"><h2 id="assets">Assessments of assets</h2>${assetAssessments(report)}</section>
<section aria-labelledby="findings"><h2 id="findings">Open findings</h2>${findings(report)}</section>
<section aria-labelledby="exemptions"><h2 id="exemptions">Exemption register</h2>${exemptionRegister(report)}</section>
<section aria-labelledby="conflicts"><h2 id="conflicts">Decisions by related parties</h2>${flaggedDecisions(report)}</section>
<section aria-labelledby="halts"><h2 id="halts">Halts</h2>${haltRegister(report)}</section>
<section aria-labelledby="policies"><h2 id="policies">Policies</h2>${policyRevisions(report)}</section>
<section aria-labelledby="reading"><h2 id="reading">How to read this</h2>
<p>The score is the weight of what is met, and half of it for what is partly met, in percent of the weight that was assessed. The coverage is how many of the controls that
apply were assessed at all. Both are rounded down to a tenth. Where nothing was assessed there is no score.</p>
<h3>States of controls</h3><dl class="facts states">${STATES.map((state) => html`<dt>${swatch(state)} ${stateName(state)}</dt><dd>${stateMeaning(state)}</dd>`)}</dl>
<h3>Where the numbers are from</h3><p>The same report as JSON holds all inputs and every day of the lines over time. Equal inputs have the digest that stands at the head of this page, and give
equal numbers.</p></section></main>
<footer><p class="notice">${disclaimer}</p></footer></body></html>
`;
  return page.text;
}

/** The first and last day of the trend. */
function period(points: Report["overall"]["trend"]): Markup | string {
  const [first, last] = [points[0], points.at(-1)];
  return first && last ? html`${day(first.at)} to ${day(last.at)}` : "one day";
}

function verifying({ reportId }: Report): Markup {
  const filed =
    reportId !== null &&
    html`<li><code>GET /api/v1/ai/activity/${reportId}</code> answers the event <code>compliance.report.filed</code>. Its <code>data.digest</code> is the digest of the report.</li>
<li><code>npx @reeve/verify-chain</code> over an export of the events shows that nobody has changed that event since.</li>`;
  return html`<ol><li>Take the report as JSON, leave out its field <code>digest</code>, and write the rest in the canonical form of RFC 8785. Its SHA-256 is the digest of the report.</li>
<li>The same of its field <code>inputs</code> is the digest of the inputs.</li>${filed}</ol>`;
}

const REGISTERS = [
  ["assets", "Assessments of assets"],
  ["findings", "Open findings"],
  ["exemptions", "Exemption register"],
  ["conflicts", "Decisions by related parties"],
  ["halts", "Halts"],
  ["policies", "Policies"],
  ["reading", "How to read this"],
] as const;

function contents(frameworks: Report["frameworks"]): Markup[] {
  const sections = [["overall", "All frameworks"], ...frameworks.map(({ name }, at) => [`framework-${at}`, name])];
  return [...sections, ...REGISTERS].map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`);
}

function frameworkSection(framework: ReportFramework, index: number, report: Report): Markup {
  const { assessments, people, statement: lines } = report;
  const records = new Map(assessments.map((record) => [record.id, record]));
  const { name, edition, publisher, source, sourceUrl, checkedOn, evidenceFreshness: fresh, controls } = framework;
  return html`<section class="framework" aria-labelledby="framework-${index}"><h2 id="framework-${index}">${name}</h2><p class="soft">${publisher}. ${edition}.</p>${profile(framework, people)}
${figures(framework, controls)}${trend(framework.trend, name, `${index}`)}
<h3>Freshness of evidence</h3><dl class="facts"><dt>Oldest evidence in use</dt><dd>${dayOr(fresh.oldest, "none")}</dd><dt>Oldest evaluation in use</dt><dd>${dayOr(fresh.oldestEvaluation, "none")}</dd>
<dt>Evidence that is too old</dt><dd>${fresh.staleCount}</dd><dt>Next to grow too old</dt><dd>${dayOr(fresh.nextExpiry, "none")}</dd></dl>
<h3>Gaps</h3>${gaps(framework)}
<h3>Exemptions</h3>${exemptions(controls)}
${statement(lines.filter((line) => line.framework === framework.framework))}
<h3>Controls</h3>${controlTable(controls, { records, report })}
<p class="soft source">${source} ${checkedOn && html`Checked on ${day(checkedOn)}.`} ${sourceUrl && html`<a href="${sourceUrl}" rel="noreferrer">${sourceUrl}</a>`}</p></section>`;
}

function profile({ adoption, roles }: ReportFramework, people: Report["people"]): Markup {
  if (adoption === null) return html`<p>It is not adopted, so it counts as for an organisation of every role.</p>`;
  const as = roles.length === 0 ? "in every role" : `as ${roles.map((role) => words(role).toLowerCase()).join(", ")}`;
  return html`<p>Adopted ${as}, last changed by ${person(people, adoption.updatedBy)} on ${day(adoption.updatedAt)}.${
    adoption.scope !== "" && ` Scope: ${adoption.scope}`
  }</p>`;
}
