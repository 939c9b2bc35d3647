import { notFound } from "#kernel/http/errors.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { z } from "#schema/z.js";
import { may } from "../policies/operations.js";
import { namesOfRules } from "../policies/rules.js";
import { FOUNDATION } from "./install/foundation.js";
import { installPack } from "./install/install.js";

const PACKS = [FOUNDATION];

/** The names of all policies of packs, and of their rules, whether a tenant has installed them or not. */
export const packRules: ReadonlySet<string> = new Set(PACKS.flatMap(({ policies }) => policies.flatMap(namesOfRules)));

const PATH = "/api/v1/ai-governance/policy-packs";
const shared = { tag: "AI Governance", extension: true } as const;

const PackSummary = z
  .object({
    key: z.string().meta({ description: "Key of the pack." }),
    name: z.string().meta({ description: "Name of the pack." }),
    version: z.int().meta({ description: "Version of the pack." }),
    policies: z
      .array(
        z.object({
          key: z.string().meta({ description: "Key of the policy." }),
          name: z.string().meta({ description: "Name of the policy." }),
          severity: z.string().meta({ description: "Severity of its findings." }),
          gate: z.boolean().meta({ description: "Whether it guards production." }),
        }),
      )
      .meta({ description: "What it holds." }),
  })
  .meta({ id: "PolicyPack" });

export const listPacks = defineOperation({
  ...shared,
  id: "aiGovernance.listPolicyPacks",
  method: "GET",
  path: PATH,
  summary: "List the packs of policies that come with this service",
  access: may("read"),
  success: {
    status: 200,
    schema: z.object({ items: z.array(PackSummary).meta({ description: "The packs that there are." }) }),
  },
  handler: async () => ({
    items: PACKS.map(({ key, name, version, policies }) => ({
      key,
      name,
      version,
      policies: policies.map(({ key, name, severity, gate }) => ({ key, name, severity, gate })),
    })),
  }),
});

const Installation = z
  .object({
    pack: z.string().meta({ description: "Key of the pack." }),
    version: z.int().meta({ description: "Version of the pack." }),
    created: z.int().meta({ description: "Policies that are new." }),
    upgraded: z.int().meta({ description: "Policies that were brought up to date." }),
    unchanged: z.int().meta({ description: "Policies that were like this before." }),
    waiting: z.int().meta({ description: "Policies in force, whose change waits for a four-eyes approver." }),
    taken: z.array(z.string()).meta({ description: "Keys that policies of your own have; those were left alone." }),
  })
  .meta({ id: "PolicyPackInstallation" });

export const installPolicyPack = defineOperation({
  ...shared,
  id: "aiGovernance.installPolicyPack",
  method: "POST",
  path: `${PATH}/{key}/install`,
  summary: "Install a pack of policies, or bring it up to date",
  description:
    "New policies are observed and hold nothing back until somebody activates them. Policies that are there get this version's rules and keep your parameters, severity, gate and status. Safe to repeat.",
  access: may("write"),
  params: z.object({ key: z.string().meta({ description: "Key of the pack.", example: "foundation" }) }),
  success: { status: 200, schema: Installation },
  async handler(ctx, { params }) {
    const pack = PACKS.find(({ key }) => key === params.key);
    if (!pack) throw notFound();
    const installation = { pack: pack.key, version: pack.version, ...(await installPack(ctx, pack)) };
    const subject = { type: "policy_pack", id: pack.key, path: PATH };
    await ctx.emit({ type: "policy_pack.installed", subject, data: installation });
    return installation;
  },
});
