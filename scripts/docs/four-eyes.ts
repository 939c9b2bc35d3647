import { FOUR_EYES_PLACES, type Machine } from "@reeve/core/reference";
import { code, markdownPage, type ReferencePage, table } from "./markdown.js";

/** Every decision that takes a four-eyes approver. */
export function fourEyesPage(machines: readonly Machine[]): ReferencePage {
  const moves = machines.flatMap(({ name, transitions }) =>
    transitions
      .filter(({ fourEyes }) => fourEyes)
      .map(({ event, to, permission }) => [
        code(`${name}: ${event}`),
        `The move to ${code(to)}`,
        permission ? code(permission) : "",
      ]),
  );
  const others = FOUR_EYES_PLACES.map(({ act, decides }) => [code(act), decides, ""]);
  return markdownPage("four-eyes.md", "Decisions that take a four-eyes approver", [
    "Who asked for a matter, changed it or owns it since its last decision has a conflict of interest, and a machine stands for who made it, " +
      "gave it credentials or owns it. A decision with a conflict of interest answers 403 `self_approval_forbidden`. One by somebody whose account " +
      "comes from somebody involved, or the reverse, is flagged, or answers 403 `related_party_forbidden` where the tenant's setting " +
      "`relatedParty` is `refuse`. Machines take none of these decisions.",
    table(["Act", "Decision", "Permission"], [...moves, ...others]),
  ]);
}
