import { type Backend, type GuardOptions, openGuard, RunEndedError } from "@reeve/guard";
import { type Driver, type Played, type ScriptedCall, type ToolName, Tools } from "./driver.js";
import type { Known, Trouble, Way, World } from "./world.js";

/** What came of a call: how often a tool ran, how often the model was asked, and what it was told or what ended the run. */
export interface Answer {
  readonly ran: number;
  readonly modelCalls: number;
  readonly told?: string;
  readonly ended?: string;
}

export interface Situation {
  readonly world: World;
  readonly driver: Driver;
  readonly way: Way;
  readonly known: Known;
  /** Different in each situation, so that none uses the approval of another. */
  readonly to: string;
}

const call = (tool: ToolName, args: Readonly<Record<string, unknown>>): ScriptedCall => ({ tool, args });
const path = { path: "/etc/hosts" };
const isDone = (tool: string) => ({ ran: 1, modelCalls: 2, told: `${tool} is done` });
const isTold = (told: string) => ({ ran: 0, modelCalls: 2, told });
const denied = (why: string) => isTold(`Denied by a rule of your organisation. ${why}`);
const undecided = isTold(
  "There is no decision about this call, so it is denied. Reeve is away, late or cannot be understood.",
);
const waits = isTold(
  "It waits for approval (apr_…). Large. Once somebody has approved it, the same call with the same arguments passes once.",
);

/** The calls, each with what it must come to whatever the framework and the way to Reeve. */
export const TWENTY: readonly (readonly [what: string, expected: Answer, play: (at: Situation) => Promise<Answer>])[] =
  [
    ["an allowed call", isDone("search"), (at) => once(at, call("search", { query: "tickets" }))],
    [
      "a call that a rule about its arguments allows",
      isDone("refund"),
      (at) => once(at, call("refund", { amount: 20, to: at.to })),
    ],
    ["a call that a rule denies", denied("Agents wire nothing."), (at) => once(at, call("wire", { amount: 1 }))],
    ["a call of which no rule speaks", denied("No rule in force speaks of it."), (at) => once(at, call("read", path))],
    ["a call for which a rule has no result", denied("…"), (at) => once(at, call("export", path))],
    ["a tool that Reeve does not know", denied("An id names no asset."), (at) => once(at, call("shred", path))],
    ["a tool that the agent does not use", denied("…"), (at) => once(at, call("orphan", path))],
    ["a suspended agent", denied("…"), (at) => once(at, call("search", { query: "x" }), { agent: "Stopped teller" })],
    [
      "an agent that Reeve does not know",
      denied("An id names no asset."),
      (at) => once(at, call("search", { query: "x" }), { agent: "Nobody" }),
    ],
    ["a halted team", denied("…"), (at) => halted(at, {})],
    ["a halted team, in a session", { ran: 0, modelCalls: 1, ended: "active" }, (at) => halted(at, { session: true })],
    ["a session that was terminated before the call", { ran: 0, modelCalls: 1, ended: "terminat…" }, terminated],
    ["a call that needs approval", waits, (at) => once(at, large(at))],
    ["the same call once it is approved", isDone("refund"), approved],
    ["the same call after its approval is used", waits, usedUp],
    ["another call than the approved one", waits, changed],
    [
      "a call that somebody refuses while it waits",
      isTold("It is refused: its approval is rejected. Large."),
      rejected,
    ],
    ["arguments that cannot be read", { ran: 0, modelCalls: 2, told: "(refused)" }, broken],
    [
      "a Reeve that is away, or whose answer cannot be read",
      undecided,
      async (at) => same(await troubled(at, "away"), await troubled(at, "unreadable")),
    ],
    ["a Reeve that answers late", undecided, (at) => troubled(at, "late")],
  ];

const large = ({ to }: Situation) => call("refund", { amount: 500, to });

/** Plays one call in a run of its own. */
async function once(
  at: Situation,
  made: ScriptedCall,
  options: Partial<GuardOptions> = {},
  during?: () => Promise<void>,
) {
  const { world, driver, way, known } = at;
  const tools = new Tools();
  tools.onModel = during;
  const guard = await openGuard({
    ...{ reeve: world.backend(way, known), agent: "Teller", approvalPollMs: 10, timeoutMs: 60_000 },
    ...options,
  });
  try {
    return answerOf(await driver.play(guard, [made], tools), tools, made);
  } finally {
    await guard.close();
  }
}

function answerOf({ told, modelCalls, ended }: Played, { ran }: Tools, { broken }: ScriptedCall): Answer {
  if (ended !== undefined && !RunEndedError.is(ended)) throw ended;
  const text = told.at(-1);
  return {
    ran: ran.length,
    modelCalls,
    ...(text === undefined ? {} : { told: broken && ran.length === 0 ? "(refused)" : readable(text) }),
    ...(ended ? { ended: ended.status.replace(/^terminat.*/, "terminat…") } : {}),
  };
}

/** A text without ids, and without what reasons of a state name. */
const readable = (text: string) =>
  text
    .replace(/apr_\w+/g, "apr_…")
    .replace(/^(Denied by a rule of your organisation[.] )(?!Agents wire|No rule|An id names no asset[.]$).*/s, "$1…");

async function halted(at: Situation, { session }: { readonly session?: boolean }): Promise<Answer> {
  const { world } = at;
  const id = session ? await world.startSession("Night teller") : undefined;
  let haltId = "";
  const halt = async () => {
    const body = { scope: "team" as const, target: "night", reason: "The night shift answers nobody." };
    haltId = (await world.call("aiHalts.create", world.ada, { body })).id;
  };
  const options = { agent: "Night teller", ...(id ? { session: id } : {}) };
  const answer = await once(at, call("search", { query: "x" }), options, halt);
  const params = { id: haltId };
  await world.call("aiHalts.lift", world.grace, { params, body: { reason: "It answers again." } });
  return answer;
}

async function terminated(at: Situation): Promise<Answer> {
  const session = await at.world.startSession("Teller");
  return once(at, call("search", { query: "x" }), { session }, () => at.world.terminate(session));
}

async function approvalOf({ world }: Situation): Promise<string> {
  const { items } = await world.call("aiApprovals.list", world.grace, { query: { status: ["requested"] } });
  return items[0]?.id as string;
}

async function approve(at: Situation): Promise<void> {
  await at.world.call("aiApprovals.approve", at.world.grace, { params: { id: await approvalOf(at) } });
}

async function approved(at: Situation): Promise<Answer> {
  await once(at, large(at));
  await approve(at);
  return once(at, large(at));
}

async function usedUp(at: Situation): Promise<Answer> {
  await approved(at);
  return once(at, large(at));
}

async function changed(at: Situation): Promise<Answer> {
  await once(at, large(at));
  await approve(at);
  return once(at, call("refund", { amount: 501, to: at.to }));
}

async function rejected(at: Situation): Promise<Answer> {
  const { world, way, known } = at;
  const reeve = world.backend(way, known);
  let isRejected = false;
  const waiting: Backend = {
    ...reeve,
    async readApproval(id, signal) {
      const body = { reason: "Nobody has asked for it." };
      if (!isRejected) await world.call("aiApprovals.reject", world.grace, { params: { id }, body });
      isRejected = true;
      return reeve.readApproval(id, signal);
    },
  };
  return once(at, large(at), { reeve: waiting, approvalWaitMs: 60_000 });
}

function broken(at: Situation): Promise<Answer> {
  return once(at, { ...call("refund", { amount: 1, to: at.to }), broken: true });
}

async function troubled(at: Situation, trouble: Trouble): Promise<Answer> {
  const reeve = await at.world.troubled(at.way, trouble);
  return once(at, call("search", { query: "x" }), { reeve, timeoutMs: 100 });
}

function same(one: Answer, other: Answer): Answer {
  if (JSON.stringify(one) !== JSON.stringify(other)) throw new Error(`${JSON.stringify([one, other])} differ`);
  return one;
}
