import { expect } from "vitest";
import { listAll } from "../../calls.js";
import type { ConformanceCase } from "../case.js";
import { comparable } from "../truth.js";

/** Profiles, usage, credentials, tools and sessions. */
export const otherCases: readonly ConformanceCase[] = [
  {
    name: "the profiles of grants are listed",
    needs: ["profiles", "grant"],
    async run(bench) {
      const { wanted, changed } = bench.access;
      for (const { resource, profileExternalId } of [...wanted, ...(changed ? [changed] : [])]) {
        const calls = bench.calls();
        const query = { resourceType: resource.type, resource };
        const { items } = await listAll((page) => calls.listAccessProfiles(query, page));
        expect(items.map(({ externalId }) => externalId)).toContain(profileExternalId);
      }
    },
  },
  {
    name: "usage is of the time that is asked for",
    needs: ["usage"],
    async run(bench) {
      const { usage } = bench.target;
      if (!usage) throw new Error("the target gives no time of `usage`");
      const calls = bench.calls();
      const { items } = await listAll((page) => calls.listUsage(usage, page));
      expect(items.length, "nothing was used in the time that the target gives").toBeGreaterThan(0);
      expect(items.filter(({ at }) => at < usage.since || at >= usage.until)).toEqual([]);
    },
  },
  {
    name: "credentials are of those who are asked for",
    needs: ["credentials"],
    async run(bench) {
      const { credentials } = bench.target;
      if (!credentials) throw new Error("the target gives no principals with `credentials`");
      for (const principal of credentials.principals) {
        const calls = bench.calls();
        const { items } = await listAll((page) => calls.listCredentials({ principals: [principal] }, page));
        expect(items.length, `${principal.externalId} has none`).toBeGreaterThan(0);
        expect(items.filter((one) => one.principal.externalId !== principal.externalId)).toEqual([]);
      }
    },
  },
  {
    name: "tools answer, and change nothing where they only read or only try",
    needs: ["tools"],
    async run(bench) {
      const { tools = [] } = bench.target;
      if (tools.length === 0) throw new Error("the target gives no `tools` to call");
      for (const call of tools) {
        const before = comparable(await bench.target.observe());
        const spec = bench.connector.manifest.tools?.find(({ name }) => name === call.tool);
        const dryRuns = spec?.supportsDryRun ? [{ ...call, dryRun: true }] : [];
        for (const tried of spec?.effect === "read" ? [call] : dryRuns) {
          expect(await bench.calls().executeTool(tried), call.tool).toMatchObject({ ok: true });
          expect(comparable(await bench.target.observe()), call.tool).toEqual(before);
        }
        expect(await bench.calls().executeTool(call), call.tool).toMatchObject({ ok: true });
      }
    },
  },
  {
    name: "sessions are ended once",
    needs: ["sessions"],
    async run(bench) {
      const { sessions } = bench.target;
      if (!sessions) throw new Error("the target gives no `sessions` to end");
      const open = await sessions.open();
      expect(await bench.calls().endSessions(sessions.principal)).toEqual({ ended: open });
      expect(await bench.calls().endSessions(sessions.principal)).toEqual({ ended: 0 });
    },
  },
];
