import type { GrantSpec } from "@reeve/core/connectors";
import type { Actor, Answer, World } from "@reeve/testkit";
import { expect } from "vitest";
import { accessBench, type Bench } from "./access.js";

/** A difference as it is answered. */
export interface Drift {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly [field: string]: unknown;
}

const keyOf = ({ resource, profileExternalId, principal, parameters }: GrantSpec) =>
  JSON.stringify([resource.type, resource.externalId, profileExternalId, principal.externalId, parameters]);

/** A bench of access whose target somebody changes by hand. */
export interface DriftBench extends Bench {
  /** Access that the target has granted. */
  readonly granted: (more?: object) => Promise<string>;
  /** A scan that has gone as far as it goes, a second after what was before. */
  readonly scan: (body?: object) => Promise<Record<string, unknown>>;
  readonly drift: (query?: string) => Promise<Drift[]>;
  readonly actOn: (driftId: string, verb: string, body?: object, as?: Actor) => Promise<Answer>;
  /** Adds a grant in the target, like one that is there. */
  readonly add: (spec: Partial<GrantSpec>) => GrantSpec;
  /** Takes all away but what somebody has whom no asset acts as: a target without anything looks broken. */
  readonly cut: () => void;
}

/** Makes a bench for drift in the world's first tenant. `more` is of its connection, and `asset` of its asset. */
export async function driftBench(
  world: World,
  more: Readonly<Record<string, unknown>> = {},
  asset: object = {},
): Promise<DriftBench> {
  const bench = await accessBench(world, more, { assetType: "agent", ...asset });
  const { connectorInstanceId, account } = bench;
  const target = `/api/v1/access-targets/${connectorInstanceId}`;
  const ask = (method: string, path: string, body?: object, as: Actor = world.a.actors.owner) =>
    world.send(method, path, { token: as.token, ...(body ? { body } : {}) });
  const ok = async (method: string, path: string, body?: object) => {
    const answer = await ask(method, path, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  };
  const add = (spec: Partial<GrantSpec>) => {
    const [like] = account.held.values();
    const one = { ...(like as GrantSpec), ...spec };
    account.held.set(keyOf(one), one);
    return one;
  };
  return {
    ...{ ...bench, add },
    async granted(given = {}) {
      const id = await bench.decide({ duration: "P30D", ...given });
      await world.controlPlane.tick();
      expect((await bench.read(id)).status).toBe("active");
      return id;
    },
    async scan(body) {
      world.clock.advance(1_000);
      const { id } = await ok("POST", `${target}/drift-scan`, body);
      await world.controlPlane.tick();
      return ok("GET", `${target}/drift-scans/${id}`);
    },
    async drift(query = "") {
      return (await ok("GET", `/api/v1/access-drift?size=100&connectorInstanceId=${connectorInstanceId}${query}`))
        .items;
    },
    actOn: (id, verb, body, as) => ask("POST", `/api/v1/access-drift/${id}/${verb}`, body, as),
    cut() {
      const other = add({ principal: { type: "user", externalId: "somebody else" } });
      account.held.clear();
      add(other);
    },
  };
}
