import type { Actor, Answer, World } from "@reeve/testkit";
import { expect } from "vitest";
import { accessBench, type Bench } from "./access.js";

const REASON = "because a test wants it so";
const HOUR = 3_600_000;

/** A request as it is answered. */
export interface Request {
  readonly id: string;
  readonly status: string;
  readonly scopeHash: string;
  readonly stages: readonly { readonly status: string; readonly candidates: readonly { readonly userId: string }[] }[];
  readonly votes: readonly { readonly by: string; readonly decision: string; readonly stale: boolean }[];
  readonly items: readonly { readonly status: string; readonly assignmentId: string | null }[];
  readonly [field: string]: unknown;
}

/** A bench of access with somebody who asks and two who approve. */
export interface RequestBench extends Bench {
  readonly requester: Actor;
  readonly first: Actor;
  readonly second: Actor;
  /** The other kind of access, which changes what it is to. */
  readonly writeProfileId: string;
  /** Makes a policy of access in the bench's target, by default as the owner of the tenant. Returns its id. */
  readonly policy: (terms?: object, by?: Actor) => Promise<string>;
  readonly ask: (more?: object, actor?: Actor) => Promise<Answer>;
  /** Asks, and expects a request in this state. */
  readonly asked: (status: string, more?: object, actor?: Actor) => Promise<Request>;
  readonly request: (id: string) => Promise<Request>;
  readonly verb: (id: string, verb: string, actor?: Actor, body?: object) => Promise<Answer>;
  /** Approves a request as it is now. */
  readonly approve: (id: string, actor?: Actor, more?: object) => Promise<Answer>;
  /** Lets time pass and jobs run. */
  readonly tick: (milliseconds?: number) => Promise<void>;
  /** Lets time pass, and signs everybody in again. */
  readonly pass: (milliseconds: number) => Promise<void>;
}

/** Makes a bench for requests in the world's first tenant, whose policy has the first or second approve. */
export async function requestBench(world: World, terms: object | null = {}): Promise<RequestBench> {
  const { a } = world;
  await signInAgain(world, []);
  const bench = await accessBench(world);
  const [requester, first, second] = [
    await a.newUser(["operator"]),
    await a.newUser(["approver"]),
    await a.newUser(["approver"]),
  ];
  const send = (method: string, at: string, { token }: Actor, body?: object) =>
    world.send(method, at, { token, ...(body ? { body } : {}) });
  const path = `/api/v1/access-targets/${bench.connectorInstanceId}/access-profiles`;
  const { json: profiles } = await send("GET", path, a.owner);
  const writeProfileId = profiles.items.find((one: { externalId: string }) => one.externalId === "write").id;
  const stages = [{ approvers: [first, second].map(({ userId: id }) => ({ kind: "user", id })) }];
  const verb = (id: string, what: string, actor = requester, body?: object) =>
    send("POST", `/api/v1/access-requests/${id}/${what}`, actor, body);
  const request = async (id: string) => (await send("GET", `/api/v1/access-requests/${id}`, a.owner)).json as Request;
  const made: RequestBench = {
    ...{ ...bench, requester, first, second, writeProfileId, verb, request },
    async policy(more = {}, by = a.owner) {
      const covers = { connectorInstanceIds: [bench.connectorInstanceId] };
      const body = { name: a.unique(), covers, stages, ...more };
      const answer = await send("POST", "/api/v1/access-policies", by, body);
      expect(answer.status, answer.text).toBe(201);
      return answer.json.id;
    },
    ask: (more = {}, actor = requester) =>
      send("POST", `/api/v1/ai-assets/${bench.assetId}/access-requests`, actor, {
        connectorInstanceId: bench.connectorInstanceId,
        items: [{ accessProfileId: bench.accessProfileId, resourceId: bench.resourceId }],
        ...{ duration: "PT1H", reason: REASON, ...more },
      }),
    async asked(status, more, actor) {
      const answer = await made.ask(more, actor);
      expect([answer.status, answer.json.status], answer.text).toEqual([200, status]);
      return answer.json;
    },
    async approve(id, actor = first, more = {}) {
      const { scopeHash: expectedScopeHash } = await request(id);
      return verb(id, "approve", actor, { expectedScopeHash, reason: REASON, ...more });
    },
    async tick(milliseconds = 0) {
      await made.pass(milliseconds);
      await world.controlPlane.tick();
    },
    async pass(milliseconds) {
      world.clock.advance(milliseconds);
      if (milliseconds >= HOUR) await signInAgain(world, [requester, first, second]);
    },
  };
  if (terms) await made.policy(terms);
  return made;
}

/** Tokens run out while tests let days pass. */
async function signInAgain({ a, b, provider }: World, actors: readonly Actor[]): Promise<void> {
  for (const scene of [a, b]) scene.actors.owner = await scene.signIn(scene.owner.userId, scene.owner);
  provider.actors.provider_admin = await provider.signIn(provider.owner.userId, provider.owner);
  for (const actor of actors) Object.assign(actor, await a.signIn(actor.userId, actor));
}
