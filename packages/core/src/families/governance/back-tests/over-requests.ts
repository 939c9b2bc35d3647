import { sessions } from "#families/sessions/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isIdOf } from "#store/collection.js";
import { EventLoopYielder } from "#store/event-loop.js";
import { assetsNamed } from "../decisions/ask/facts.js";
import type { RuntimePolicy } from "../decisions/judge/policy-set.js";
import { RequestValues, ruleResultsOf } from "../decisions/judge/rule-results.js";
import { strongest } from "../policies/evaluate-policy.js";
import { Budget } from "../policies/evaluation-budget.js";
import type { Source } from "../snapshots/take/surroundings.js";
import { type Happened, type History, LOOKING_MS } from "./past/history.js";
import { decidableRules, isLoggedIn, type LoggedDecision, loggedAsk } from "./past/logged-decision.js";
import { Past } from "./past/past.js";
import { KeptAnswers, pastSource } from "./past/past-source.js";
import { type OverRequests, SAYS, type Says } from "./schema.js";

const MOST_EXAMPLES = 100;
const DECIDED = /\.decision\.(?:allowed|denied|approval_required)\.v1$/;

/** How restrictive each outcome is. */
const WEIGHT = { allow: 0, none: 0, warn: 0, require_approval: 1, deny: 2, error: 2 } as const;

/** Evaluates a policy for logged decisions, newest first, with the assets of that time. */
export async function backTestOverRequests(
  ctx: ReadContext,
  policy: RuntimePolicy,
  history: History,
): Promise<{ readonly found: OverRequests; readonly complete: boolean }> {
  const comparison = new ComparisonCounter(policy);
  const past = new Past();
  const end = performance.now() + LOOKING_MS;
  const [yielder, nextBudget] = [new EventLoopYielder(), Budget.maker()];
  let lookedBackTo = ctx.now;
  for await (const batch of history.batches()) {
    const answers = new KeptAnswers(ctx.db);
    await assetsNamed(pastSource(answers, past, ctx.now), namesIn(batch));
    for (const { event, envelope } of batch) {
      if (performance.now() > end) {
        history.since = lookedBackTo;
        return { found: comparison.found, complete: false };
      }
      if (yielder.isDue) await yielder.pass();
      if (!DECIDED.test(envelope.type)) past.undo(envelope, event);
      else if (event.data === null) comparison.addErased();
      else {
        const logged = JSON.parse(event.data) as LoggedDecision;
        const then = pastSource(answers, past, envelope.time);
        comparison.add(envelope, logged, await replay(policy, logged, past, then, nextBudget));
      }
      lookedBackTo = envelope.time;
    }
  }
  return { found: comparison.found, complete: true };
}

/** The distinct ids in the decisions among these events. */
function namesIn(batch: readonly Happened[]): string[] {
  const ids = batch.flatMap(({ event, envelope }) => {
    if (event.data === null || !DECIDED.test(envelope.type)) return [];
    const { subject, resource } = JSON.parse(event.data) as LoggedDecision;
    return [subject.id, resource.id];
  });
  return [...new Set(ids)];
}

/** What the log does not hold. Rules that read it are left out. */
const UNREPORTED = { tenant: {}, session: undefined, specs: new Map(), effectsOf: () => [] };

interface Answer {
  readonly says: Says;
  readonly ruleKeys: readonly string[];
}

/**
 * The outcome of a policy for a logged request. `unknown` when a rule that could change it reads fields that were not
 * logged.
 */
async function replay(
  policy: RuntimePolicy,
  logged: LoggedDecision,
  past: Past,
  then: Source,
  nextBudget: () => Budget,
): Promise<Answer> {
  const { subject, resource } = logged;
  const named = await assetsNamed(then, [subject.id, resource.id]);
  const parties = { subject: named.get(subject.id), resource: named.get(resource.id) };
  const ids = [subject.id, resource.id, ...[...named.values()].map(({ id }) => id)];
  // The agent of a session is not logged.
  const isKnown = !isIdOf(sessions, subject.id) || (!policy.narrow && parties.resource !== undefined);
  const knowsAsset = isKnown && !ids.some((id) => past.isUnknown(id));
  if (policy.narrow && !knowsAsset) return { says: "unknown", ruleKeys: [] };
  const rules = decidableRules(policy.compiled, isLoggedIn(logged, knowsAsset));
  const narrowed = { ...policy, compiled: { ...policy.compiled, rules } };
  const values = new RequestValues(loggedAsk(logged), then.now, UNREPORTED);
  const results = await ruleResultsOf([narrowed], parties, values, nextBudget());
  const says = strongest(results);
  const isCertain = rules.length === policy.compiled.rules.length || says === "deny" || says === "error";
  if (!isCertain) return { says: "unknown", ruleKeys: [] };
  const ruleKeys = results.filter(({ outcome }) => outcome === says).map(({ ruleKey }) => ruleKey);
  return { says, ruleKeys: [...new Set(ruleKeys)] };
}

/** Compares the results of a policy with the logged decisions. */
class ComparisonCounter {
  readonly found: OverRequests;

  constructor(private readonly policy: RuntimePolicy) {
    const says = Object.fromEntries(SAYS.map((word) => [word, 0])) as Record<Says, number>;
    this.found = { decisions: 0, says, stricter: 0, looser: 0, same: 0, unknown: 0, examples: [] };
  }

  addErased(): void {
    this.found.decisions += 1;
    this.found.says.unknown += 1;
    this.found.unknown += 1;
  }

  add({ subject: id, time: at }: Happened["envelope"], logged: LoggedDecision, { says, ruleKeys }: Answer): void {
    const { found } = this;
    const how = this.#compared(logged, says);
    found.decisions += 1;
    found.says[says] += 1;
    found[how] += 1;
    if ((how !== "stricter" && how !== "looser") || found.examples.length >= MOST_EXAMPLES) return;
    const { subject, action, resource, status: was } = logged;
    found.examples.push({ id, at, subject, action, resource, was, says, ruleKeys: [...ruleKeys] });
  }

  #compared({ status, approvalId, reasons }: LoggedDecision, says: Says): "stricter" | "looser" | "same" | "unknown" {
    if (says === "unknown") return "unknown";
    const was = status === "allow" && approvalId !== null ? WEIGHT.require_approval : WEIGHT[status];
    if (WEIGHT[says] > was) return "stricter";
    if (WEIGHT[says] === was) return "same";
    const alone = reasons.length > 0 && reasons.every(({ policyKey }) => policyKey === this.policy.key);
    const byDefault = reasons.some(({ code }) => code === "default") && says === "allow";
    return alone || byDefault ? "looser" : "same";
  }
}
