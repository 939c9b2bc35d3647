import { ConnectorError } from "@reeve/core/connectors";
import { beforeAll, describe, expect, it } from "vitest";
import type { InstanceMemory } from "./memory.js";

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (ConnectorError.is(error) ? `${error.errorClass} ${error.code ?? ""}`.trim() : error),
  );

/**
 * Declares, as vitest cases, what keeps the secrets and the state of an instance. `open` makes an instance with these
 * secrets, and gives its memory as another process has it each time.
 */
export function instanceMemoryContract(
  name: string,
  open: (secrets: Readonly<Record<string, string>>) => Promise<() => InstanceMemory>,
): void {
  describe(`what a connector keeps ${name}`, () => {
    let process: () => InstanceMemory;
    beforeAll(async () => {
      process = await open({ apiKey: "the first key" });
    });

    it("is seen by another process, as JSON", async () => {
      expect(await process().state.get("since")).toBeUndefined();
      await process().state.put("since", { at: new Date(0), none: undefined });
      expect(await process().state.get("since")).toEqual({ at: "1970-01-01T00:00:00.000Z" });
      for (const value of [null, false, 0, "", [1, "ü"]]) {
        await process().state.put("since", value);
        expect(await process().state.get("since")).toEqual(value);
      }
    });

    it("is forgotten by key, once and for every process", async () => {
      await process().state.put("since", 1);
      await process().state.delete("since");
      await process().state.delete("since");
      expect(await process().state.get("since")).toBeUndefined();
      await process().state.put("since", 2);
      expect(await process().state.get("since")).toBe(2);
    });

    it.each<[string, string, unknown]>([
      ["without a key", "", 1],
      ["with a key of 201 characters", "k".repeat(201), 1],
      ["of 65,537 bytes", "key", "x".repeat(65_535)],
      ["that JSON cannot say", "key", undefined],
    ])("is no value %s", async (_what, key, value) => {
      expect(await failureOf(process().state.put(key, value))).toBe("fatal state_limit");
      if (key.length > 0) expect(await process().state.get(key)).toBeUndefined();
    });

    it("is secrets that are replaced over what was read, and never over somebody else's", async () => {
      const { values, version } = await process().secrets.read();
      expect(values).toEqual({ apiKey: "the first key" });
      await process().secrets.replace({ apiKey: "the second key" }, version);
      expect(await failureOf(process().secrets.replace({ apiKey: "a late key" }, version))).toMatch(/^conflict/);
      const after = await process().secrets.read();
      expect(after.values).toEqual({ apiKey: "the second key" });
      expect(after.version).toBeGreaterThan(version);
    });

    it("is refreshed by one at a time, and by the next when that fails", async () => {
      let [inside, most] = [0, 0];
      const work = async (fails: boolean) => {
        inside += 1;
        most = Math.max(most, inside);
        await process().secrets.read();
        inside -= 1;
        if (fails) throw new Error("it fails");
      };
      const all = [false, true, false].map((fails) => process().secrets.exclusively(() => work(fails)));
      expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
        ...["fulfilled", "rejected", "fulfilled"],
      ]);
      expect(most).toBe(1);
    });
  });
}
