import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, workspacePackages } from "../lib/workspace.mjs";

const CORE = "packages/core/src";

/** The purpose of each folder of core. A folder without a line is an error, and so is a line without a folder. */
const ABOUT: Readonly<Record<string, string>> = {
  "time-stamps": "requests to authorities of RFC 3161, and what their answers say",
  cel: "the default engine of rules: CEL behind the guard that says what they may do",
  connectors: "the entry `@reeve/core/connectors`: the interface of connectors, and calls of them",
  "control-plane": "createControlPlane, composed of environment, lifecycle, requests, calls and administration",
  egress: "the default egress: the guarded client of every outgoing call",
  families: "the areas, each a folder of resources; a resource is reached through the index of its area",
  "families/accountability": "who is a four-eyes approver: where accounts come from, and decisions by related people",
  "families/activity": "the stream of events: its lists, its export and erasure, the chain and its checkpoints",
  "families/apps": "applications that people sign on to by SAML: who has them, sign-on, sessions, logout, pages",
  "families/compliance": "frameworks, the assessments of their controls, posture and reports",
  "families/connectors": "connectors of the host, connections to systems and their credentials",
  "families/access": "what can be had in connected systems: resources, profiles, identities, policies for requests",
  "families/access-grants": "assignments, and the reconciliation that makes targets agree with them",
  "families/access-reviews": "certifications of access",
  "families/access-requests": "requests for access, from asking to granting",
  "families/access-drift": "what targets have and do: syncs, scans, use, schedules, differences and their repair",
  "families/agent-tools": "tokens with which assets run tools, the calls with them, and tests of a call",
  "families/access-overview": "access at a glance: targets, lists over all assets, figures, findings",
  "families/notices": "how other systems and people hear of what happens",
  "families/doors": "decisions, searches and the MCP registry, in the standards of others",
  "families/enforcement": "where decisions are felt: installations of clients, what they may use, and what they ask",
  "families/estate": "the governed assets and the typed records that stand beside them",
  "families/findings": "what is wrong with assets, and what was decided about it",
  "families/assessments": "impact and risk assessments of assets",
  "families/governance": "policies, their evaluation, exemptions, reviews and decisions",
  "families/identity": "users, roles, sign-in, tokens, keys and machine clients",
  "families/overview": "the estate at a glance",
  "families/reviews": "what waits for people to decide, and who the caller is",
  "families/platform": "tenants, domains, entitlements, settings, kill switches, health",
  "families/sessions": "running sessions of agents, and the guard that stands before their calls",
  "families/support": "what the provider does for and to tenants",
  frameworks: "the compliance frameworks that come with Reeve",
  kernel: "the machinery; its folders lean one way",
  "kernel/async": "waiting, turns and bounds on work at once",
  "kernel/config": "the environment of a control plane and what can be set",
  "kernel/events": "events, the chain of their hashes, deliveries",
  "kernel/http": "bytes to values: bodies, forms, JSON, refusals",
  "kernel/operation": "operations as values, the table of them, contexts, the unit of work, lists, secrets at rest",
  "kernel/pipeline": "from a request to its answer: routes, checks, execution, idempotency, batches, rate limits",
  "kernel/records": "collections, machines, bodies of records",
  mount: "what mounts share: the prefix, and web-standard requests",
  names: "the entry `@reeve/core/names`: the name that a slip has meant",
  ports: "what the outside provides: clock, ids, logger, password hasher, secret box, egress, DNS, MCP, rules",
  reference: "the entry `@reeve/core/reference`: the tables behind the documentation",
  schema: "zod, whose schemas are made when they are first used",
  store: "the interface of stores, its query rules, and the memory store, the reference of them",
  testing: "the entry `@reeve/core/testing`: what tests of hosts and stores need",
};

const foldersIn = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    // Skips folders that only an installation or a build has left.
    .filter((name) => readdirSync(join(root, path, name)).some((entry) => !["node_modules", "dist"].includes(entry)))
    .sort();

/** The present folders of the repository, each with its purpose. */
export function treeText(): string {
  const lines = [
    "packages/",
    ...workspacePackages()
      .filter(({ directory }: { directory: string }) => directory.startsWith(join(root, "packages/")))
      .flatMap(({ directory }: { directory: string }) => {
        const name = directory.slice(join(root, "packages/").length);
        const { description } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
        if (!description) throw new Error(`packages/${name} does not say in its package.json what it is`);
        return [line(1, name, description), ...(name === "core" ? coreLines() : [])];
      }),
    line(0, "examples", foldersIn("examples").join(", ")),
    line(0, "bench", "benchmarks and their recorded results"),
    line(
      0,
      "scripts",
      "bootstrap, checks, mutation testing, the generator of this tree, docs/reference and docs/connectors",
    ),
  ];
  return lines.join("\n");
}

function coreLines(): string[] {
  const gone = Object.keys(ABOUT).filter((path) => !existsSync(join(root, CORE, path)));
  if (gone.length > 0) throw new Error(`scripts/docs/tree.ts tells of folders that are not there: ${gone.join(", ")}`);
  return foldersIn(CORE).flatMap((folder) => {
    const inner = folder === "families" || folder === "kernel" ? foldersIn(`${CORE}/${folder}`) : [];
    return [
      line(2, folder, about(folder)),
      ...inner.flatMap((name) => [
        line(3, name, about(`${folder}/${name}`)),
        ...(folder === "families" ? resources(`${CORE}/${folder}/${name}`) : []),
      ]),
    ];
  });
}

function about(path: string): string {
  const text = ABOUT[path];
  if (text === undefined) throw new Error(`scripts/docs/tree.ts does not say what ${CORE}/${path} holds`);
  return text;
}

const WIDTH = 100;

/** The resources of an area, wrapped to lines. */
function resources(path: string): string[] {
  const lines: string[] = [];
  let current = "";
  for (const name of foldersIn(path)) {
    const next = current === "" ? `${name}/` : `${current} ${name}/`;
    if (current !== "" && next.length > WIDTH) lines.push(current);
    current = current !== "" && next.length > WIDTH ? `${name}/` : next;
  }
  return [...lines, ...(current === "" ? [] : [current])].map((text) => `${"  ".repeat(4)}${text}`);
}

function line(depth: number, name: string, what: string): string {
  return `${`${"  ".repeat(depth)}${name}/`.padEnd(24)} ${what}`;
}

const BEGIN = "<!-- The tree is generated: `npm run docs:generate`. -->\n\n```text\n";
const END = "\n```\n\n<!-- end of the tree -->";

/** A page with the present tree between its markers. */
export function withTree(page: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END, begin);
  if (begin < 0 || end < 0) throw new Error("docs/architecture.md has no marks for its tree");
  return `${page.slice(0, begin)}${BEGIN}${treeText()}${page.slice(end)}`;
}
