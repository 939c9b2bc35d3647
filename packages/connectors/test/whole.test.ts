import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** Readers that say that a listing is whole without pages of a target, and why they may. */
const WITHOUT_PAGES: Readonly<Record<string, string>> = {
  "connectors/src/link-page.ts": "a part of a page that was read, after which the page goes on",
  "connectors/src/okta/grants.ts": "there are no grants of other types than groups",
  "connectors/src/okta/listing.ts": "there are no resources of other types than groups",
  "connectors/src/scim/grants.ts": "there are no grants of other types than groups",
  "connectors/src/scim/groups.ts": "there are no resources of other types than groups",
  "connectors/src/mcp/tools.ts": "there are no resources of other types than tools",
  "connectors/src/page-after.ts": "a list that is read whole; its reader gives another end where it is not",
  "connectors/src/settled-end.ts": "a full page after which the target was asked whether it names next ones",
  "connectors/src/postgres/discover.ts": "one row more than a page is asked for by SQL",
  "connectors/src/postgres/grants.ts": "one row more than a page is asked for by SQL",
  "connectors/src/postgres/resources.ts": "one row more than a page is asked for by SQL",
};

const packages = fileURLToPath(new URL("../..", import.meta.url));
const sources = ["connectors/src", "mcp/src"].flatMap((folder) =>
  readdirSync(`${packages}/${folder}`, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => [`${folder}/${path}`, readFileSync(`${packages}/${folder}/${path}`, "utf8")] as const),
);

it("no reader calls a listing whole by itself: one function decides, apart from readers of no pages", () => {
  const bySelf = sources.filter(([, text]) => /complete: true/.test(text)).map(([path]) => path);
  expect(bySelf).toEqual([]);
  const without = sources.filter(([, text]) => /\bWHOLE\b/.test(text)).map(([path]) => path);
  expect(without.sort()).toEqual(Object.keys(WITHOUT_PAGES).sort());
});

it("no reader looks for cursors and links by an expression of its own", () => {
  const own = /rel="\?\?next|\/\.\*next|match\(.*link/i;
  expect(sources.filter(([, text]) => own.test(text)).map(([path]) => path)).toEqual([]);
});
