import { client, ProblemError } from "../../../api/client.js";
import { isOvertaken, wordsOf } from "../../../api/problem.js";
import { t } from "../../../texts/index.js";
import type { At } from "../../../work/work.js";
import type { Asked, Bulk, Decision } from "./decisions.js";

/** Marks the next decision as sent, or sends what is marked. So it is known of each whether it may have been sent. */
export async function step({ input: me, state }: At<string, Bulk>) {
  const { decisions } = state;
  const next = decisions.find(({ state }) => state === "sent") ?? decisions.find(({ state }) => state === "waiting");
  if (!next) return { state, isOver: true };
  const became = next.state === "sent" ? await send(next, me) : { ...next, state: "sent" as const };
  return { state: replaced(decisions, next, became), isOver: false };
}

/** Asks the server what became of the decision that was under way when the page was left. */
export async function settle({ input: me, state: { decisions } }: At<string, Bulk>): Promise<Bulk> {
  const left = decisions.find(({ state }) => state === "sent");
  return { decisions: left ? replaced(decisions, left, await becameOf(left, me)).decisions : decisions };
}

const replaced = (decisions: readonly Decision[], one: Decision, by: Decision): Bulk => ({
  decisions: decisions.map((each) => (each === one ? by : each)),
});

const refused = (one: Decision, words: string): Decision => ({ ...one, state: "refused", words });

async function send(one: Decision, me: string): Promise<Decision> {
  try {
    await sendAsked(one.asked, one.key);
    return { ...one, state: "decided" };
  } catch (error) {
    const isOther = isOvertaken(error);
    if (!ProblemError.is(error) || (!isOther && mayComeToPass(error))) throw error;
    const words = isOther ? t.problem.overtaken : wordsOf(error).title;
    // A decision without a key may have been taken by its first sending, so that the second finds another version.
    if (one.asked.verb !== "PUT" || (!isOther && error.status !== 404)) return refused(one, words);
    const mine = await isMine(one, me);
    if (mine) return { ...one, state: "decided" };
    return refused(one, mine === false ? words : t.inbox.bulk.overtakenOrOwn);
  }
}

function sendAsked({ verb, path, ...init }: Asked, key: string): Promise<unknown> {
  const call = client[verb] as unknown as (path: string, init: object) => Promise<unknown>;
  return call(path, verb === "PUT" ? init : { ...init, idempotencyKey: key });
}

/** Whether the same request may be answered otherwise: after another sign-in, a fresh proof, or later. */
const mayComeToPass = ({ status, code, retryable }: ProblemError) =>
  status === 401 || status >= 500 || code === "step_up_required" || retryable;

/** Whether the person has acted on the record since it was read. `undefined` for who may not read that. */
async function isMine({ review, readAt }: Decision, me: string): Promise<boolean | undefined> {
  if (readAt === null) return undefined;
  const params = { path: { subjectId: review.subjectId }, query: { actor: [me], from: readAt } };
  try {
    const { data } = await client.GET("/api/v1/ai/activity/{subjectId}", { params });
    return data.items.some(({ subject }) => subject === review.subjectId);
  } catch (error) {
    if (ProblemError.is(error) && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}

async function becameOf(one: Decision, me: string): Promise<Decision> {
  const mine = await isMine(one, me);
  if (mine) return { ...one, state: "decided" };
  const waits = await isWaiting(one);
  if (mine === false) return waits ? { ...one, state: "waiting" } : refused(one, t.inbox.bulk.gone);
  return one;
}

async function isWaiting({ review: { id } }: Decision): Promise<boolean> {
  try {
    await client.GET("/api/v1/reviews/{id}", { params: { path: { id } } });
    return true;
  } catch (error) {
    if (ProblemError.is(error) && error.status === 404) return false;
    throw error;
  }
}
