import type { McpSnapshot } from "#ports/mcp.js";
import { sha256 } from "#store/chain.js";
import { digestOf, promptPin, templatePin, toolPin } from "./pin.js";

/** The algorithm of the manifest digest. */
export const MANIFEST_ALGORITHM = "mcp-manifest/1";

/** The part of a snapshot that is approved. Resources change too often to be approved. */
export type Offer = Pick<McpSnapshot, "instructions" | "tools" | "prompts" | "resourceTemplates">;

/** An empty offer, to compare with when nothing was approved. */
export const NO_OFFER: Offer = { instructions: null, tools: [], prompts: [], resourceTemplates: [] };

export function offerOf({ instructions, tools, prompts, resourceTemplates }: Offer): Offer {
  return { instructions, tools, prompts, resourceTemplates };
}

/** The pins of all tools of an offer, by name. */
export function toolPins({ tools }: Pick<Offer, "tools">): Map<string, string> {
  return new Map(tools.map((tool) => [tool.name, toolPin(tool)]));
}

/** The digest of an offer by `mcp-manifest/1`. It does not depend on the order of lists. */
export function manifestDigest(offer: Offer, pins: ReadonlyMap<string, string> = toolPins(offer)): string {
  const { instructions, prompts, resourceTemplates } = offer;
  return digestOf({
    instructions: instructions ?? undefined,
    tools: sorted([...pins]),
    prompts: sorted(prompts.map((prompt) => [prompt.name, promptPin(prompt)])),
    resourcesTemplates: sorted(resourceTemplates.map((template) => [template.uriTemplate, templatePin(template)])),
  });
}

/** The digest of instructions. */
export function instructionsDigest(instructions: string | null): string | null {
  return instructions === null ? null : sha256(instructions);
}

/** By name, in the order of UTF-16 code units, as canonical JSON orders names. */
function sorted(pairs: [name: string, pin: string][]): [string, string][] {
  return pairs.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
}

/** The approved offer after these tools of `current` are approved. Everything else stays as approved before. */
export function withTools(approved: Offer, current: Offer, names: ReadonlySet<string>): Offer {
  const taken = current.tools.filter(({ name }) => names.has(name));
  return { ...approved, tools: [...approved.tools.filter(({ name }) => !names.has(name)), ...taken] };
}
