// Suites that `npm test` leaves to `npm test -- --all`, each beside one of its kind that it runs.
interface Suites {
  readonly kind: string;
  /** The test files that only `--all` runs. */
  readonly left: readonly string[];
  /** A test file of the same kind that `npm test` runs. */
  readonly stays: string;
}

const testsIn = (folder: string, ...names: string[]) => names.map((name) => `${folder}/${name}.test.ts`);

const core = (area: string, ...names: string[]) => testsIn(`packages/core/test/${area}`, ...names);
const connectors = (system: string, ...names: string[]) => testsIn(`packages/connectors/test/${system}`, ...names);

export const LEFT_TO_ALL: readonly Suites[] = [
  {
    kind: "a journey through the console that shows one more area",
    left: testsIn(
      "packages/console/test",
      ...["access/access", "access/certification", "administration/organisation", "administration/people"],
      ...["compliance/compliance", "estate/connections", "estate/import-file", "estate/imports"],
      ...["installations/installations", "notices/notices", "policies/policies", "provider/provider"],
      ...["records/records", "work/activity", "work/decisions"],
    ),
    stays: "packages/console/test/estate/estate.test.ts",
  },
  {
    kind: "the same story on another framework",
    left: testsIn("examples/existing-app/test", "express-4", "hono", "nest", "plain-http"),
    stays: "examples/existing-app/test/fastify.test.ts",
  },
  {
    kind: "the kit of connectors against another program",
    left: [
      ...connectors("fossil", "conformance", "tools"),
      ...connectors("ldap", "access", "attacks", "conformance", "dirsrv"),
      ...connectors("postgres", "access", "attacks", "conformance"),
    ],
    stays: "packages/connectors/test/codehost/conformance.test.ts",
  },
  {
    kind: "the receivers of the record, killed under ten thousand events",
    left: testsIn("packages/server/test/deliveries", "under-kills"),
    stays: "packages/server/test/audit.test.ts",
  },
  {
    kind: "a standard as one more program speaks it",
    left: [
      ...core("identity", "oauth-peers"),
      ...testsIn("packages/saml/test/peers", "mellon", "node-saml", "shibboleth", "simplesamlphp"),
      ...testsIn("packages/saml/test/peers/libraries", "libraries"),
      ...testsIn("packages/mcp/test", "optional-parts", "published-servers"),
    ],
    stays: "packages/mcp/test/stdio.test.ts",
  },
  {
    kind: "a race between processes, which is also run between tasks of one process",
    left: [
      ...core(
        "access",
        "agent-tool-processes",
        "certification-processes",
        "request-processes",
        "reconciliation-processes",
      ),
      ...core("connectors", "instance-processes"),
      ...core("identity", "token-races"),
      ...core("platform", "tenant-alias-processes"),
    ],
    stays: "packages/core/test/kernel/processes.test.ts",
  },
  {
    kind: "a command or a setting of the server with real files, databases and peers",
    left: testsIn(
      "packages/server/test",
      ...["connector-new", "front", "import", "import-formats", "mail", "mcp", "metrics", "report", "trusted-issuers"],
      ...["rotate-keys"],
    ),
    stays: "packages/server/test/commands.test.ts",
  },
  {
    kind: "a database beyond the contract of stores",
    left: [
      ...testsIn(
        "packages/store-postgres/test",
        ...["administrator", "borrowed-pool", "console", "credential-contract", "estate-races", "pgbouncer"],
        ...["replica", "servers", "upgrade"],
      ),
      ...testsIn("packages/store-sqlite/test", "console", "crash", "credential-contract", "estate-races", "runtimes"),
    ],
    stays: "packages/store-postgres/test/contract.test.ts",
  },
  {
    kind: "the recorded run, which is the same on each store",
    left: [
      ...testsIn("packages/store-postgres/test", "golden-run"),
      ...testsIn("packages/store-sqlite/test", "golden-run"),
    ],
    stays: "packages/testkit/test/golden-run.test.ts",
  },
  {
    kind: "a rotation of keys that goes on under load",
    left: core("kernel", "vault-rotation"),
    stays: "packages/core/test/kernel/each-store/vault.test.ts",
  },
  {
    kind: "what is written about the product, and what tests, builds and measures it",
    left: [
      ...testsIn("bench", "harness"),
      ...testsIn("packages/testkit/test/connectors", "mistakes"),
      ...testsIn("scripts/docs/guides", "guides"),
      ...testsIn("scripts/lib", "build"),
    ],
    stays: "scripts/docs/readme.test.ts",
  },
];

export const LEFT_FILES: readonly string[] = LEFT_TO_ALL.flatMap(({ left }) => left);
