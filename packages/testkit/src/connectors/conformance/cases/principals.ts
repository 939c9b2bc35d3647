import { expect } from "vitest";
import type { Bench } from "../bench.js";
import type { ConformanceCase } from "../case.js";
import type { PrincipalsToTry } from "../target.js";

/** Names that mean something in the languages of queries and addresses. Nobody has one of them. */
const NOBODYS = [
  "*",
  "%",
  "a*)(uid=*",
  '" or id pr or id eq "',
  "' OR '1'='1",
  "../groups",
  "..",
  "a/b?c#d",
  "0",
  "\\",
  "ä 😀",
];

/** What is said of a principal that somebody names. */
export const principalCases: readonly ConformanceCase[] = [
  {
    name: "a principal is found by its name and by its id, with the id that stays",
    needs: ["principals"],
    async run(bench) {
      const { there, found } = given(bench);
      for (const named of [there.named, found.externalId])
        expect(await bench.calls().findPrincipal({ ...there, named }), named).toMatchObject({
          outcome: "found",
          principal: found,
        });
    },
  },
  {
    name: "a principal that is not there is absent, and the candidates are there",
    needs: ["principals"],
    async run(bench) {
      const { there, found, missing } = given(bench);
      const reported = await bench.calls().findPrincipal({ ...there, named: missing });
      if (reported.outcome !== "absent") throw new Error(`${missing} is ${reported.outcome}`);
      expect(reported.candidates.map(({ externalId }) => externalId)).toContain(found.externalId);
      for (const { type, externalId } of reported.candidates.slice(0, 5))
        expect(await bench.calls().findPrincipal({ type, named: externalId }), externalId).toMatchObject({
          outcome: "found",
          principal: { externalId },
        });
    },
  },
  {
    name: "names with signs of a query find nobody",
    needs: ["principals"],
    async run(bench) {
      const { there } = given(bench);
      for (const named of NOBODYS) {
        const { outcome } = await bench.calls().findPrincipal({ ...there, named });
        expect(["absent", "unknown"], `${named} is ${outcome}`).toContain(outcome);
      }
    },
  },
];

function given({ target }: Bench): PrincipalsToTry {
  if (target.principals) return target.principals;
  throw new Error("the target gives no `principals` to look for");
}
