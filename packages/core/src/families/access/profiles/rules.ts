import { type Manifest, type ObservedProfile, PRINCIPAL_TYPES, type ToolSpec } from "#connectors/index.js";
import { canonical } from "#kernel/events/canonical.js";
import { schemaInOrder } from "#kernel/events/schema-order.js";
import { cutText, nameOf } from "#kernel/records/cut-text.js";
import { z } from "#schema/z.js";
import { sha256 } from "#store/chain.js";
import type { AccessProfile, ProfileTerms } from "./schema.js";

const MOST = 1_000;
const Text = z.string().min(1).max(500);
const Listed = z.object({
  externalId: Text,
  resourceType: Text,
  name: z.string().trim().min(1),
  description: z.string().optional(),
  permissions: z.array(Text).max(MOST),
  privilegeLevel: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  exclusionGroup: Text.optional(),
  grantableTo: z.array(z.enum(PRINCIPAL_TYPES)),
});

/** What a listing says of a profile. */
export type DescribedProfile = Pick<
  AccessProfile,
  | "externalId"
  | "name"
  | "description"
  | "permissions"
  | "toolNames"
  | "effect"
  | "privilegeLevel"
  | "exclusionGroup"
  | "grantableTo"
  | "parametersSchema"
  | "definitionHash"
>;

const LEVELS = ["low", "low", "medium", "high", "critical"] as const;
const WRITING = 2;
const ADMINISTERING = 4;

/** What a profile is approved with where nobody says otherwise. */
export function defaultTerms({ privilegeLevel }: Pick<AccessProfile, "privilegeLevel">): ProfileTerms {
  const riskLevel = LEVELS[privilegeLevel] as ProfileTerms["riskLevel"];
  return { requestable: true, riskLevel, maxDuration: "P30D", allowPermanent: false, requireReason: true };
}

/** Reads an entry of a listing; `undefined` when it cannot be used. */
export function readProfile(manifest: Manifest, type: string, entry: ObservedProfile): DescribedProfile | undefined {
  const { success, data } = Listed.safeParse(entry);
  if (!success || data.resourceType !== type) return undefined;
  const tools = (manifest.tools ?? []).filter((tool) => tool.requiresProfiles.includes(data.externalId));
  const described = {
    externalId: data.externalId,
    name: nameOf(data.name.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ")),
    description: cutText(data.description ?? "", 2_000) || null,
    permissions: [...new Set(data.permissions)].sort(),
    toolNames: tools.map(({ name }) => name).sort(),
    effect: effectOf(data.privilegeLevel, tools),
    privilegeLevel: data.privilegeLevel,
    exclusionGroup: data.exclusionGroup ?? null,
    grantableTo: [...new Set(data.grantableTo)].sort(),
    parametersSchema: parametersOf(manifest, type),
  };
  return { ...described, definitionHash: definitionHash(described, tools) };
}

function effectOf(level: number, tools: readonly ToolSpec[]): AccessProfile["effect"] {
  if (level >= ADMINISTERING) return "admin";
  const effects = tools.map(({ effect }) => effect);
  if (effects.includes("destructive")) return "destructive";
  return level >= WRITING || effects.includes("write") ? "write" : "read";
}

function parametersOf({ resourceTypes = [] }: Manifest, type: string): Record<string, unknown> | null {
  const schema = resourceTypes.find((one) => one.type === type)?.parametersSchema;
  return schema ? { ...schema } : null;
}

type Definition = Pick<AccessProfile, "permissions" | "effect" | "privilegeLevel" | "exclusionGroup">;

/** The hash of what a profile permits: its permissions, and its tools as they are described to agents. */
export function definitionHash(definition: Definition, tools: readonly ToolSpec[]): string {
  const { permissions, effect, privilegeLevel, exclusionGroup } = definition;
  const described = tools
    .map(({ name, description, inputSchema, effect: does }) => ({
      ...{ name, description, inputSchema: schemaInOrder({ ...inputSchema }), does },
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  return sha256(canonical({ permissions, effect, privilegeLevel, exclusionGroup, tools: described }));
}
