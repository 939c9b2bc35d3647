import type { DiscoveredAsset } from "@reeve/core/connectors";
import { type Actor, newActiveInstance, type World } from "@reeve/testkit";

/** A model that a system lists. Names differ from call to call of `discoveries`, because equal ones are a conflict. */
export type ModelOf = (id: string, more?: Partial<DiscoveredAsset>) => DiscoveredAsset;

/** A connection of a test, and the account that it leads to. */
export interface Connected {
  readonly id: string;
  readonly account: string;
  readonly path: string;
}

/** What tests of imports do again and again, as the owner of a world's first tenant. */
export function discoveries(world: World) {
  const salt = world.a.unique();
  const model: ModelOf = (id, more = {}) => ({
    externalId: id,
    assetType: "model",
    name: `Model ${id} of ${salt}`,
    record: { modelId: id },
    ...more,
  });
  const ask = (method: string, path: string, body?: object, as: Actor = world.a.actors.owner) =>
    world.send(method, path, { token: as.token, ...(body ? { body } : {}) });
  const tick = () => world.controlPlane.tick();

  /** A connection to an account that lists these. */
  async function connected(assets: readonly DiscoveredAsset[], account = world.a.unique()): Promise<Connected> {
    world.scripted.list(account, assets);
    const id = await newActiveInstance(world.a, { name: account, configuration: { account } });
    return { id, account, path: `/api/v1/integrations/${id}` };
  }

  /** A plan that waits for a confirmation. */
  async function planned(path: string) {
    const { status, text, json } = await ask("POST", `${path}/imports`, {});
    if (status !== 201) throw new Error(text);
    await tick();
    const at = `${path}/imports/${json.id}`;
    return { at, plan: (await ask("GET", at)).json };
  }

  const confirm = (at: string, planHash: string, more: object = { selection: "all" }) =>
    ask("POST", `${at}/confirm`, { planHash, ...more });

  /** A plan that was confirmed and carried out. */
  async function imported(path: string, more?: object) {
    const { at, plan } = await planned(path);
    const confirmed = await confirm(at, plan.planHash, more);
    if (confirmed.status !== 200) throw new Error(confirmed.text);
    await tick();
    return { at, done: (await ask("GET", at)).json };
  }

  const itemsOf = async (at: string) => (await ask("GET", `${at}/items?size=100`)).json.items;

  const assetsOf = async (account: string) => {
    const { json } = await ask("GET", "/api/v1/ai-assets?size=100");
    return json.items.filter((asset: { externalRef?: { source?: string } }) => asset.externalRef?.source === account);
  };

  return { model, ask, tick, connected, planned, confirm, imported, itemsOf, assetsOf };
}
