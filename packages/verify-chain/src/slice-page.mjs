// The page of a slice for people: one file without scripts and without anything from elsewhere.

/** @typedef {Readonly<Record<string, unknown>>} Value */

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}li{margin:.25rem 0}
table{border-collapse:collapse;width:100%}caption{text-align:left;padding:.5rem 0}
th,td{text-align:left;vertical-align:top;border-bottom:1px solid #767676;padding:.4rem .6rem .4rem 0;overflow-wrap:anywhere}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:0}summary{cursor:pointer}
@media(prefers-color-scheme:dark){body{color:#eee;background:#111}}@media print{details>*{display:block}}`;

/** @param {unknown} value */
const text = (value) => String(value ?? "").replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/**
 * A page of a slice that was verified. All of it is text: nothing of an event becomes markup.
 * @param {import("./verify-slice.mjs").Report} report @param {readonly string[]} statement
 * @param {readonly { event: Value, isOutside: boolean }[]} events
 */
export function pageOf({ chainid, head, after, to }, statement, events) {
  const shown = events.filter(({ isOutside }) => !isOutside);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Events ${text(after + 1)} to ${text(to)} of ${text(chainid)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>A slice of the record of ${text(chainid)}</h1>
<p>This page shows what was verified. It proves nothing by itself: verify the slice that it was made of.</p>
<h2>What is proven</h2>
<ul>
${statement.map((line) => `<li>${text(line)}</li>`).join("\n")}
</ul>
<h2>Events</h2>
${shown.length === 0 ? "<p>There are none.</p>" : tableOf(shown.map(({ event }) => event))}
<h2>What it rests on</h2>
<pre>${text(JSON.stringify(head, null, 2))}</pre>
</main>
</body>
</html>
`;
}

/** @param {readonly Value[]} events */
function tableOf(events) {
  const names = ["Sequence", "Time (UTC)", "Type", "Subject", "By", "Outcome", "Data"];
  return `<table>
<caption>${events.length} ${events.length === 1 ? "event" : "events"}, oldest first</caption>
<thead><tr>${names.map((name) => `<th scope="col">${name}</th>`).join("")}</tr></thead>
<tbody>
${events.map(rowOf).join("\n")}
</tbody>
</table>`;
}

/** @param {Value} event */
function rowOf({ sequence, time, type, subject, subjecttype, authtype, authid, outcome, data }) {
  const shown =
    data === null
      ? "erased or withheld"
      : `<details><summary>Show</summary><pre>${text(JSON.stringify(data, null, 2))}</pre></details>`;
  const cells = [Number(sequence), time, type, `${subjecttype} ${subject}`, `${authtype} ${authid}`, outcome];
  return `<tr>${cells.map((cell) => `<td>${text(cell)}</td>`).join("")}<td>${shown}</td></tr>`;
}
