import { type Mutant, tests } from "../mutant.js";

const sources = "packages/core/src/families";
const test = "packages/core/test";
const rule = `${test}/rules/relations.test.ts`;
const offices = `${test}/access/each-store/offices.test.ts`;
const owners = `${test}/estate/each-store/owners.test.ts`;
const sessions = `${test}/sessions/each-store/ai-sessions.test.ts`;

/** What an id or a fact in a body must be to who says it. */
export const relations: readonly Mutant[] = [
  {
    breaks: "relations: callers say what only observers have seen",
    file: "packages/core/src/kernel/operation/claims.ts",
    text: "!maySay(shape[name], sayer));",
    replacement: "false && !maySay(shape[name], sayer));",
    witnesses: tests(
      rule,
      "a fact that only a connector or an import states is refused to whoever calls aiAssets.create, as source",
      "a fact that only a connector or an import states is refused to whoever calls aiIdentities.replace, as lastUsedAt",
    ),
  },
  {
    breaks: "relations: people put themselves into offices",
    file: `${sources}/accountability/conflict-of-interest/check/self-appointment.ts`,
    text: 'if (kind === "system" || named.length === 0) return;',
    replacement: "if (kind !== undefined || named.length === 0) return;",
    witnesses: tests(
      rule,
      "an office is not taken by self-appointment through aiAssets.replace, as owner",
      "an office is not taken by self-appointment through connectorInstances.patch, as ownerIds",
    ),
  },
  {
    breaks: "relations: whoever sets up connections names their owners",
    file: `${sources}/connectors/instances/instance-owners.ts`,
    text: "if (!holders.includes(ctx.principal.userId))",
    replacement: "if (holders.length < 0)",
    witnesses: tests(
      offices,
      "the owner of a connection, and of a resource of it is named by no one who only sets up connections, and by nobody for themself",
    ),
  },
  {
    breaks: "relations: who registered an asset keeps a right to it",
    file: `${sources}/estate/assets/owners/hand-over.ts`,
    text: "field === role && from !== null",
    replacement: "field === role && from === undefined",
    witnesses: tests(
      owners,
      "S4 who owns an asset is said by who registered it no more once somebody has answered for it",
    ),
  },
  {
    breaks: "relations: a machine starts sessions of agents that do not run as it",
    file: `${sources}/sessions/sessions/start/start.ts`,
    text: 'if (runs === "as it") return;',
    replacement: 'if (runs !== "as another") return;',
    witnesses: tests(
      sessions,
      "machines start sessions of the agents that run as them only, whoever declares it, and below their own sessions only",
    ),
  },
  {
    breaks: "relations: a session below another is not bound by its limits",
    file: `${sources}/sessions/sessions/start/agent.ts`,
    text: "return left ? tightest(own, left) : own;",
    replacement: "return own;",
    witnesses: tests(
      sessions,
      "a session below another has the limits of the one above it at most, also once these are tightened",
    ),
  },
  {
    breaks: "relations: each session below another has all of its limits",
    file: `${sources}/sessions/sessions/report/report.ts`,
    text: "const above = await countAbove(ctx, session, spent.usage);",
    replacement: "const above: string[] = [];",
    witnesses: tests(sessions, "a session below another spends what the ones above it have left, all of them together"),
  },
  {
    breaks: "relations: an exemption takes in what moves into its selector later",
    file: `${sources}/governance/exemptions/request/selected.ts`,
    text: "selected: await heldAtDecision(ctx, exemption, scope.selector, matching) });",
    replacement: "selected: heldAtDecision && matching });",
    witnesses: tests(
      `${test}/governance/each-store/exemptions.test.ts`,
      "an exemption by selector takes in what it matched when it was approved, and nothing that has moved into it since or is new",
    ),
  },
  {
    breaks: "relations: who answers for an asset moves it out of what a policy denies",
    file: `${sources}/access/policies/plan/moved.ts`,
    text: 'if (loosens) requirePermission(ctx.env, ctx.principal, "ai-asset:promote");',
    replacement: "if (!loosens) return;",
    witnesses: tests(
      `${test}/access/each-store/request-policies.test.ts`,
      "a policy is left, or entered where it allows, by no change of an asset but by who may take assets back from production",
    ),
  },
  {
    breaks: "relations: a listing says who acts as an identity",
    file: `${sources}/connectors/imports/plan/content.ts`,
    text: "if (!field || !isListed(field)) return",
    replacement: "if (!field) return",
    witnesses: tests(
      `${test}/connectors/each-store/listed-claims.test.ts`,
      "what a system lists is no right of who it says it is, and is left out by name",
    ),
  },
];
