import { randomBytes } from "node:crypto";
import { type GuardOptions, openGuard } from "@reeve/guard";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ADDRESS, ERAS, McpProcess, type ProcessOptions, send, toldBy, type User } from "./story/mcp-process.js";
import { type Known, WAYS, type Way, World } from "./story/world.js";

let world: World;
let known: Known;
/** Moves the clock of Reeve. */
let aheadMs = 0;
beforeAll(async () => {
  world = await World.open(undefined, { clock: { now: () => Date.now() + aheadMs } });
  known = await world.fill();
});
afterAll(() => world.close());

const running: McpProcess[] = [];
afterEach(() => Promise.all(running.splice(0).map((process) => process.close())));

/** Starts a process of the server. */
async function start(way: Way, run: Partial<GuardOptions> = {}, options: ProcessOptions = {}): Promise<McpProcess> {
  const asks = { reeve: world.backend(way, known), agent: "Teller", timeoutMs: 60_000, approvalPollMs: 10 };
  const process = new McpProcess(await openGuard({ ...asks, ...run }), options);
  running.push(process);
  return process;
}

/** Different in each test, so that none uses the approval of another. */
let calls = 0;
const large = () => {
  calls += 1;
  return { amount: 500, to: `person ${calls}` };
};

const idIn = (text: unknown) => /apr_\w+/.exec(String(text))?.[0] as string;
const approve = (text: unknown, by = world.grace) =>
  world.call("aiApprovals.approve", by, { params: { id: idIn(text) } });
const reject = (text: unknown) =>
  world.call("aiApprovals.reject", world.grace, { params: { id: idIn(text) }, body: { reason: "Nobody wants it." } });
const waitingNow = async () =>
  (await world.call("aiApprovals.list", world.grace, { query: { status: ["requested"] } })).items.length;

/** A user who is asked, and what they were asked. */
function userOf(answer: User["answer"], modes: User["modes"] = { url: {} }) {
  const asked: Readonly<Record<string, unknown>>[] = [];
  const user: User = {
    modes,
    answer: async (params) => {
      asked.push(params);
      return answer(params);
    },
  };
  return { user, asked };
}

describe.each(WAYS)("%s", (way) => {
  describe.each(ERAS)("in the %s era", (era) => {
    it("the user is told where it is decided, somebody else approves it, and the tool runs once", async () => {
      const process = await start(way);
      const { user, asked } = userOf(async ({ message }) => {
        await approve(message);
        return "accept";
      });
      const client = await process.client(era, user);
      const args = large();
      expect(toldBy(await client.callTool({ name: "refund", arguments: args })).text).toBe("refund is done");
      expect(asked).toEqual([
        expect.objectContaining({
          mode: "url",
          url: ADDRESS,
          message: expect.stringMatching(/^It waits for approval \(apr_\w+\)[.] Large[.] .*approves nothing/),
        }),
      ]);
      expect(process.ran).toEqual([`refund ${JSON.stringify(args)}`]);
      const refused = await (await process.client(era)).callTool({ name: "refund", arguments: args });
      expect([toldBy(refused).code, process.ran.length]).toEqual(["waits_for_approval", 1]);
    });

    it("what the user of the client answers approves nothing, and neither may they approve it themselves", async () => {
      const { items } = await world.call("aiAgents.list", world.ada, { query: { search: "Teller" } });
      const agentId = items.find(({ name }) => name === "Teller")?.assetId as string;
      const body = { agentId, userId: world.grace.userId };
      const { id: session } = await world.call("aiSessions.create", world.ada, { body });
      const process = await start(way, { session });
      const { user, asked } = userOf(async ({ message }) => {
        await expect(approve(message)).rejects.toMatchObject({ code: "self_approval_forbidden" });
        return "accept";
      });
      const result = await (await process.client(era, user)).callTool({ name: "refund", arguments: large() });
      expect(toldBy(result)).toMatchObject({
        ...{ code: "waits_for_approval", address: ADDRESS },
        text: expect.stringContaining(`It is decided at ${ADDRESS}`),
      });
      expect([asked.length, process.ran]).toEqual([1, []]);
    });

    it("a rejection is told, and nothing runs", async () => {
      const process = await start(way);
      const { user } = userOf(async ({ message }) => {
        await reject(message);
        return "accept";
      });
      const result = await (await process.client(era, user)).callTool({ name: "refund", arguments: large() });
      expect(toldBy(result)).toMatchObject({ code: "approval_refused", text: expect.stringContaining("is rejected") });
      expect(process.ran).toEqual([]);
    });

    it("a client that can be asked nothing gets the address, and its next call runs once it is approved", async () => {
      const process = await start(way);
      const client = await process.client(era);
      const args = large();
      const first = toldBy(await client.callTool({ name: "refund", arguments: args }));
      expect(first).toMatchObject({ code: "waits_for_approval", address: ADDRESS });
      await approve(first.text);
      expect(toldBy(await client.callTool({ name: "refund", arguments: args })).text).toBe("refund is done");
      expect(process.ran).toHaveLength(1);
    });
  });
});

describe.each(ERAS)("in the %s era", (era) => {
  it.each(["decline", "cancel"] as const)(
    "a user who answers with %s has the call not made, though it is approved",
    async (no) => {
      const process = await start("in process");
      const { user } = userOf(async ({ message }) => {
        await approve(message);
        return no;
      });
      const result = await (await process.client(era, user)).callTool({ name: "refund", arguments: large() });
      expect([toldBy(result).code, process.ran]).toEqual(["declined", []]);
    },
  );

  it.each([{}, { form: {} }])("a client that takes forms alone (%j) gets one that asks for nothing", async (modes) => {
    const process = await start("in process");
    const { user, asked } = userOf(async ({ message }) => {
      await approve(message);
      return "accept";
    }, modes);
    const result = await (await process.client(era, user)).callTool({ name: "refund", arguments: large() });
    expect(toldBy(result).text).toBe("refund is done");
    expect(asked).toMatchObject([
      { message: expect.stringContaining(ADDRESS), requestedSchema: { type: "object", properties: {} } },
    ]);
  });

  it("the end of the session ends a call that waits", async () => {
    const session = await world.startSession("Teller");
    const process = await start("in process", { session, approvalWaitMs: 60_000 });
    const { user } = userOf(async () => {
      await world.terminate(session);
      return "accept";
    });
    const result = await (await process.client(era, user)).callTool({ name: "refund", arguments: large() });
    expect([toldBy(result).ended, process.ran]).toEqual([true, []]);
  });

  it("what needs no approval runs at once, and what is denied is told as ever", async () => {
    const process = await start("in process");
    const { user, asked } = userOf(async () => "accept");
    const client = await process.client(era, user);
    expect(toldBy(await client.callTool({ name: "refund", arguments: { amount: 20 } })).text).toBe("refund is done");
    const denied = await client.callTool({ name: "refund", arguments: { amount: "much" } });
    expect([toldBy(denied).code, asked, process.ran.length]).toEqual(["denied", [], 1]);
  });
});

describe("a client of 2025-11-25 over HTTP", () => {
  it("is asked in a session, and without one gets the address", async () => {
    const process = await start("over HTTP");
    const { user, asked } = userOf(async ({ message }) => {
      await approve(message);
      return "accept";
    });
    const [inSession, alone] = [
      await process.client("legacy", user, "session"),
      await process.client("legacy", user, "nothing"),
    ];
    expect(toldBy(await inSession.callTool({ name: "refund", arguments: large() })).text).toBe("refund is done");
    const refused = await alone.callTool({ name: "refund", arguments: large() });
    expect([toldBy(refused).address, asked.length, process.ran.length]).toEqual([ADDRESS, 1, 1]);
  });
});

describe("what a client of 2026-07-28 sends back", () => {
  const { user } = userOf(async () => "accept");

  /** A call that was answered with a state, and approved since. */
  async function approved(process: McpProcess, args: object = large()) {
    const client = await process.client("modern", user);
    const asked = await send(client, "refund", args);
    const [request] = Object.values(asked.inputRequests ?? {});
    await approve(request?.params.message);
    return { client, args, state: { requestState: asked.requestState } };
  }

  it("is good once, also for two at the same time", async () => {
    const process = await start("over HTTP");
    const { client, args, state } = await approved(process);
    const both = await Promise.all([send(client, "refund", args, state), send(client, "refund", args, state)]);
    expect(
      both
        .map(toldBy)
        .map(({ text, code }) => code ?? text)
        .sort(),
    ).toEqual(["approval_refused", "refund is done"]);
    const before = await waitingNow();
    const replayed = toldBy(await send(client, "refund", args, state));
    expect(replayed).toMatchObject({ code: "approval_refused", text: "It is refused: its approval is used." });
    expect([process.ran.length, await waitingNow()]).toEqual([1, before]);
  });

  it("is good in another process with the same key, and in none with another", async () => {
    const first = await start("over HTTP");
    const { args, state } = await approved(first, { ...large(), a: 1, b: 2 });
    await first.close();
    const stranger = await start("over HTTP", {}, { key: randomBytes(32) });
    const other = await send(await stranger.client("modern", user), "refund", args, state);
    expect(toldBy(other)).toMatchObject({
      code: "invalid_request_state",
      text: expect.stringContaining("this server"),
    });
    const second = await start("over HTTP", {}, { verifies: true });
    // Members in another order are the same arguments.
    const same = Object.fromEntries(Object.entries(args).reverse());
    const result = await send(await second.client("modern", user), "refund", same, state);
    expect([toldBy(result).text, first.ran, stranger.ran, second.ran.length]).toEqual(["refund is done", [], [], 1]);
  });

  it("is refused with other arguments, another tool, session or caller, when changed, and when expired", async () => {
    const process = await start("in process", { session: await world.startSession("Teller") });
    const { client, args, state } = await approved(process);
    const elsewhere = await start("in process", { session: await world.startSession("Teller") });
    const expiring = await start("in process", {}, { ttlSeconds: -1 });
    const late = await approved(expiring);
    const bent = `${state.requestState?.slice(0, 20)}x${state.requestState?.slice(21)}`;
    const signedIn = await process.client("modern", user);
    const tries = [
      await send(client, "refund", { ...args, amount: 501 }, state),
      await send(client, "refund", { ...args, more: 1 }, state),
      await send(client, "search", args, state),
      await send(await elsewhere.client("modern", user), "refund", args, state),
      await send(client, "refund", args, { requestState: bent }),
      await send(client, "refund", args, { requestState: idIn("apr_1") }),
      await send(late.client, "refund", late.args, late.state),
    ];
    process.authInfo = { token: "x", clientId: "somebody else", scopes: [] };
    tries.push(await send(signedIn, "refund", args, state));
    expect(tries.map(toldBy).map(({ code, text }) => [code, text?.split(". ")[1]])).toEqual(
      [
        "The arguments have changed since, so make the call anew.",
        "The arguments have changed since, so make the call anew.",
        "It is of a call of another tool, so make the call anew.",
        "It is of another session or of another caller, so make the call anew.",
        "It is not of this server, so make the call anew.",
        "It is not of this server, so make the call anew.",
        "It has expired, so make the call anew.",
        "It is of another session or of another caller, so make the call anew.",
      ].map((why) => ["invalid_request_state", why]),
    );
    expect([process.ran, elsewhere.ran, expiring.ran]).toEqual([[], [], []]);
    process.authInfo = undefined;
    expect(toldBy(await send(client, "refund", args, state)).text).toBe("refund is done");
  });

  it("is for one person, where the codec binds it", async () => {
    const process = await start("in process", {}, { bindsPerson: true });
    const person = (sub: string) => ({ token: "x", clientId: "host", scopes: [], extra: { sub } });
    process.authInfo = person("ada");
    const { client, args, state } = await approved(process);
    process.authInfo = person("joan");
    expect(toldBy(await send(client, "refund", args, state)).text).toContain("of another caller");
    process.authInfo = person("ada");
    expect(toldBy(await send(client, "refund", args, state)).text).toBe("refund is done");
    expect(process.ran).toHaveLength(1);
  });

  it("may come again while it waits, also long after, and is over with its approval", async () => {
    const process = await start("in process");
    const client = await process.client("modern", user);
    const args = large();
    const asked = await send(client, "refund", args);
    const answers = [asked];
    for (let last = asked; last.resultType === "input_required"; answers.push(last))
      last = await send(client, "refund", args, { requestState: last.requestState });
    // The user is asked with the first of seven.
    expect(answers.map(({ inputRequests = {} }) => Object.keys(inputRequests).length)).toEqual([
      1, 0, 0, 0, 0, 0, 0, 0,
    ]);
    expect(toldBy(answers[7] as object)).toMatchObject({ code: "waits_for_approval", address: ADDRESS });
    const { state, args: others } = await approved(process);
    aheadMs += 2 * 3_600_000;
    const over = [
      await send(client, "refund", args, { requestState: asked.requestState }),
      await send(client, "refund", others, state),
    ];
    expect(over.map(toldBy).map(({ text }) => text)).toEqual(Array(2).fill("It is refused: its approval is expired."));
    expect(process.ran).toEqual([]);
  });

  it("waits for the decision as long as the guard may", async () => {
    const reeve = world.backend("in process", known);
    let reads = 0;
    const readApproval: typeof reeve.readApproval = async (id, signal) => {
      reads += 1;
      if (reads === 3) await approve(id);
      return reeve.readApproval(id, signal);
    };
    const process = await start("in process", { reeve: { ...reeve, readApproval }, approvalWaitMs: 60_000 });
    const result = await (await process.client("modern", user)).callTool({ name: "refund", arguments: large() });
    expect([toldBy(result).text, reads]).toEqual(["refund is done", 3]);
  });

  it("reaches a handler that has a state of its own", async () => {
    const process = await start("in process");
    const client = await process.client("modern", user);
    for (const options of [{}, { verifies: true }]) {
      const own = await start("in process", {}, options);
      const result = await (await own.client("modern", user)).callTool({ name: "choose", arguments: {} });
      expect(toldBy(result).text).toMatch(/^step/);
    }
    await client.close();
  });

  it("is denied where the approval cannot be read", async () => {
    const process = await start("in process");
    const { args, state } = await approved(process);
    const reeve = { ...world.backend("in process", known), readApproval: () => Promise.reject(new Error("away")) };
    const blind = await start("in process", { reeve });
    const result = await send(await blind.client("modern", user), "refund", args, state);
    expect([toldBy(result).code, blind.ran]).toEqual(["undecided", []]);
  });
});
