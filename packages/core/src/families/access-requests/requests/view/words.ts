import { cutText } from "#kernel/records/cut-text.js";
import { approvalsOf, neededFor } from "../rules.js";
import { type AccessRequest, activeStage, type RequestItem } from "../schema.js";

const MAY: Readonly<Record<string, string>> = {
  read: "read",
  write: "read and change",
  destructive: "read, change and delete",
  admin: "administer",
};
const NAMED = 5;

/** What an item would let the asset do, in a sentence. */
export function allowsInWords(
  { resourceName, profileName, effect, permissions, parameters }: RequestItem,
  who: string,
  time: string,
): string {
  const more = permissions.length > NAMED ? ` and ${permissions.length - NAMED} more` : "";
  const listed = permissions.length > 0 ? `: ${permissions.slice(0, NAMED).join(", ")}${more}` : "";
  const narrowed = Object.keys(parameters).length > 0 ? `, within ${cutText(JSON.stringify(parameters), 300)}` : "";
  return `"${who}" may ${MAY[effect] ?? effect} "${resourceName}" (${profileName}${listed})${narrowed}, ${time}.`;
}

/** How long access would last, in words. */
export function timeInWords(
  request: Pick<AccessRequest, "granted" | "duration" | "expiresAt" | "isPermanent" | "notBefore">,
): string {
  const { duration, expiresAt, isPermanent } = request.granted ?? request;
  const from = request.notBefore === null ? "" : ` from ${request.notBefore} on`;
  if (isPermanent) return `without an end${from}`;
  const ends = [
    ...(duration === null ? [] : [`for ${duration} from when it is granted`]),
    ...(expiresAt === null ? [] : [`until ${expiresAt}`]),
  ];
  return `${ends.join(", and ")}${from}`;
}

/** Why a request waits, and for whom. */
export function waitsInWords(request: AccessRequest): string | null {
  const { status, stages, votes, items, notBefore } = request;
  const stage = activeStage(request);
  if (stage) {
    const at = stages.indexOf(stage);
    const missing = neededFor(stage) - approvalsOf(votes, at).length;
    const round = `Round ${at + 1} of ${stages.length}, "${stage.name}"`;
    if (stage.candidates.length === 0) return `${round}: nobody was found who may decide it. Reeve looks again.`;
    const info = request.awaitingInfo ? " Somebody wants to know more." : "";
    return `${round}: it takes ${missing} more of ${stage.candidates.length} who are asked.${info}`;
  }
  if (status === "submitted") return "Nobody has looked yet at what it takes.";
  if (status === "approved") return "It is approved, and granted next.";
  if (status === "scheduled") return `It is approved, and begins at ${notBefore}.`;
  if (status === "provisioning") {
    const open = items.filter((item) => item.status === "provisioning").length;
    return `The target is asked to grant ${open} of ${items.length}.`;
  }
  return null;
}
