import type { Report } from "../schema.js";
import { html, type Markup } from "./markup.js";
import { asset, more, person, WITHHELD } from "./registers.js";
import { row, table } from "./table.js";
import { counted, day, words } from "./words.js";

/** Decisions by related parties, each with who else has decided the same since. */
export function flaggedDecisions({ flaggedDecisions: flagged, people, omitted, withheld }: Report): Markup {
  if (withheld.includes("flaggedDecisions")) return WITHHELD;
  if (flagged.length === 0) return html`<p>No related party has decided anything.</p>`;
  const rows = flagged.map(({ id, act, subject, decidedBy, createdAt, relation, settledAt, settledBy }) =>
    row(
      html`<b>${act}</b> ${subject.name}<small>${words(subject.type)} <code>${subject.id}</code></small><small>Entry <code>${id}</code></small>`,
      settledAt === null ? "Open" : "Settled",
      html`Decided by ${person(people, decidedBy)}, flagged on ${day(createdAt)}: ${relation} ${
        settledAt === null
          ? "No unrelated person has decided the same since."
          : settledBy === null
            ? html`Its subject was removed on ${day(settledAt)}.`
            : html`Settled by ${person(people, settledBy)} on ${day(settledAt)}.`
      }`,
    ),
  );
  return html`${table(counted(flagged.length, "flagged decision"), ["Decision", "State", "Who decided, and how it was settled"], rows)}${more(omitted.flaggedDecisions)}`;
}

/** Halts, each with who has started and lifted it, and why. */
export function haltRegister({ halts, assets, people, omitted, withheld }: Report): Markup {
  if (withheld.includes("halts")) return WITHHELD;
  if (halts.length === 0) return html`<p>No agent was ever halted.</p>`;
  const rows = halts.map((halt) => {
    const { id, name, status, reason, createdBy, createdAt, findingId, liftRequest } = halt;
    return row(
      html`<b>${name}</b> ${stopped(halt, assets)}<small>Halt <code>${id}</code></small>`,
      words(status),
      html`Started by ${person(people, createdBy)} on ${day(createdAt)}.${
        findingId !== null && html` Because of finding <code>${findingId}</code>.`
      }${liftRequest && html` ${person(people, liftRequest.by)} asked on ${day(liftRequest.at)} for it to be lifted.`}${lifted(halt, people)}${
        reason !== "" && html`<small>“${reason}”</small>`
      }`,
    );
  });
  return html`${table(counted(halts.length, "halt"), ["Halt", "State", "Who started and lifted it"], rows)}${more(omitted.halts)}`;
}

type Halt = Report["halts"][number];

function stopped({ scope, target }: Halt, assets: Report["assets"]): Markup {
  if (scope === "all_agents") return html`All agents`;
  return scope === "team" ? html`Agents of the team ${target}` : asset(assets, target);
}

function lifted({ liftedBy, liftedAt, liftedReason, relatedParty }: Halt, people: Report["people"]): Markup | false {
  if (liftedAt === null) return false;
  const why = liftedReason && `: “${liftedReason}”`;
  return html` Lifted by ${person(people, liftedBy)} on ${day(liftedAt)}${relatedParty && ", a related party"}${why}.`;
}
