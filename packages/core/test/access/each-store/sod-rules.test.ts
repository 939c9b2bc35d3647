import { ConnectorError } from "@reeve/core/connectors";
import type { Actor, Answer, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { certificationBench } from "../../helpers/certifications.js";
import { type RequestBench, requestBench } from "../../helpers/requests.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const reason = "because a test wants it so";
const user = ({ userId: id }: Pick<Actor, "userId">) => ({ kind: "user", id });
const send = (method: string, path: string, as: Actor, body?: object) =>
  world.send(method, `/api/v1${path}`, {
    token: as.token,
    headers: { "if-match": "*" },
    ...(body ? { body } : {}),
  });
const reported = ({ status, json }: Answer) => [status, json.code ?? json.status];
const ask = async (bench: RequestBench, actor?: Actor) => (await bench.asked("pending_approval", {}, actor)).id;

/** What a rule forbids, and the same by somebody or in a way that it permits. */
interface Twins {
  readonly denied: () => Promise<Answer>;
  readonly code: readonly [number, string];
  readonly allowed: () => Promise<Answer>;
}

const RULES: readonly [number, string, () => Promise<Twins>][] = [
  [
    1,
    "nobody approves what they have asked for",
    async () => {
      const bench = await requestBench(world, null);
      const asker = await world.a.newUser(["operator", "approver"]);
      await bench.policy({ stages: [{ approvers: [user(asker), user(bench.first)] }] });
      const id = await ask(bench, asker);
      return {
        denied: () => bench.approve(id, asker),
        code: [403, "self_approval_forbidden"],
        allowed: () => bench.approve(id),
      };
    },
  ],
  [
    2,
    "no machine approves",
    async () => {
      const bench = await requestBench(world);
      const id = await ask(bench);
      const machine = await world.a.newIdentity({ scopes: ["access-request:write"] }, world.a.owner);
      const { clientSecret } = await world.a.newCredential(machine, {}, world.a.owner);
      const body = { grant_type: "client_credentials", client_id: machine, client_secret: clientSecret };
      const { access_token: token } = (await world.send("POST", "/api/v1/auth/token", { body })).json;
      const actor = { ...bench.first, userId: machine, token };
      return {
        denied: () => bench.approve(id, actor),
        code: [403, "permission_denied"],
        allowed: () => bench.approve(id),
      };
    },
  ],
  [
    3,
    "one person is one vote, in whatever stage",
    async () => {
      const bench = await requestBench(world, null);
      const stage = { approvers: [user(bench.first), user(bench.second)] };
      await bench.policy({ stages: [stage, stage] });
      const id = await ask(bench);
      await bench.approve(id, bench.first);
      return {
        denied: () => bench.approve(id, bench.first),
        code: [403, "self_approval_forbidden"],
        allowed: () => bench.approve(id, bench.second),
      };
    },
  ],
  [
    4,
    "nobody gives more than was asked for",
    async () => {
      const bench = await requestBench(world);
      const id = await ask(bench);
      return {
        denied: () => bench.approve(id, bench.first, { grantedDuration: "PT2H" }),
        code: [400, "invalid_request"],
        allowed: () => bench.approve(id, bench.first, { grantedDuration: "PT30M" }),
      };
    },
  ],
  [
    5,
    "who may decide no more is asked no more",
    async () => {
      const bench = await requestBench(world);
      const id = await ask(bench);
      await send("PATCH", `/users/${bench.first.userId}`, world.a.owner, { roles: [], reason });
      const left = await world.a.signIn(bench.first.userId, bench.first);
      return {
        denied: () => bench.approve(id, { ...bench.first, ...left }),
        code: [403, "permission_denied"],
        allowed: () => bench.approve(id, bench.second),
      };
    },
  ],
  [
    6,
    "nobody to ask is no approval",
    async () => {
      const bench = await requestBench(world, null);
      await bench.policy({ stages: [{ approvers: [user(bench.requester)] }] });
      const id = await ask(bench);
      await bench.tick(3_600_000);
      return {
        denied: () => bench.verb(id, "provision", world.a.owner),
        code: [409, "invalid_transition"],
        allowed: async () => {
          const other = await requestBench(world, null);
          const fallback = [user(other.first)];
          await other.policy({ stages: [{ approvers: [user(other.requester)], fallback }] });
          return other.approve(await ask(other));
        },
      };
    },
  ],
  [
    7,
    "who has changed a policy decides nothing by it for a day",
    async () => {
      const bench = await requestBench(world, null);
      await bench.policy({ stages: [{ approvers: [{ kind: "role", id: "owner" }, user(bench.first)] }] });
      const id = await ask(bench);
      return {
        denied: () => bench.approve(id, world.a.owner as Actor),
        code: [403, "self_approval_forbidden"],
        allowed: () => bench.approve(id),
      };
    },
  ],
  [
    8,
    "nobody certifies access that they asked for",
    async () => {
      const bench = await requestBench(world, null);
      const asker = await world.a.newUser(["operator", "governance_officer"]);
      await bench.policy({ stages: [{ approvers: [user(bench.first)] }] });
      const id = await ask(bench, asker);
      await bench.approve(id);
      await bench.tick();
      const review = await certificationBench(world);
      const users = { reviewer: "users", userIds: [asker.userId, review.other.userId] };
      const campaign = await review.begin({ scope: { assetIds: [bench.assetId] }, stages: [users] });
      const [item] = await review.items(campaign);
      const decide = (actor: Actor) => review.review(item as never, { decision: "certify", reason }, actor);
      return { denied: () => decide(asker), code: [403, "permission_denied"], allowed: () => decide(review.other) };
    },
  ],
  [
    9,
    "nobody attests by hand the end of access that they asked for",
    async () => {
      const bench = await requestBench(world);
      const id = await ask(bench);
      await bench.approve(id);
      await bench.tick();
      const assignmentId = (await bench.request(id)).items[0]?.assignmentId as string;
      bench.account.script = (method) => {
        if (method === "revoke") throw new ConnectorError("invalid", "Not like this.");
      };
      await bench.act(assignmentId, "revoke", { reason });
      await bench.tick();
      bench.account.script = () => {
        throw new ConnectorError("transient", "Down.");
      };
      const attest = (actor: Actor) =>
        send("POST", `/access-assignments/${assignmentId}/attest`, actor, { evidence: reason });
      return {
        denied: () => attest(bench.requester),
        code: [403, "self_approval_forbidden"],
        allowed: () => attest(world.a.actors.operator),
      };
    },
  ],
  [
    10,
    "what must not be had together is not approved together",
    async () => {
      const bench = await requestBench(world);
      const held = await ask(bench);
      const items = [{ accessProfileId: bench.writeProfileId, resourceId: bench.resourceId }];
      const { id } = await bench.asked("pending_approval", { items });
      const [left, right] = [{ profileIds: [bench.accessProfileId] }, { profileIds: [bench.writeProfileId] }];
      const rule = { key: "both", description: "Not both.", mode: "is_in", severity: "high", onHit: "deny" };
      await bench.policy({ stages: [{ approvers: [user(bench.second)] }], conflicts: [{ ...rule, left, right }] });
      return {
        denied: () => bench.approve(id),
        code: [409, "sod_conflict"],
        allowed: async () => {
          await bench.verb(held, "cancel", bench.requester, { reason });
          return bench.approve(id);
        },
      };
    },
  ],
  [
    11,
    "an emergency lasts four hours at most",
    async () => {
      const bench = await requestBench(world, null);
      await bench.policy({ kind: "emergency", stages: [{ approvers: [user(bench.first)] }] });
      const emergency = { emergency: true, reason: "There is an incident with claims." };
      return {
        denied: () => bench.ask({ ...emergency, duration: "PT5H" }),
        code: [400, "duration_exceeds_max"],
        allowed: () => bench.ask({ ...emergency, duration: "PT4H" }),
      };
    },
  ],
  [
    12,
    "who approves is who is signed in, and not whom the body names",
    async () => {
      const bench = await requestBench(world);
      const id = await ask(bench);
      return {
        denied: () => bench.approve(id, bench.first, { approver: bench.second.userId }),
        code: [400, "invalid_request"],
        allowed: () => bench.approve(id),
      };
    },
  ],
];

describe("pitfall 12: separation of duties", () => {
  it.each(RULES)("rule %i: %s", async (_number, _rule, arrange) => {
    const { denied, code, allowed } = await arrange();
    const refused = await denied();
    expect(reported(refused), refused.text).toEqual(code);
    const done = await allowed();
    expect(done.status, done.text).toBe(200);
  });

  it("has a denied twin for each of its rules", () => {
    expect(RULES.map(([number]) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });
});
