import type { GrantSpec } from "@reeve/core/connectors";
import { ChaosConnector, connectorParts, type Injection, scriptedTarget } from "@reeve/testkit/connectors";
import fc from "fast-check";
import { CAREFUL, Executor, type Habits, type Wanted } from "./executor.js";

export const SPECS: readonly GrantSpec[] = ["ada", "grace", "joan", "linus", "edsger"].map((user) => ({
  grantKey: user,
  resource: { type: "group", externalId: "group-0" },
  profileExternalId: "member",
  principal: { type: "user", externalId: user },
  parameters: {},
}));

interface Intent {
  readonly of: number;
  readonly wanted: Wanted;
}

export interface Script {
  readonly intents: readonly Intent[];
  readonly schedule: readonly Injection[];
}

const BEFORE = ["transient", "rate_limited", "conflict", "outcome_unknown", "permission", "invalid"] as const;

const faultOfWrite = (method: "grant" | "revoke") =>
  fc.oneof(
    fc.constantFrom(...BEFORE).map((errorClass) => ({ phase: "before", kind: "error", errorClass }) as const),
    fc.constant({ phase: "after", kind: "error", errorClass: "outcome_unknown" } as const),
    fc.constantFrom("before", "after").map((phase) => ({ phase, kind: "hang" }) as const),
    fc.constant({ phase: "response", kind: "drift" } as const),
    method === "revoke"
      ? fc.constant({ phase: "response", kind: "partial_revoke" } as const)
      : fc.constant({ phase: "before", kind: "read_only" } as const),
  );

const faultOfRead = fc.oneof(
  fc.constantFrom("before", "after").map((phase) => ({ phase, kind: "error", errorClass: "transient" }) as const),
  fc.constantFrom("before", "after").map((phase) => ({ phase, kind: "hang" }) as const),
);

const faultOfList = fc.oneof(
  faultOfRead,
  fc.constantFrom("duplicate_page", "cycle", "missing_page").map((kind) => ({ phase: "response", kind }) as const),
);

const subject = fc.constantFrom(...SPECS.map(({ grantKey }) => grantKey));
const attempt = fc.integer({ min: 1, max: 3 });

const injection: fc.Arbitrary<Injection> = fc
  .oneof(
    fc.record({ method: fc.constant("grant" as const), subject, attempt, fault: faultOfWrite("grant") }),
    fc.record({ method: fc.constant("revoke" as const), subject, attempt, fault: faultOfWrite("revoke") }),
    fc.record({ method: fc.constant("verify" as const), subject, attempt, fault: faultOfRead }),
    fc.record({
      method: fc.constant("listGrants" as const),
      subject: fc.constant(""),
      attempt: fc.integer({ min: 1, max: 3 }),
      fault: faultOfList,
    }),
  )
  .map(({ fault, ...place }) => ({ ...fault, ...place, required: false }));

const intents = fc.array(
  fc.record({
    of: fc.nat({ max: SPECS.length - 1 }),
    wanted: fc.constantFrom<Wanted>("present", "absent"),
  }),
  { minLength: 6, maxLength: 20 },
);

/** What is to be done, and what goes wrong in it. What cannot fail to be reached is required. */
export const script: fc.Arbitrary<Script> = fc
  .record({
    intents,
    schedule: fc.uniqueArray(injection, {
      minLength: 4,
      maxLength: 24,
      selector: ({ method, subject: of, attempt: at, phase }) => `${method} ${of} ${at} ${phase}`,
    }),
  })
  .map(({ intents: all, schedule }) => {
    const met = new Set(all.map(({ of }) => SPECS[of]?.grantKey));
    const sure = ({ method, subject: of, attempt: at, phase }: Injection) =>
      at === 1 && phase === "before" && (method === "listGrants" || (method === "verify" && met.has(of)));
    return { intents: all, schedule: schedule.map((one) => ({ ...one, required: sure(one) })) };
  });

/** What a run has come to, by the oracle. */
export interface Outcome {
  /** Grants that were said to be there and are not, or the other way round. */
  readonly lost: number;
  /** Grants that are there more than once. */
  readonly doubled: number;
  /** Writes tried again after the target had refused for good. */
  readonly stubborn: number;
  readonly fired: number;
  readonly effects: number;
}

export async function run({ intents: all, schedule }: Script, habits: Habits = CAREFUL): Promise<Outcome> {
  const target = scriptedTarget();
  const chaos = new ChaosConnector(target.connector, schedule);
  const executor = new Executor(chaos.calls(connectorParts(chaos.connector)), habits);
  const said = new Map<GrantSpec, Wanted>();
  for (const { of, wanted } of all) {
    const spec = SPECS[of] as GrantSpec;
    const settled = await executor.converge(spec, wanted);
    if (settled === "present" || settled === "absent") said.set(spec, settled);
    else said.delete(spec);
  }
  await executor.repair([...said].filter(([, wanted]) => wanted === "present").map(([spec]) => spec));
  chaos.finish();
  const counts = [...said].map(([{ grantKey }, wanted]) => [target.present.get(grantKey) ?? 0, wanted] as const);
  return {
    lost: counts.filter(([count, wanted]) => count > 0 !== (wanted === "present")).length,
    doubled: [...target.present.values()].filter((count) => count > 1).length,
    stubborn: executor.stubborn,
    fired: chaos.fired.length,
    effects: target.effects.length,
  };
}
