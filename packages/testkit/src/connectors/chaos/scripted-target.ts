import {
  type Connector,
  defineConnector,
  type GrantSpec,
  type ObservedGrant,
  type ObservedProfile,
  pageOf,
} from "@reeve/core/connectors";
import { z } from "zod";

/**
 * A target in memory, and the oracle of what was done to it. It forgives nothing: a grant that is applied twice is there
 * twice, and a revocation takes one away.
 */
export interface ScriptedTarget {
  readonly connector: Connector;
  /** How often each grant is there, by key. */
  readonly present: ReadonlyMap<string, number>;
  /** Every change, in order. */
  readonly effects: readonly { readonly kind: "grant" | "revoke"; readonly grantKey: string }[];
}

const grantableTo = ["user"] as const;
const profile: ObservedProfile = {
  externalId: "member",
  resourceType: "group",
  name: "Member",
  permissions: ["member"],
  privilegeLevel: 1,
  grantableTo,
};

/** A new target with `resources` groups and no grants. */
export function scriptedTarget({ resources = 3 }: { readonly resources?: number } = {}): ScriptedTarget {
  const held: GrantSpec[] = [];
  const effects: { kind: "grant" | "revoke"; grantKey: string }[] = [];
  const find = ({ grantKey }: GrantSpec) => held.findIndex((one) => one.grantKey === grantKey);
  const connector = defineConnector({
    manifest: {
      providerKey: "scripted",
      interfaceVersion: 1,
      version: "1.0.0",
      displayName: "Scripted target",
      category: "other",
      description: "A target in memory.",
      capabilities: ["test", "resources", "profiles", "observe", "grant", "revoke", "verify"],
      resourceTypes: [
        { type: "group", displayName: "Group", idStability: "immutable", profileSource: "static", grantableTo },
      ],
      expiry: "managed",
    },
    configuration: z.object({}),
    testConnection: async () => ({ checks: [], target: { id: "scripted", name: "Scripted target" } }),
    listResources: async (_ctx, type, page) =>
      pageOf(
        Array.from({ length: resources }, (_, at) => ({ type, externalId: `group-${at}`, name: `Group ${at}` })),
        page,
      ),
    listAccessProfiles: async (_ctx, _query, page) => pageOf([profile], page),
    listGrants: async (_ctx, _query, page) => pageOf(held.map(observed), page),
    async grant(_ctx, spec) {
      held.push(spec);
      effects.push({ kind: "grant", grantKey: spec.grantKey });
      return { outcome: "applied" };
    },
    async revoke(_ctx, spec) {
      const at = find(spec);
      if (at < 0) return { outcome: "already_applied" };
      held.splice(at, 1);
      effects.push({ kind: "revoke", grantKey: spec.grantKey });
      return { outcome: "applied" };
    },
    verify: async (_ctx, spec) => ({ presence: find(spec) < 0 ? "absent" : "present", authoritative: true }),
  });
  return {
    connector,
    effects,
    get present() {
      const counts = new Map<string, number>();
      for (const { grantKey } of held) counts.set(grantKey, (counts.get(grantKey) ?? 0) + 1);
      return counts;
    },
  };
}

const observed = ({ resource, profileExternalId, principal, grantKey }: GrantSpec): ObservedGrant => ({
  externalGrantId: grantKey,
  resource,
  profileExternalId,
  principal,
  source: "direct",
});
