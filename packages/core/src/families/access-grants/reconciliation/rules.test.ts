import { describe, expect, it } from "vitest";
import { ERROR_CLASSES, type ErrorClass } from "#connectors/error.js";
import { hoursMs, minutesMs } from "#ports/durations.js";
import { grantKeyOf, verdictOn } from "./rules.js";

const FAILING = { wanted: "present", attempts: 0, since: 0, now: 0, spread: 0.5 } as const;

describe("a failure", () => {
  it("of a revocation never gives it up, whatever it is and however long it goes on", () => {
    for (const errorClass of [...(Object.keys(ERROR_CLASSES) as ErrorClass[]), "declined" as const])
      for (const attempts of [0, 4, 1_000])
        for (const now of [0, hoursMs(1), hoursMs(10_000)]) {
          const verdict = verdictOn({ errorClass }, { ...FAILING, wanted: "absent", attempts, now });
          expect(verdict.next, errorClass).not.toBe("give_up");
          expect(verdict.afterMs).toBeLessThanOrEqual(hoursMs(1));
          if (now >= hoursMs(1)) expect(verdict.report).toBe(true);
        }
  });

  it.each([
    ["transient", 0, "again"],
    ["transient", 4, "give_up"],
    ["outcome_unknown", 3, "again"],
    ["conflict", 0, "again"],
    ["invalid", 0, "give_up"],
    ["unsupported", 0, "give_up"],
    ["not_found", 0, "give_up"],
    ["fatal", 0, "give_up"],
    ["declined", 0, "give_up"],
    ["auth", 0, "rest"],
    ["permission", 0, "rest"],
    ["config", 9, "rest"],
    ["rate_limited", 100, "again"],
  ] as const)("of class %s after %s others leads to: %s", (errorClass, attempts, next) => {
    expect(verdictOn({ errorClass }, { ...FAILING, attempts }).next).toBe(next);
  });

  it("spends no attempt where the target was not called, or wants fewer calls", () => {
    for (const fault of [{ errorClass: "rate_limited" }, { errorClass: "transient", code: "circuit_open" }] as const)
      expect(verdictOn({ ...fault, retryAfterMs: 7_000 }, FAILING)).toMatchObject({ attempts: 0, afterMs: 7_000 });
  });

  it("is never waited out for longer than an hour, whatever the target says", () => {
    for (const wanted of ["present", "absent"] as const)
      for (const fault of [
        { errorClass: "rate_limited" },
        { errorClass: "transient" },
        { errorClass: "transient", code: "circuit_open" },
      ] as const)
        expect(verdictOn({ ...fault, retryAfterMs: 1e19 }, { ...FAILING, wanted }).afterMs).toBe(hoursMs(1));
  });

  it("of a target that is down takes fewer turns the longer it is down, and an hour after it at most", () => {
    const fault = { errorClass: "transient", code: "circuit_open", retryAfterMs: 30_000 } as const;
    const after = (hours: number) =>
      verdictOn(fault, { ...FAILING, wanted: "absent", now: FAILING.since + hoursMs(hours), spread: 1 }).afterMs;
    expect([0, 1, 2, 100].map(after)).toEqual([30_000, hoursMs(1) / 8, hoursMs(1) / 4, hoursMs(1) / 2]);
    const switchedOff = { errorClass: "transient", code: "kill_switch_active" } as const;
    expect(verdictOn(switchedOff, { ...FAILING, now: FAILING.since + hoursMs(100) }).afterMs).toBe(minutesMs(1));
  });

  it("is waited out under a bound that doubles", () => {
    const after = (attempts: number) =>
      verdictOn({ errorClass: "transient" }, { ...FAILING, wanted: "absent", attempts, spread: 1 }).afterMs;
    expect([0, 1, 2, 20].map(after)).toEqual([1_000, 2_000, 4_000, hoursMs(1)]);
  });
});

describe("the key of a grant", () => {
  const grant = {
    connectorInstanceId: "ci_1",
    resource: { type: "repository", externalId: "r" },
    profileExternalId: "read",
    principal: { type: "agent", externalId: "a", displayName: "A" },
    parameters: { x: 1, y: [2] },
  } as const;

  it("is the same for the same access, whatever names and orders are", () => {
    const same = { ...grant, principal: { ...grant.principal, displayName: null }, parameters: { y: [2], x: 1 } };
    expect(grantKeyOf(same)).toBe(grantKeyOf(grant));
  });

  it.each([
    { connectorInstanceId: "ci_2" },
    { resource: { type: "database", externalId: "r" } },
    { profileExternalId: "write" },
    { principal: { type: "user", externalId: "a", displayName: "A" } },
    { parameters: { x: 1 } },
  ] as const)("is another for %j", (other) => {
    expect(grantKeyOf({ ...grant, ...other } as never)).not.toBe(grantKeyOf(grant));
  });
});
