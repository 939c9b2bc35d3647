import { setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type HostName, hosts } from "../../src/hosts/index.js";
import type { Answered } from "./ask.js";
import { expectGracefulClose } from "./graceful-close.js";
import { hostAnswers } from "./host-probes.js";
import { type Around, expectReeve } from "./reeve-probes.js";
import { startAlone, startGoverned } from "./running.js";
import { stores } from "./stores.js";

const MOUNTS = [
  { at: "the root", prefix: "" },
  { at: "/governance", prefix: "/governance" },
];

/**
 * Reeve tells people of what was committed for up to 250 ms behind it. With connections of its own to the file of SQLite, its writes
 * and those of the shop meet (docs/guides/stores.md), which is not asked here.
 */
const SETTLED_MS = 400;

const ALL: Around = { cors: true, helmet: true, compression: true };
const NONE: Around = { cors: false, helmet: false, compression: false };

/**
 * The shop in one framework. It must answer as without Reeve, and Reeve must answer as documented. Middleware
 * registered after Reeve does not affect it, except for that in `aroundFirst`.
 */
export function describeHost(name: HostName, aroundFirst = NONE): void {
  const start = hosts[name];
  describe.each(Object.entries(stores))(`${name} on %s`, (_store, open) => {
    describe.each(MOUNTS)("with Reeve at $at", ({ prefix }) => {
      // At the root, the shop's own /api/v1/users would conflict.
      const withUsers = prefix !== "";
      let before: Record<string, Answered>;
      beforeAll(async () => {
        const alone = await startAlone(start, await open(), withUsers);
        before = await hostAnswers(alone.url, withUsers);
        await alone.end();
      });

      it.each(["first", "last"] as const)("mounted %s", async (when) => {
        const governed = await startGoverned(start, await open(), withUsers, { prefix, when });
        onTestFinished(governed.end);
        const token = await expectReeve(governed.url, prefix, when === "last" ? ALL : aroundFirst);
        await setTimeout(SETTLED_MS);
        expect(await hostAnswers(governed.url, withUsers)).toEqual(before);
        await expectGracefulClose(governed, prefix, token);
        // Reeve's probes fail to sign in once, and nothing else is worth a line.
        expect(governed.logged).toEqual(["sign-in failed"]);
      });
    });
  });
}
