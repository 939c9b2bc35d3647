import { join } from "node:path";
import { preparsePolicySet, statefulIsAuthorized } from "@cedar-policy/cedar-wasm/nodejs";
import { parse } from "@marcbachmann/cel-js";
import { type ControlPlane, createMemoryStore, type Principal } from "@reeve/core";
import type { Store } from "@reeve/core/store";
import { newEnforcer, newModelFromString } from "casbin";
import { ISSUER, MASTER_KEY, seedEstate, signIn } from "./estate.js";
import { Progress } from "./progress.js";
import { openControlPlane, openStore, serveReeve } from "./subject.js";

/** A way to decide the same request. Returns whether it is allowed. */
export type Decide = () => boolean | Promise<boolean>;

const LIMIT = 1_000;
const AMOUNT = 120;

/** The ways to decide by that many policies. `folder` is for what they store, one for each. */
export const DECIDERS: Readonly<Record<string, (policies: number, folder: string) => Decide | Promise<Decide>>> = {
  "CEL, compiled": bareExpressions,
  "node-casbin": casbin,
  "Cedar, preparsed": cedar,
  "decide, memory": async (policies) => inProcess(await reeve(createMemoryStore(), policies), policies),
  "decide, SQLite": async (policies, folder) =>
    inProcess(await reeve(openStore(databaseIn(folder)), policies), policies),
  "HTTP, SQLite": overHttp,
};

const databaseIn = (folder: string) => ({ store: "sqlite", location: join(folder, "decisions.sqlite") }) as const;

/** The action that is asked about, in the middle of all. */
const askedOf = (policies: number) => `act${policies >> 1}`;

function inProcess({ controlPlane, principal, assetId }: Reeve, policies: number): Decide {
  return async () => (await controlPlane.decide(principal, requestOf(assetId, askedOf(policies)))).decision;
}

async function overHttp(policies: number, folder: string): Promise<Decide> {
  const database = databaseIn(folder);
  const { controlPlane, assetId } = await reeve(openStore(database), policies);
  await controlPlane.close();
  const token = await signIn(openStore(database));
  const { url } = await serveReeve({ framework: "fastify", database, issuer: ISSUER, masterKey: MASTER_KEY } as never);
  const body = JSON.stringify(requestOf(assetId, askedOf(policies)));
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return async () => {
    const answer = await fetch(`${url}/api/v1/ai/policies/evaluate`, { method: "POST", headers, body });
    return ((await answer.json()) as { decision: boolean }).decision;
  };
}

interface Reeve {
  readonly controlPlane: ControlPlane;
  readonly principal: Principal;
  readonly assetId: string;
}

const requestOf = (assetId: string, name: string) => ({
  subject: { type: "asset", id: assetId },
  action: { name, properties: { amount: AMOUNT } },
  resource: { type: "table", id: "customers" },
});

/** A control plane with one policy per action, and an asset that asks. */
async function reeve(store: Store, policies: number): Promise<Reeve> {
  const controlPlane = openControlPlane(store, { issuer: ISSUER, masterKey: MASTER_KEY });
  const { tenantId, userId } = await seedEstate(store, 10, new Progress());
  const principal = await controlPlane.principalOf(tenantId, userId);
  for (const name of actions(policies)) {
    const rules = [{ key: "small", effect: "allow", if: conditionOf(name), message: "Small enough." }];
    const tests = [
      { name: "small", input: { action: { name, properties: { amount: 1 } } }, expect: "allow" },
      { name: "another", input: { action: { name: "another" } }, expect: "none" },
    ];
    const configuration = { kind: "runtime", key: name, rules, tests };
    await controlPlane.call("aiGovernancePolicies.create", principal, { body: { status: "active", configuration } });
  }
  const { id } = await controlPlane.call("aiAssets.create", principal, { body: { assetType: "application" } });
  return { controlPlane, principal, assetId: id };
}

const conditionOf = (name: string) => `action.name == "${name}" && action.properties.amount < ${LIMIT}`;

const actions = (policies: number) => Array.from({ length: policies }, (_, at) => `act${at}`);

function bareExpressions(policies: number): Decide {
  const programs = actions(policies).map((action) => parse(conditionOf(action)));
  const values = { action: { name: askedOf(policies), properties: { amount: BigInt(AMOUNT) } } };
  return () => programs.map((program) => program(values)).includes(true);
}

async function casbin(policies: number): Promise<Decide> {
  const model = newModelFromString(`
[request_definition]
r = sub, obj, act, amount
[policy_definition]
p = act, most
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.act == p.act && r.amount < p.most
`);
  const enforcer = await newEnforcer(model);
  await enforcer.addPolicies(actions(policies).map((action) => [action, String(LIMIT)]));
  return () => enforcer.enforce("someone", "customers", askedOf(policies), AMOUNT);
}

function cedar(policies: number): Decide {
  const texts = actions(policies).map(
    (action) => `permit(principal, action == Action::"${action}", resource) when { context.amount < ${LIMIT} };`,
  );
  const parsed = preparsePolicySet("bench", { staticPolicies: texts.join("\n") });
  if (parsed.type !== "success") throw new Error("Cedar refuses the policies");
  return () => {
    const answer = statefulIsAuthorized({
      principal: { type: "Person", id: "someone" },
      action: { type: "Action", id: askedOf(policies) },
      resource: { type: "Table", id: "customers" },
      context: { amount: AMOUNT },
      preparsedPolicySetId: "bench",
      entities: [],
    });
    return answer.type === "success" && answer.response.decision === "allow";
  };
}
