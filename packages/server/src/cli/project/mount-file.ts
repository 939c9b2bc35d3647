/** The kind of code that the project is written in. */
export type CodeKind = "ts" | "esm" | "cjs";
export type Framework = "express" | "fastify";

const APP = { express: "Express", fastify: "FastifyInstance" } as const;

const MOUNTS = {
  express: `  app.use("/governance", reeve(controlPlane));`,
  fastify: `  await app.register(reeve, { controlPlane, prefix: "/governance" });
  app.addHook("onClose", () => controlPlane.close());`,
} as const;

const ABOUT = {
  express: "Mounts Reeve at /governance and starts its jobs. Call it before express.json().",
  fastify: "Mounts Reeve at /governance and starts its jobs, which end as the application closes.",
} as const;

/** The file that mounts Reeve. */
export function mountFile(framework: Framework, kind: CodeKind): string {
  const imports: [string, string][] = [
    ["reeve", `@reeve/adapter-${framework}`],
    ["createControlPlane", "@reeve/core"],
    ["createSqliteStore", "@reeve/store-sqlite"],
  ];
  const lines = imports.map(([name, from]) =>
    kind === "cjs" ? `const { ${name} } = require("${from}");` : `import { ${name} } from "${from}";`,
  );
  if (kind === "ts") lines.push(`import type { ${APP[framework]} } from "${framework}";`);
  const exported = kind === "cjs" ? "" : "export ";
  return `${lines.join("\n")}

/** Its settings are in .env; start with node --env-file=.env. */
${exported}const controlPlane = createControlPlane({
  store: createSqliteStore({ file: "./data/reeve.sqlite" }),
  masterKey: process.env.REEVE_MASTER_KEY,
  baseUrl: process.env.REEVE_BASE_URL ?? "http://localhost:3000/governance",
});

/** ${ABOUT[framework]} */
${exported}async function mountReeve(app${kind === "ts" ? `: ${APP[framework]}` : ""})${kind === "ts" ? ": Promise<void>" : ""} {
  await controlPlane.ready();
${MOUNTS[framework]}
  controlPlane.start();
}
${kind === "cjs" ? "\nmodule.exports = { controlPlane, mountReeve };\n" : ""}`;
}

/** What to put into the application, after `file` was written. */
export function nextSteps(framework: Framework, kind: CodeKind, file: string): string[] {
  const from = `./${file.replace(/[.]ts$/, ".js")}`;
  const stop =
    framework === "express" ? ['  process.once("SIGTERM", () => server.close(() => controlPlane.close()));'] : [];
  const names = framework === "express" ? "controlPlane, mountReeve" : "mountReeve";
  return [
    "Next:",
    `  npm install @reeve/core @reeve/adapter-${framework} @reeve/store-sqlite`,
    `In your application${framework === "express" ? ", before express.json()" : ""}:`,
    kind === "cjs" ? `  const { ${names} } = require("${from}");` : `  import { ${names} } from "${from}";`,
    "  await mountReeve(app);",
    ...stop,
    "Start it with node --env-file=.env, and see http://localhost:3000/governance/api/v1/monitor/ping",
  ];
}
