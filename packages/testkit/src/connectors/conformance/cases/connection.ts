import { expect } from "vitest";
import type { Bench } from "../bench.js";
import type { ConformanceCase } from "../case.js";
import type { MethodCall } from "../methods.js";
import { comparable } from "../truth.js";

/** What a test of the connection says, and who may call at all. */
export const connectionCases: readonly ConformanceCase[] = [
  {
    name: "a test passes with the right credentials",
    async run(bench) {
      const { checks } = await bench.calls().testConnection();
      expect(checks.length, "a test says nothing").toBeGreaterThan(0);
      expect(checks.filter(({ status }) => status === "fail")).toEqual([]);
    },
  },
  {
    name: "a test names its target, and makes each statement once and of a capability that is claimed",
    async run(bench) {
      const [first, second] = [await bench.calls().testConnection(), await bench.calls().testConnection()];
      expect(second.target?.id, "the target has another id the next time").toBe(first.target?.id);
      const ids = first.checks.map(({ id }) => id);
      expect(new Set(ids).size, "two checks have one id").toBe(ids.length);
      expect(second.checks.map(({ id }) => id).sort(), "checks change their ids").toEqual([...ids].sort());
      const { capabilities } = bench.connector.manifest;
      for (const { capability } of first.checks) if (capability) expect(capabilities).toContain(capability);
    },
  },
  {
    name: "a test quotes no secret",
    applies: ({ connector }) => Object.keys(connector.secrets.shape).length > 0,
    async run(bench) {
      const text = JSON.stringify(await bench.calls().testConnection());
      for (const hidden of bench.secrets) expect(text.includes(hidden), "a check quotes a secret").toBe(false);
    },
  },
  {
    name: "wrong credentials are refused as auth by every method that calls the target",
    applies: ({ connector }) => Object.keys(connector.secrets.shape).length > 0,
    async run(bench) {
      if (!bench.target.wrongSecrets) throw new Error("the target gives no `wrongSecrets`");
      for (const method of bench.methods) await refused(bench, method, bench.target.wrongSecrets);
    },
  },
  {
    name: "reading changes nothing in the target",
    async run(bench) {
      const before = comparable(await bench.target.observe());
      for (const method of bench.methods) if (!method.write) await bench.make(method);
      expect(comparable(await bench.target.observe())).toEqual(before);
    },
  },
];

interface Tested {
  readonly checks: readonly { readonly category: string; readonly status: string }[];
}

/** A test may also say it in a check. A method with fixed answers has nothing to refuse. */
async function refused(bench: Bench, method: MethodCall, secrets: Readonly<Record<string, string>>): Promise<void> {
  bench.relay.disturb();
  const call = bench.make(method, bench.calls({ secrets }));
  const answer = await call.catch(() => undefined);
  if (answer !== undefined && bench.relay.connections === 0) return;
  if (answer !== undefined && method.method === "testConnection") {
    const failing = (answer as Tested).checks.filter(({ status }) => status === "fail");
    expect(failing, "a test passes with wrong credentials").toContainEqual(
      expect.objectContaining({ category: "auth" }),
    );
  } else await bench.failsAs(["auth"], call, method.name);
}
