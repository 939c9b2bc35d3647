const core = "^packages/core/src";
const tests = "[.]test[.]ts$";

/**
 * Folders of core, the lowest first: none imports one that stands after it.
 * @param {string[]} folders
 * @returns {import("dependency-cruiser").IForbiddenRuleType[]}
 */
function leaning(folders) {
  return folders.slice(0, -1).map((folder, index) => ({
    name: `${folder.replaceAll(/[^\w-]+/g, "-")}-leans-on-what-is-below-it`,
    severity: "error",
    from: { path: `${core}/${folder}/`, pathNot: tests },
    to: { path: `${core}/(${folders.slice(index + 1).join("|")})/` },
  }));
}

/** Areas about access, the lowest first. */
const ACCESS = [
  ...["access", "access-grants", "access-reviews", "access-requests"],
  ...["access-drift", "agent-tools", "access-overview"],
].map((area) => `families/${area}`);

/**
 * Resources of an area, the lowest first. Those that lean on each other share an entry.
 * @param {string} area
 * @param {string[]} resources
 */
function leaningIn(area, resources) {
  return leaning(resources.map((resource) => `families/${area}/(?:${resource})`));
}

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-circular-imports",
      comment: "Imports of types alone count too: what names each other is understood together only.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "machinery-knows-no-area",
      severity: "error",
      from: { path: `${core}/(connectors|kernel|ports|store)/` },
      to: { path: `${core}/families/` },
    },
    ...leaning([
      "names",
      "schema",
      "ports",
      "store",
      "kernel/http",
      "kernel/async",
      "egress",
      "connectors",
      "kernel/config",
      "kernel/records",
      "kernel/events",
      "kernel/operation",
      "kernel/pipeline",
    ]),
    ...leaning(ACCESS),
    ...leaningIn("identity", [
      "keys",
      "roles",
      "clients",
      "tokens",
      "users",
      "attempts",
      "host",
      "issuers",
      "sessions",
      "grants",
      "password-links",
      "sign-in",
      "introspection",
      "metadata",
      "one-time-codes",
      "registration",
      "provider",
    ]),
    ...leaningIn("platform", [
      "capabilities",
      "due-marks",
      "kill-switches",
      "reference",
      "subdomains",
      "entitlements",
      "settings|tenants",
      "tenant-settings",
      "tenant-domain",
      "gates",
      "health",
    ]),
    ...leaningIn("estate", [
      "assets",
      "records",
      "agents",
      "models",
      "registry",
      "tools",
      "identities",
      "mcp-servers",
      "halts",
      "import",
    ]),
    ...leaningIn("connectors", [
      "circuit-breaker",
      "instances",
      "listing",
      "steps",
      "configurations",
      "traffic",
      "calls",
      "testing",
      "imports",
      "registry",
      "definitions",
      "diagnostics",
      "integrations",
      "catalog",
    ]),
    ...leaningIn("apps", [
      "engine",
      "markup",
      "keys",
      "saml-apps",
      "assignments",
      "applications",
      "sessions",
      "sign-on",
      "pages",
      "logout",
    ]),
    ...leaningIn("activity", ["chain", "events", "erasures", "export"]),
    ...leaningIn("governance", [
      "policies",
      "packs",
      "snapshots",
      "decisions",
      "exemptions",
      "back-tests",
      "evaluations",
      "reviews",
      "dashboard",
      "enums",
    ]),
    {
      name: "only-the-kernel-reaches-transactions",
      comment: "Areas write through a context, which keeps versions, events and caches.",
      severity: "error",
      from: { path: `${core}/families/` },
      to: { path: `${core}/kernel/.*(unit-of-work|unit-access|store-access|transact|transaction-reader)[.]ts$` },
    },
    {
      name: "areas-meet-through-their-index",
      severity: "error",
      from: { path: `${core}/families/([^/]+)/` },
      to: { path: `${core}/families/[^/]+/`, pathNot: [`${core}/families/$1/`, `${core}/families/[^/]+/index[.]ts$`] },
    },
    {
      name: "packages-meet-through-their-public-index",
      comment: "By package name only; a relative path into another package would not survive publishing.",
      severity: "error",
      from: { path: "^(packages/[^/]+|examples/[^/]+|bench)/" },
      to: { path: "^(packages/[^/]+|examples/[^/]+|bench)/", pathNot: "^$1/", dependencyTypesNot: ["aliased"] },
    },
    {
      name: "no-way-past-a-public-index",
      severity: "error",
      from: { path: "^(packages/[^/]+|examples/[^/]+|bench)/" },
      to: {
        path: "^packages/[^/]+/",
        pathNot: [
          "^$1/",
          "^packages/[^/]+/src/index[.]ts$",
          "^packages/core/src/(connectors|names|reference|store|testing)/index[.]ts$",
          "^packages/connectors/src/[^/]+/index[.]ts$",
          "^packages/guard/src/(ai-sdk|langchain|mastra|mcp|openai-agents)/index[.]ts$",
          "^packages/store-postgres/src/testing/index[.]ts$",
          "^packages/testkit/src/(browser|connectors|hostile-policies|living-estate|mail|mcp|openapi|postgres|programs|saml)/index[.]ts$",
        ],
      },
    },
    {
      name: "core-needs-of-node-only-crypto-and-async-hooks",
      severity: "error",
      from: { path: core, pathNot: [tests, `${core}/egress/`] },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?(crypto|async_hooks)$" },
    },
    {
      name: "egress-needs-of-node-only-the-network",
      comment: "The one door to the outside: everything else in core reaches out through the egress port.",
      severity: "error",
      from: { path: `${core}/egress/`, pathNot: tests },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?(net|tls|http|dns/promises|events)$" },
    },
    {
      name: "client-needs-nothing-of-node",
      comment: "It runs in browsers.",
      severity: "error",
      from: { path: "^packages/client/src/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "guard-needs-nothing",
      comment:
        "It goes into agents of all kinds, so it knows their frameworks and core by the form of their values only.",
      severity: "error",
      from: { path: "^packages/guard/src/" },
      to: { pathNot: "^packages/guard/src/" },
    },
    {
      name: "sources-import-no-tests",
      severity: "error",
      from: { path: "^packages/[^/]+/src/", pathNot: tests },
      to: { path: tests },
    },
    {
      name: "every-import-resolves-and-is-declared",
      severity: "error",
      from: {},
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "unknown"] },
    },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    exclude: { path: "(^|/)(node_modules|dist)/" },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
