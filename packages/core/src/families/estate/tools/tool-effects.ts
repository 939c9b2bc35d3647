import { cutText } from "#kernel/records/cut-text.js";
import type { ToolContent } from "./pin-tool.js";
import type { EFFECTS } from "./schema.js";

type Effect = (typeof EFFECTS)[number];
type Named = Pick<ToolContent, "toolName" | "title" | "toolDescription">;

const verbs = (words: string, ...effects: Effect[]) => words.split(" ").map((verb) => [verb, effects] as const);

/** Verbs that tools are named after, by what they do. */
const VERBS: ReadonlyMap<string, readonly Effect[]> = new Map([
  ...verbs("get list read search find show describe fetch count check query view lookup browse inspect", "read"),
  ...verbs("explain compare validate verify preview summarize analyze analyse diff dry export download", "read"),
  ...verbs("create update write set put patch edit modify change insert add append upsert save store rename", "write"),
  ...verbs("move copy merge push commit upload import assign enable disable start stop restart schedule", "write"),
  ...verbs("approve grant", "write"),
  ...verbs("send post publish reply forward notify invite share submit pay transfer deploy", "write", "external"),
  ...verbs("delete remove drop destroy purge truncate erase wipe clear reset revoke cancel", "write", "destructive"),
  ...verbs("kill terminate run execute exec eval invoke", "write", "destructive"),
]);

/** Verbs that are as often the thing that a tool is about. */
const THINGS = new Set("post share invite import commit merge patch run copy store set move schedule".split(" "));
/** Words that end the name of a tool that shows such a thing. */
const SHOWN = new Set("get list read search find show describe count status".split(" "));

export interface NamedEffects {
  readonly verb: string;
  readonly effects: readonly Effect[];
}

/** What a tool says that it does: by the first verb of its name, and by the first word of its title and description. */
function namedEffects({ toolName, title, toolDescription }: Named): NamedEffects[] {
  const ofName = verbOf(wordsOf(toolName ?? ""));
  const ofTexts = [title, toolDescription].map((text) => {
    const [word = ""] = wordsOf(text ?? "");
    // "Sends" and "searches" as "send" and "search".
    return [word, word.replace(/s$/, ""), word.replace(/es$/, "")].find((one) => VERBS.has(one));
  });
  return [ofName, ...ofTexts]
    .filter((verb) => verb !== undefined)
    .map((verb) => ({ verb, effects: VERBS.get(verb) as readonly Effect[] }));
}

/** The first verb of a name, such as `send` of `communication_email_send`. A name such as `post_list` shows posts. */
function verbOf(words: readonly string[]): string | undefined {
  const first = words.find((word) => VERBS.has(word));
  return first !== undefined && THINGS.has(first) && SHOWN.has(words.at(-1) ?? "") ? "show" : first;
}

/** The words of a name, whether they are divided by signs or by capitals. */
function wordsOf(text: string): string[] {
  return cutText(text, 400)
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/**
 * What a tool is named after, where its annotations deny it: that it changes something, or destroys something.
 * `undefined` where they do not contradict each other.
 */
export function contradiction(tool: Named & Pick<ToolContent, "annotations">): NamedEffects | undefined {
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
  const denied = readOnlyHint === true ? "write" : destructiveHint === false ? "destructive" : undefined;
  return denied && namedEffects(tool).find(({ effects }) => effects.includes(denied));
}
