import { type Actor, askOf, newRule, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { ulidSource } from "#testing/index.js";
import { eventsOf, recordsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const URN = "urn:openid:authzen:access-request:error:";
const HOUR = 3_600_000;
const reason = "because a test wants it so";

let world: World;
let pep: Actor;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400, ids: ulidSource() });
  pep = world.a.actors.operator;
});

const send = (method: string, path: string, body?: object, as: Actor = pep, headers: Record<string, string> = {}) =>
  world.send(method, path, { token: as.token, headers, ...(body ? { body } : {}) });
const evaluate = async (body: object, as?: Actor) => (await send("POST", "/access/v1/evaluation", body, as)).json;
const submit = (body: object, as?: Actor, headers?: Record<string, string>) =>
  send("POST", "/access/v1/requests", body, as, headers);
const poll = (id: string, as?: Actor) => send("GET", `/access/v1/requests/${id}`, undefined, as);
const decide = (id: string, verb: "approve" | "reject" | "withdraw", body: object = { reason }) =>
  send("PATCH", `/api/v1/ai-governance/approvals/${id}/${verb}`, body, world.a.owner, { "if-match": "*" });

interface Denied {
  readonly context: { readonly evaluation_id: string; readonly access_request: { readonly expires_at: string } };
}

const denialOf = ({ context: { evaluation_id, access_request } }: Denied) => {
  return { evaluation_id, expires_at: access_request.expires_at };
};

/** A question that needs approval, with its denial. */
async function denied(more: object = {}, as = pep, scene = world.a) {
  await newRule(scene, "require_approval");
  const asked = { ...askOf(scene), ...more };
  const answer = await evaluate(asked, as);
  return {
    asked,
    answer,
    approvalId: answer.context.approval.id as string,
    body: { ...asked, denial: denialOf(answer) },
  };
}

/** The same, asked for and approved: the question, and the approval as the task gives it. */
async function approved(more: object = {}, given: object = { reason }) {
  const { asked, body, approvalId } = await denied(more);
  const { task } = (await submit(body)).json;
  expect((await decide(approvalId, "approve", given)).status).toBe(200);
  const { approval } = (await poll(task.id)).json.result;
  return { asked, approval, taskId: task.id as string };
}

const withApproval = (asked: object, approval: object) => ({
  ...asked,
  context: { ...(asked as { context?: object }).context, approval },
});
const reasonOf = async (body: object, as?: Actor) => {
  const { decision, context } = await evaluate(body, as);
  return [decision, context.reason, context.next_action, context.access_request !== undefined];
};

describe("a denial", () => {
  it("says that it may be asked about, and where", async () => {
    const configuration = (await world.send("GET", "/.well-known/authzen-configuration")).json;
    const { answer } = await denied();
    expect(answer).toMatchObject({
      decision: false,
      context: {
        reason: "policy_approval",
        evaluated_at: new Date(world.clock.now()).toISOString(),
        access_request: {
          endpoint: configuration.access_request_endpoint,
          expires_at: new Date(world.clock.now() + HOUR).toISOString(),
        },
      },
    });
    expect(configuration.capabilities).toEqual(["urn:openid:authzen:capability:access-request"]);
    expect(answer.context.evaluation_id.startsWith(`${answer.context.id}.`)).toBe(true);
  });

  it("that cannot be asked about says so, and is not", async () => {
    await newRule(world.a, "deny");
    const { context } = await evaluate(askOf(world.a));
    expect([context.reason, context.access_request]).toEqual(["policy_deny", undefined]);
    const denial = { evaluation_id: context.evaluation_id, expires_at: "2100-01-01T00:00:00Z" };
    const refused = await submit({ ...askOf(world.a), denial });
    expect([refused.status, refused.json.type]).toEqual([400, `${URN}not_requestable`]);
    expect(refused.headers["content-type"]).toMatch("application/problem+json");
  });
});

describe("a request", () => {
  it("waits for somebody else, and its approval allows that very question once", async () => {
    const { asked, body, approvalId } = await denied({ context: { time: "early" } });
    const said = "The renewal of a customer takes it.";
    const made = await submit({
      ...{ ...body, context: { business_justification: said } },
      ...{ client: { id: "pep", actor: { id: pep.userId } }, unknown: true },
    });
    const { task } = made.json;
    expect([made.status, made.headers["retry-after"]]).toEqual([201, "5"]);
    expect(task).toMatchObject({ status: "pending", links: { cancel: expect.stringMatching(/\/cancel$/) } });
    expect(task.status_endpoint.endsWith(`/access/v1/requests/${task.id}`)).toBe(true);
    const { justification } = (
      await send("GET", `/api/v1/ai-governance/approvals/${approvalId}`, undefined, world.a.owner)
    ).json;
    expect(justification).toBe(said);
    expect((await send("PATCH", `/api/v1/ai-governance/approvals/${approvalId}/approve`, { reason })).status).toBe(403);
    await decide(approvalId, "approve");
    const { task: done, result } = (await poll(task.id)).json;
    expect([done.status, result.mode, result.approval.id]).toEqual(["approved", "reevaluate", approvalId]);
    const answer = await evaluate(withApproval({ ...asked, context: { time: "late" } }, result.approval));
    expect(answer).toMatchObject({
      decision: true,
      context: { approval: { id: approvalId, approved_until: result.approval.approved_until } },
    });
    expect((await poll(task.id)).json.task.status).toBe("approved");
  });

  it("may ask for a time, within which whoever approves may let it be used often", async () => {
    const until = new Date(world.clock.now() + HOUR / 2).toISOString();
    const { asked, body, approvalId } = await denied();
    await submit({ ...body, requested_access: { requested_until: until } });
    await decide(approvalId, "approve", { reason, scope: { until } });
    const again = () => evaluate(withApproval(asked, { id: approvalId }));
    expect([await again(), await again()]).toMatchObject([
      { decision: true, context: { approval: { approved_until: until } } },
      { decision: true },
    ]);
  });

  it("is rejected, expires, is cancelled once, and is over some hours later", async () => {
    const [one, two, three] = [await denied(), await denied(), await denied()];
    const taskOf = async ({ body }: { body: object }) => (await submit(body)).json.task.id as string;
    const [rejected, expired, cancelled] = [await taskOf(one), await taskOf(two), await taskOf(three)];
    await decide(one.approvalId, "reject");
    const cancel = () => send("POST", `/access/v1/requests/${cancelled}/cancel`, { comment: "no more" });
    expect((await cancel()).json.task).toMatchObject({ id: cancelled, status: "cancelled" });
    const again = await cancel();
    expect([again.status, again.json.type]).toEqual([409, `${URN}invalid_task_state`]);
    world.clock.advance(HOUR);
    const states = await Promise.all(
      [rejected, expired, cancelled].map(async (id) => (await poll(id)).json.task.status),
    );
    expect(states).toEqual(["denied", "expired", "cancelled"]);
    const late = await submit(two.body);
    expect([late.status, late.json.type]).toEqual([410, `${URN}expired_denial`]);
    world.clock.advance(12 * HOUR);
    const gone = await poll(expired);
    expect([gone.status, gone.json.type]).toEqual([410, `${URN}task_expired`]);
  });

  it("may bundle several, each of which has its own result", async () => {
    const [one, two] = [await denied(), await denied()];
    const { subject } = one.asked;
    await newRule(world.a, "require_approval");
    const second = { ...askOf(world.a), subject };
    const items = [one.body, { ...second, denial: denialOf(await evaluate(second)) }].map(
      ({ resource, action, denial }) => ({ resource, action, denial }),
    );
    const { task } = (await submit({ subject, items })).json;
    expect(task.items.map(({ status }: { status: string }) => status)).toEqual(["pending", "pending"]);
    await decide(one.approvalId, "approve");
    await send("POST", `/access/v1/requests/${task.id}/cancel`);
    const { task: done, result } = (await poll(task.id)).json;
    expect([done.status, result]).toEqual(["partial", undefined]);
    expect(done.items).toMatchObject([
      { status: "approved", action: one.asked.action, result: { approval: { id: one.approvalId } } },
      { status: "cancelled" },
    ]);
    // A denial that is about something else covers no item.
    const uncovered = await submit({ subject, items: [{ ...items[0], denial: two.body.denial }] });
    expect(uncovered.json.type).toBe(`${URN}invalid_denial_binding`);
  });

  it("is one for the same key, and refused for another body under it", async () => {
    const [{ body }, other] = [await denied(), await denied()];
    const headers = { "idempotency-key": "once" };
    const [first, second] = [await submit(body, pep, headers), await submit(body, pep, headers)];
    expect(second.json).toEqual(first.json);
    const refused = await submit(other.body, pep, headers);
    expect([refused.status, refused.json.type]).toEqual([409, `${URN}duplicate_request`]);
  });

  it("for anything but what was denied is refused, and from anybody but whom", async () => {
    const name = world.a.unique();
    await world.a.newPolicy("runtime", {
      rules: [
        {
          ...{ key: "r", effect: "require_approval", message: name },
          if: `action.name == "${name}" && context.region == "${name}"`,
        },
      ],
      tests: [{ name, input: { action: { name }, context: { region: name } }, expect: "require_approval" }],
      status: "active",
    });
    const action = { name, properties: { amount: 1 } };
    const asked = { ...askOf(world.a), action, context: { region: name, time: "early" } };
    const body = { ...asked, denial: denialOf(await evaluate(asked)) };
    const others: readonly (readonly [change: object, as?: Actor])[] = [
      [{ subject: { type: "user", id: "another" } }],
      [{ resource: { type: "thing", id: "another" } }],
      [{ action: { ...action, properties: { amount: 2 } } }],
      [{ context: { region: "us" } }],
      [{ context: {} }],
      [{}, world.a.owner],
      [{}, world.b.owner],
      [{ denial: { ...body.denial, evaluation_id: "dec_1.aaaa" } }],
      [{ denial: { ...body.denial, evaluation_id: body.denial.evaluation_id.replace(/.$/, "_") } }],
      [{ denial: undefined }],
    ];
    for (const [change, as] of others) {
      const refused = await submit({ ...body, ...change }, as);
      expect([refused.status, refused.json.type], JSON.stringify(change)).toEqual([
        400,
        `${URN}invalid_denial_binding`,
      ]);
    }
    // What no rule reads may change, and more may be said.
    const taken = await submit({ ...body, context: { region: name, time: "late", ticket: 7 } });
    expect(taken.status).toBe(201);
  });

  it.each([
    ["a callback", { callback: { endpoint: "https://pep.example/done" } }, "/callback"],
    ["an actor that the token does not show", { client: { actor: { id: "mallory" } } }, "/client/actor"],
    ["a chain of actors", { client: { actor: { id: "pep", act: { sub: "x" } } } }, "/client/actor"],
    [
      "a secret",
      { context: { business_justification: "with ghp_abcdefghijklmnopqrstuvwxyz0123456789" } },
      "/context/business_justification",
    ],
  ])("with %s is refused", async (_what, more, pointer) => {
    const { body } = await denied();
    const { status, json } = await submit({ ...body, ...more });
    expect([status, json.errors[0].pointer]).toEqual([400, pointer]);
  });

  it("keeps none of what is only compared, and no secret as a justification", async () => {
    const secret = "canary4711canary4711";
    const context = { env: { OPENAI_API_KEY: secret } };
    const { body } = await denied();
    expect((await submit({ ...body, context })).status).toBe(201);
    const kept = JSON.stringify([await recordsOf(world.a), await eventsOf(world.a)]);
    expect([kept.length > 10_000, kept.includes(secret)]).toEqual([true, false]);
    const { status, text, json } = await submit({
      ...body,
      context: { business_justification: `OPENAI_API_KEY=${secret}` },
    });
    expect([status, json.errors[0].pointer]).toEqual([400, "/context/business_justification"]);
    expect(text).not.toContain(secret);
  });

  it("is taken back by one of ten at once, and never besides its approval", async () => {
    const idOf = async ({ body }: { body: object }) => (await submit(body)).json.task.id as string;
    const cancel = (id: string) => send("POST", `/access/v1/requests/${id}/cancel`, {});
    const one = await idOf(await denied());
    const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(one)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    for (let count = 0; count < 5; count += 1) {
      const both = await denied();
      const id = await idOf(both);
      const [taken, given] = await Promise.all([cancel(id), decide(both.approvalId, "approve")]);
      expect([taken.status, given.status].sort()).toEqual([200, 409]);
      expect((await poll(id)).json.task.status).toBe(taken.status === 200 ? "cancelled" : "approved");
    }
  });

  it("is known to whoever sent it alone", async () => {
    const { body } = await denied();
    const { id } = (await submit(body)).json.task;
    for (const as of [world.a.owner, world.b.owner]) {
      const refused = await poll(id, as);
      expect([refused.status, refused.json.type]).toEqual([404, `${URN}unknown_task`]);
      expect((await send("POST", `/access/v1/requests/${id}/cancel`, {}, as)).status).toBe(404);
    }
  });
});

describe("an approval is no bearer", () => {
  it.each([
    ["another subject", { subject: { type: "user", id: "another" } }],
    ["another resource", { resource: { type: "thing", id: "another" } }],
    ["other arguments", { action: "other" }],
  ])("and is out of scope for %s", async (_what, change) => {
    const name = { properties: { amount: 1 } };
    await newRule(world.a, "require_approval");
    const asked = { ...askOf(world.a), action: { name: world.a.picked, ...name } };
    const { approval } = { approval: (await evaluate(asked)).context.approval };
    await decide(approval.id, "approve");
    const other = "action" in change ? { action: { ...asked.action, properties: { amount: 2 } } } : change;
    expect(await reasonOf(withApproval({ ...asked, ...other }, approval))).toEqual([
      false,
      "out_of_scope",
      "request",
      true,
    ]);
    expect((await evaluate(withApproval(asked, approval))).decision).toBe(true);
  });

  it("and is out of scope in another circumstance that its rules read", async () => {
    const name = world.a.unique();
    const rule = { key: "r", effect: "require_approval", message: name };
    const test = { name, input: { action: { name }, context: { region: "eu" } }, expect: "require_approval" };
    await world.a.newPolicy("runtime", {
      rules: [{ ...rule, if: `action.name == "${name}" && context.region != ""` }],
      ...{ tests: [test], status: "active" },
    });
    const asked = { ...askOf(world.a), action: { name }, context: { region: "eu" } };
    const { approval } = (await evaluate(asked)).context;
    await decide(approval.id, "approve");
    const elsewhere = withApproval({ ...asked, context: { region: "us" } }, approval);
    expect(await reasonOf(elsewhere)).toEqual([false, "out_of_scope", "request", true]);
  });

  it("and is expired once used, withdrawn, cancelled, out of time, or given under other rules", async () => {
    const over = [false, "approval_expired", "request", true];
    const used = await approved();
    expect((await evaluate(withApproval(used.asked, used.approval))).decision).toBe(true);
    expect(await reasonOf(withApproval(used.asked, used.approval))).toEqual(over);
    const withdrawn = await approved();
    await decide(withdrawn.approval.id, "withdraw");
    expect(await reasonOf(withApproval(withdrawn.asked, withdrawn.approval))).toEqual(over);
    const cancelled = await denied();
    await send("POST", `/access/v1/requests/${(await submit(cancelled.body)).json.task.id}/cancel`);
    expect(await reasonOf(withApproval(cancelled.asked, { id: cancelled.approvalId }))).toEqual(over);
    const late = await approved();
    world.clock.advance(HOUR);
    expect(await reasonOf(withApproval(late.asked, late.approval))).toEqual(over);
    const ruled = await approved();
    const rule = { key: "named", effect: "require_approval", message: "otherwise" };
    const { name } = (ruled.asked as unknown as { action: { name: string } }).action;
    await world.a.newPolicy("runtime", {
      rules: [{ ...rule, if: `action.name == "${name}"` }],
      tests: [{ name, input: { action: { name } }, expect: "require_approval" }],
      status: "active",
    });
    expect(await reasonOf(withApproval(ruled.asked, ruled.approval))).toEqual(over);
  });

  it("and waits for who decides", async () => {
    const { asked, approvalId } = await denied();
    const { decision, context } = await evaluate(withApproval(asked, { id: approvalId }));
    expect([decision, context.reason, context.next_action, context.retry_after]).toEqual([
      false,
      "grant_pending",
      "retry",
      5,
    ]);
  });

  it("and does not overrule a policy that denies by now, nor a kill of what it is about", async () => {
    const { asked, approval } = await approved();
    const { name } = (asked as unknown as { action: { name: string } }).action;
    await world.a.newPolicy("runtime", {
      rules: [{ key: "no", effect: "deny", message: "no", if: `action.name == "${name}"` }],
      tests: [{ name, input: { action: { name } }, expect: "deny" }],
      status: "active",
    });
    expect(await reasonOf(withApproval(asked, approval))).toEqual([false, "policy_denied", "none", false]);
    // One that has run out is no reason to ask again either.
    world.clock.advance(HOUR);
    expect(await reasonOf(withApproval(asked, approval))).toEqual([false, "approval_expired", "none", false]);
  });

  it("and is unverifiable when another caller, another tenant or nobody has it, or something was added", async () => {
    const { asked, approval } = await approved();
    const unverifiable = (requestable: boolean) => [false, "approval_unverifiable", "none", requestable];
    expect(await reasonOf(withApproval(asked, approval), world.a.owner)).toEqual(unverifiable(true));
    expect(await reasonOf(withApproval(asked, approval), world.b.owner)).toEqual(unverifiable(false));
    for (const forged of [{ id: "apr_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }, { id: 7 }, {}, { ...approval, state: "eyJ.e30." }])
      expect(await reasonOf(withApproval(asked, forged))).toEqual(unverifiable(true));
    const rejected = await denied();
    await decide(rejected.approvalId, "reject");
    expect(await reasonOf(withApproval(rejected.asked, { id: rejected.approvalId }))).toEqual(unverifiable(true));
    expect((await evaluate(withApproval(asked, approval))).decision).toBe(true);
  });
});
