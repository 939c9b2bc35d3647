import { html, type Markup, type Part } from "./markup.js";

/** Roles are explicit, because some screen readers lose them when small screens show a table as blocks. */
export function table(caption: string, heads: readonly string[], rows: readonly Markup[], kind = ""): Markup {
  const head = heads.map((name) => html`<th role="columnheader" scope="col">${name}</th>`);
  return html`<table class="stacked${kind}" role="table"><caption>${caption}</caption><thead role="rowgroup"><tr role="row">${head}</tr></thead><tbody role="rowgroup">${rows}</tbody></table>`;
}

export const row = (head: Markup, ...cells: readonly Part[]): Markup =>
  html`<tr role="row"><th role="rowheader" scope="row">${head}</th>${cells.map((cell) => html`<td role="cell">${cell}</td>`)}</tr>`;
