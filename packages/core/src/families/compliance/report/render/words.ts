import { dayOf } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { REASONS, type Reason } from "../../posture/compute/control.js";
import { html, type Markup } from "./markup.js";

/** Keeps a number and its sign on one line. */
const HARD_SPACE = "\u00a0";

export const percent = (value: number | null): string => (value === null ? "none" : `${value}${HARD_SPACE}%`);

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** `policy_result` as `Policy result`. */
export const words = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

export const because = (reasons: readonly Reason[]): string => reasons.map((reason) => REASONS[reason]).join(" ");

/** A day that does not wrap, with a machine-readable date. */
export const day = (at: string): Markup => html`<time datetime="${at}">${dayOf(at)}</time>`;

export const moment = (at: string): Markup => html`<time datetime="${at}">${dayOf(at)}, ${at.slice(11, 16)} UTC</time>`;

export const dayOr = (at: string | null, otherwise: string): string | Markup => (at === null ? otherwise : day(at));

/** The whole days between a moment and the moment of a report. */
export const ageOf = (at: string, asOf: string): string =>
  `${counted(Math.max(0, Math.floor((Date.parse(asOf) - Date.parse(at)) / daysMs(1))), "day")} old`;

/** Text whose parts in backticks are code. */
export const prose = (text: string): Markup =>
  html`${text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
