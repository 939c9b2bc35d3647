import type { Scene, World } from "@reeve/testkit";
import type { Principal } from "#kernel/config/principal.js";
import { Context } from "#kernel/operation/context.js";
import { UnitOfWork } from "#kernel/operation/unit-of-work.js";
import type { Collection } from "#kernel/records/collection.js";
import type { Stamped } from "#kernel/records/stamps.js";
import { collections, type Machine, permissionsOf } from "#reference/index.js";
import { PLATFORM_TENANT } from "#testing/index.js";
import type { ReeveError } from "../../src/index.js";
import { environmentOf } from "./environment.js";
import { OF_THE_PLATFORM } from "./facts.js";

/** A record that a machine moves. */
export type Moving = Stamped & Readonly<Record<string, unknown>>;

interface Options {
  readonly reason?: string | undefined;
  readonly triggeredBy?: "user" | "system";
}

/** The collection of a machine's records. */
export function homeOf(machine: Machine): Collection<Moving> {
  const home = collections.find(({ machines = {} }) => Object.values(machines).includes(machine));
  if (!home) throw new Error(`no collection is moved by ${machine.name}`);
  return home as Collection<Moving>;
}

/**
 * Tests a machine through `ctx.transition` only. It puts a stored record into any state directly, and requests
 * transitions as any principal.
 */
export function machineBench(world: World, scene: Scene, machine: Machine) {
  const collection = homeOf(machine);
  const env = environmentOf(world);
  const tenantId = OF_THE_PLATFORM.includes(collection.name) ? PLATFORM_TENANT : scene.tenantId;
  const store = world.store.forTenant(tenantId);
  let requests = 0;

  async function template(): Promise<Moving> {
    const [row] = await store.scan(collection, { size: 1 });
    if (!row) throw new Error(`the world has no record of ${collection.name}`);
    return row.value;
  }

  return {
    collection,
    /** The store of the records and their events. */
    home: { store: world.store, tenantId },
    template,
    stored: async (id: string) => (await store.get(collection, id))?.value as Moving,
    /** Puts a record with these fields into `state`: a new one where ids are generated, otherwise the only one. */
    async place(state: string, fields: Readonly<Record<string, unknown>> = {}): Promise<Moving> {
      const previous = await template();
      const next = { ...previous, ...fields, [machine.field]: state, version: previous.version + 1 };
      await store.replace(collection, next, previous);
      return next;
    },
    /** Requests a transition. Resolves to the record or to the error. */
    async move(
      record: Moving,
      to: { event: string } | { to: string },
      options: Options = {},
      as: Partial<Principal> = {},
    ): Promise<Moving | ReeveError> {
      requests += 1;
      const principal: Principal = {
        kind: "user",
        tenantId,
        userId: scene.owner.userId,
        username: scene.owner.username,
        roles: ["owner"],
        permissions: new Set([
          ...permissionsOf(["owner"]),
          ...machine.transitions.flatMap((row) => row.permission ?? []),
        ]),
        ...as,
      };
      const ifMatch = [`"${record.version}"`];
      const facts = { requestId: `req_${requests}`, nowMs: world.clock.now() + requests, mountPath: "", ifMatch };
      return world.store
        .transaction(tenantId, (tx) => {
          const ctx = new Context({ ...env, ids: uniqueIds() }, facts, principal, new UnitOfWork(tx));
          return ctx.transition(collection, machine, record, to, options) as Promise<Moving>;
        })
        .catch((error: ReeveError) => error);
    },
  };
}

let minted = 0;
/** Ids that differ from those of the world and of other benches. */
function uniqueIds() {
  return {
    next: () => {
      minted += 1;
      return `6${String(minted).padStart(25, "0")}`;
    },
  };
}
