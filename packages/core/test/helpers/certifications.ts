import type { Actor, Answer, Scene, World } from "@reeve/testkit";
import { expect } from "vitest";
import { accessBench, type Bench } from "./access.js";

/** A bench of access whose assets have an owner who reviews. */
export interface CertificationBench extends Bench {
  readonly reviewer: Actor;
  readonly other: Actor;
  /** Begins a campaign about the access of the bench, and has its jobs ask reviewers. Returns its id. */
  readonly begin: (more?: object) => Promise<string>;
  readonly campaign: (id: string) => Promise<Campaign>;
  readonly items: (id: string, query?: string) => Promise<Item[]>;
  readonly own: (actor: Actor, query?: string) => Promise<Item[]>;
  readonly review: (item: Item, body: object, actor?: Actor) => Promise<Answer>;
  /** Extends an assignment by a request that an approver approves, and has it carried out. */
  readonly widen: (assignmentId: string) => Promise<void>;
  readonly end: (id: string, verb: string, body?: object, actor?: Actor) => Promise<Answer>;
}

export interface Campaign {
  readonly id: string;
  readonly status: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly [field: string]: unknown;
}

export interface Item {
  readonly id: string;
  readonly certificationId: string;
  readonly assignmentId: string;
  readonly status: string;
  readonly outcome: string | null;
  readonly snapshotVersion: number;
  readonly reviewers: readonly string[];
  readonly snapshot: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

const AT = "/api/v1/access-certifications";
const REASON = "because a test wants it so";

/** Makes a bench whose asset belongs to a reviewer. `other` may review too and owns nothing. */
export async function certificationBench(world: World, scene: Scene = world.a): Promise<CertificationBench> {
  const bench = await accessBench(world);
  const [reviewer, other] = [await scene.newUser(["member"]), await scene.newUser(["member"])];
  const path = `/api/v1/ai-assets/${bench.assetId}`;
  const owner = { type: "user", id: reviewer.userId, name: reviewer.username };
  const given = await world.send("PUT", path, {
    token: scene.owner.token,
    body: { owner },
    headers: { "if-match": "*" },
  });
  expect(given.status, given.text).toBe(200);
  const ok = async (method: string, at: string, sent: object) => {
    const answer = await world.send(method, at, { token: scene.owner.token, ...sent });
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  };
  return {
    ...bench,
    reviewer,
    other,
    async begin(more = {}) {
      const body = { scope: { assetIds: [bench.assetId] }, ...more };
      const { id } = await ok("POST", AT, { body });
      await world.controlPlane.tick();
      return id;
    },
    campaign: (id) => ok("GET", `${AT}/${id}`, {}),
    items: async (id, query = "") => (await ok("GET", `${AT}/${id}/items?size=100${query}`, {})).items,
    own: async (actor, query = "") =>
      (await ok("GET", `/api/v1/access-certification-items?size=100${query}`, { token: actor.token })).items,
    review: ({ id, certificationId, snapshotVersion }, body, { token: own } = reviewer) =>
      world.send("POST", `${AT}/${certificationId}/items/${id}/review`, {
        token: own,
        body: { expectedSnapshotVersion: snapshotVersion, ...body },
      }),
    async widen(assignmentId) {
      const { expiresAt } = await bench.read(assignmentId);
      const later = new Date(Date.parse(expiresAt as string) + 86_400_000).toISOString();
      const asked = await bench.act(assignmentId, "modify", { reason: REASON, expiresAt: later });
      const at = `/api/v1/access-requests/${asked.json.requestId}`;
      const { token } = await scene.newUser(["approver"]);
      const { scopeHash: expectedScopeHash } = await ok("GET", at, {});
      await ok("POST", `${at}/approve`, { token, body: { expectedScopeHash, reason: REASON } });
      await world.controlPlane.tick();
      expect((await bench.read(assignmentId)).expiresAt).toBe(later);
    },
    end: (id, verb, body = {}, { token: own } = scene.owner) =>
      world.send("POST", `${AT}/${id}/${verb}`, {
        token: own,
        body: { reason: REASON, ...body },
      }),
  };
}
