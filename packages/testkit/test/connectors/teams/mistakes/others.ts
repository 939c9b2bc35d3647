import { methods } from "../connector.js";
import type { Mistake } from "./mistake.js";

/** Mistakes of profiles, usage, credentials, tools and sessions. */
export const otherMistakes: readonly Mistake[] = [
  [
    "takes the name of a principal for its id",
    "a principal is found by its name and by its id, with the id that stays",
    () => ({
      async findPrincipal(ctx, query) {
        const reported = await methods.findPrincipal(ctx, query);
        if (reported.outcome !== "found") return reported;
        return { ...reported, principal: { ...reported.principal, externalId: query.named } };
      },
    }),
  ],
  [
    "takes whoever has nearly that name",
    "a principal that is not there is absent, and the candidates are there",
    () => ({
      async findPrincipal(ctx, query) {
        const reported = await methods.findPrincipal(ctx, query);
        const near =
          reported.outcome === "absent"
            ? reported.candidates.find(({ externalId }) => externalId.startsWith(query.named.slice(0, 2)))
            : undefined;
        return near ? { outcome: "found", principal: near } : reported;
      },
    }),
  ],
  [
    "takes signs for a pattern",
    "names with signs of a query find nobody",
    () => ({
      async findPrincipal(ctx, query) {
        const reported = await methods.findPrincipal(ctx, query);
        const [first] = reported.outcome === "absent" && query.named === "*" ? reported.candidates : [];
        return first ? { outcome: "found", principal: first } : reported;
      },
    }),
  ],
  [
    "does not list a profile",
    "the profiles of grants are listed",
    () => ({
      async listAccessProfiles(ctx, query, page) {
        const { items, ...rest } = await methods.listAccessProfiles(ctx, query, page);
        return { ...rest, items: items.filter(({ externalId }) => externalId !== "writer") };
      },
    }),
  ],
  [
    "lists all usage",
    "usage is of the time that is asked for",
    () => ({
      listUsage: (ctx, _query, page) =>
        methods.listUsage(ctx, { since: new Date(0), until: new Date("2199-01-01T00:00:00Z") }, page),
    }),
  ],
  [
    "lists credentials of somebody else",
    "credentials are of those who are asked for",
    () => ({
      listCredentials: (ctx, _query, page) =>
        methods.listCredentials(
          ctx,
          { principals: ["ada", "linus"].map((externalId) => ({ type: "user", externalId }) as const) },
          page,
        ),
    }),
  ],
  [
    "does what it was only to try",
    "tools answer, and change nothing where they only read or only try",
    () => ({ executeTool: (ctx, call) => methods.executeTool(ctx, { ...call, dryRun: false }) }),
  ],
  [
    "says that it has ended what was not open",
    "sessions are ended once",
    () => ({
      async endSessions(ctx, principal) {
        await methods.endSessions(ctx, principal);
        return { ended: 2 };
      },
    }),
  ],
];
