import { snippet } from "./guide.js";
import type { Host } from "./host.js";

const APP_MODULE = `import { Module } from "@nestjs/common";
import { GovernanceModule } from "./governance.module";
@Module({ imports: [GovernanceModule] })
export class AppModule {}
`;

const SOURCES = {
  "governance.module.ts": snippet("nest-module"),
  "app.module.ts": APP_MODULE,
  "main.ts": snippet("nest-main"),
};

/** Nest of that version. ES modules name the files that they import. */
function nest(version: string, kind: "commonjs" | "module"): Host {
  const esm = kind === "module";
  const compilerOptions = {
    ...(esm ? { module: "nodenext" } : { module: "commonjs", moduleResolution: "node" }),
    target: "es2022",
    outDir: "dist",
    strict: true,
    esModuleInterop: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    types: ["node"],
  };
  const sources = Object.entries(SOURCES).map(([name, text]) => [
    `src/${name}`,
    esm ? text.replaceAll(/from "(\.[^"]+)"/g, 'from "$1.js"') : text,
  ]);
  return {
    name: `NestJS ${version}, ${esm ? "ES modules" : "CommonJS"}`,
    packages: [
      ...["common", "core", "platform-express"].map((name) => `@nestjs/${name}@${version}`),
      ...["reflect-metadata@0.2.2", "rxjs@7.8.2", "typescript@5.9.3", "@types/node@20.19.43"],
    ],
    reeve: ["@reeve/core", "@reeve/adapter-express", "@reeve/store-sqlite"],
    files: {
      "package.json": JSON.stringify({ private: true, type: kind }),
      "tsconfig.json": JSON.stringify({ compilerOptions, include: ["src"] }),
      ...Object.fromEntries(sources),
    },
    build: [["tsc"]],
    start: ["node", "dist/main.js"],
    prefix: "/governance",
  };
}

export const NEST: readonly Host[] = [
  nest("10.4.9", "commonjs"),
  nest("10.4.9", "module"),
  nest("11.2.10", "commonjs"),
  nest("11.2.10", "module"),
];
