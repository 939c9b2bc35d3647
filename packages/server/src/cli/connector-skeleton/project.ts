import manifest from "../../../package.json" with { type: "json" };
import type { Names } from "./names.js";

/** What a connector is built with, as this repository is. */
const WITH = { types: "^20.19.43", typescript: "^5.9.3", vitest: "^4.1.12", zod: "^4.6.7" };

const json = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`;

/** What surrounds the sources: package, compiler and README. */
export const projectFiles = ({ key, title, factory }: Names): Readonly<Record<string, string>> => ({
  "package.json": json({
    name: `reeve-connector-${key}`,
    version: "0.1.0",
    description: `Connector of Reeve to ${title}.`,
    type: "module",
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    files: ["dist"],
    scripts: { build: "tsc --project tsconfig.build.json", test: "tsc && vitest run" },
    dependencies: { zod: WITH.zod },
    peerDependencies: { "@reeve/core": `^${manifest.version}` },
    devDependencies: {
      "@reeve/core": `^${manifest.version}`,
      "@reeve/testkit": `^${manifest.version}`,
      "@types/node": WITH.types,
      typescript: WITH.typescript,
      vitest: WITH.vitest,
    },
  }),
  "tsconfig.json": json({
    compilerOptions: {
      target: "ES2022",
      lib: ["ES2023"],
      types: ["node"],
      module: "NodeNext",
      strict: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      noEmit: true,
    },
    include: ["src", "test"],
  }),
  "tsconfig.build.json": json({
    extends: "./tsconfig.json",
    compilerOptions: { noEmit: false, declaration: true, rootDir: "src", outDir: "dist" },
    include: ["src"],
  }),
  "README.md": `# ${title}

A connector of [Reeve](https://github.com/reeve-dev/reeve) that finds the agents of ${title}.

\`\`\`js
import { createControlPlane } from "@reeve/core";
import { ${factory} } from "reeve-connector-${key}";

createControlPlane({ ...config, connectors: [${factory}()] });
\`\`\`

| File                | Change                                                        |
| ------------------- | ------------------------------------------------------------- |
| \`src/manifest.ts\`   | what the connector says about itself, its configuration and secrets |
| \`src/agents.ts\`     | how it asks ${title}                                          |
| \`test/service.ts\`   | the service that the test starts; use the real one if it runs here |

\`npm test\` compiles, and runs the conformance suite of \`@reeve/testkit/connectors\`.
`,
});
