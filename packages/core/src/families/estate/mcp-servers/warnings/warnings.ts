import { jsonPointer } from "#kernel/http/json-pointer.js";
import { cutText } from "#kernel/records/cut-text.js";
import type { McpSnapshot, McpTool } from "#ports/mcp.js";
import { inTurns } from "#store/event-loop.js";
import { dispatchedBy } from "../../tools/effects-dispatcher.js";
import { contradiction } from "../../tools/tool-effects.js";
import type { Offer } from "../manifest/manifest.js";
import { contentOf } from "../manifest/pin.js";
import { mixesScripts, skeletonOf } from "./confusables.js";

/** Warnings for reviewers, with their meaning. They approve or refuse nothing. */
export const WARNINGS = {
  invisible_characters: "Text holds characters that cannot be seen, or that turn the direction of what follows.",
  mixed_scripts: "A word mixes letters of scripts that look alike.",
  lookalike_name: "Two names of this server can be taken for each other.",
  instruction_pattern: "Text speaks to the model as an order rather than describing.",
  annotation_contradicts_name: "A tool is named after what its annotations deny. Its effects are those of the name.",
  dispatcher: "A tool finds, enables or runs others, so that what is approved here is not all that can be done.",
  mapping_malformed:
    "A tool says by a mapping how it is authorized, and the mapping cannot be applied. Calls of it are denied there.",
  mapping_subject:
    "The mapping of a tool takes the subject from elsewhere than the token. Calls are denied unless both are the same.",
  part_left_out: "The server says that it has this part, and it could not be read. What it holds is unknown.",
  same_name_elsewhere: "Another server of the tenant has a tool of this name, or one that looks like it.",
  server_renamed: "The server calls itself otherwise than when it was approved.",
  server_name_taken: "Another server of the tenant calls itself so.",
  protocol_downgraded: "The server answers an older handshake than it did before.",
} as const;

export type WarningCode = keyof typeof WARNINGS;

export interface Warning {
  readonly code: WarningCode;
  /** JSON pointer into the snapshot. */
  readonly pointer: string;
  /** The name, or the words that matched. Invisible characters are shown as code points. */
  readonly detail: string;
}

/** The most warnings reported for one snapshot. */
export const MOST_WARNINGS = 100;

/**
 * Control, zero-width and bidirectional characters, tags, and variation selectors beyond emoji. A joiner between emoji
 * is allowed.
 */
const INVISIBLE =
  /(?![\t\n\r])\p{Cc}|[\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B\u200C\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\u{E0000}-\u{E01EF}]|(?<!\p{Extended_Pictographic}\uFE0F?|\p{Emoji_Modifier})\u200D/u;

/** Patterns of prompt injection that no description of a tool needs. All match in linear time. */
const ORDERS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget)\s+(?:all\s+|any\s+|the\s+|your\s+)*(?:previous|prior|above|earlier|other)\s+(?:instructions?|rules?|prompts?|messages?)/i,
  /<\/?(?:important|system|instructions?|secret|assistant|user)>/i,
  /\b(?:do\s+not|don't|never|without)\s+(?:tell|mention|inform|notify|reveal|telling|mentioning|informing|notifying)\b/i,
  /\bsystem\s+prompt\b/i,
  /\byou\s+must\s+(?:first|always|also|now|never)\b/i,
  /\b(?:before|after)\s+(?:using|calling|invoking)\s+(?:this|any|the)\s+(?:other\s+)?tools?\b/i,
  /(?:~|\$HOME)?\/\.(?:ssh|aws|gnupg|kube|netrc)\b|\bid_(?:rsa|ed25519)\b|\.cursor\/mcp\.json|\bmcp\.json\b|(?<![\w-])\.env\b/i,
  /<!--/,
];

/** Warnings about the texts and names of an offer. */
export function offerWarnings(offer: Offer): Promise<Warning[]> {
  return inTurns(warningSteps(offer));
}

function* warningSteps(offer: Offer): Generator<void, Warning[]> {
  const found = lookalikes(offer);
  yield;
  for (const [index, tool] of offer.tools.entries()) {
    if (found.length >= MOST_WARNINGS) break;
    found.push(...toolWarnings(tool, index));
    yield;
  }
  for (const [pointer, text] of textsOf(offer)) {
    if (found.length >= MOST_WARNINGS) break;
    found.push(...textWarnings(pointer, text));
    yield;
  }
  return found.slice(0, MOST_WARNINGS);
}

function textWarnings(pointer: string, text: string): Warning[] {
  const found: Warning[] = [];
  const invisible = INVISIBLE.exec(text)?.[0];
  if (invisible !== undefined)
    found.push({
      code: "invisible_characters",
      pointer,
      detail: `U+${invisible.codePointAt(0)?.toString(16).toUpperCase()}`,
    });
  if (mixesScripts(text)) found.push({ code: "mixed_scripts", pointer, detail: "" });
  const order = ORDERS.map((pattern) => pattern.exec(text)?.[0]).find((words) => words !== undefined);
  if (order !== undefined) found.push({ code: "instruction_pattern", pointer, detail: cutText(order, 100) });
  return found;
}

function toolWarnings(tool: McpTool, index: number): Warning[] {
  const content = contentOf(tool);
  const [named, dispatched] = [contradiction(content), dispatchedBy(content)];
  return [
    ...(named
      ? [{ code: "annotation_contradicts_name", pointer: `/tools/${index}/annotations`, detail: named.verb } as const]
      : []),
    ...(dispatched === undefined
      ? []
      : [{ code: "dispatcher", pointer: `/tools/${index}`, detail: dispatched } as const]),
  ];
}

/** Parts that could not be read. They come first, because they are about what is not shown. */
export function leftOutWarnings({ leftOut = [], ...offer }: Offer & Pick<McpSnapshot, "leftOut">): Warning[] {
  const parts = leftOut.map(({ part, reason }) => [`/${part}`, reason] as const);
  const members = (["tools", "prompts", "resourceTemplates"] as const).flatMap((list) =>
    offer[list].flatMap((entry, at) =>
      (entry.leftOut ?? []).map((name) => [`/${list}/${at}${jsonPointer([name])}`, "invalid_type"] as const),
    ),
  );
  return [...parts, ...members].map(([pointer, detail]) => ({ code: "part_left_out", pointer, detail }));
}

function lookalikes({ tools }: Offer): Warning[] {
  const seen = new Map<string, string>();
  const found: Warning[] = [];
  for (const [index, { name }] of tools.entries()) {
    const skeleton = skeletonOf(name);
    const other = seen.get(skeleton);
    if (other !== undefined) found.push({ code: "lookalike_name", pointer: `/tools/${index}/name`, detail: other });
    else seen.set(skeleton, name);
  }
  return found;
}

/** Every text that a model or a reviewer reads, with its pointer. */
function textsOf({ instructions, tools, prompts, resourceTemplates }: Offer): [pointer: string, text: string][] {
  return [
    ...textsIn(instructions, "/instructions"),
    ...textsIn(tools, "/tools"),
    ...textsIn(prompts, "/prompts"),
    ...textsIn(resourceTemplates, "/resourceTemplates"),
  ];
}

function textsIn(value: unknown, pointer: string): [string, string][] {
  if (typeof value === "string") return [[pointer, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = `${pointer}${jsonPointer([name])}`;
    return [...textsIn(inner, at), ...(Array.isArray(value) ? [] : nameWarningsOf(name, at))];
  });
}

/** Models read names of properties too. Those of JSON Schema and of the protocol are ASCII. */
function nameWarningsOf(name: string, at: string): [string, string][] {
  return /^[\x20-\x7e]*$/.test(name) ? [] : [[at, name]];
}
