import { join } from "node:path";
import { operations } from "@reeve/core/reference";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { root } from "../lib/workspace.mjs";
import { clientCalls } from "./client-calls.js";

const calls = clientCalls(operations);

/** The type errors of a module beside the client's tests. */
function faultsOf(text: string): string[] {
  const file = join(root, "packages/client/test/all-calls.ts");
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [file] }, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest);
  const program = ts.createProgram([file], { ...options, noUnusedLocals: false }, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

/** The parameters of all paths, `ids` of a body, and the `token` of a query. */
const PARAMETERS = operations.flatMap(({ path }) => [...path.matchAll(/[:{](\w+)/g)].map(([, name]) => name));
const NAMES = [...new Set(["ids", "token", ...PARAMETERS])];
const HEAD = `import type { Client } from "../src/index.js";
declare const client: Client;
declare const use: (item: object) => void;
declare const ${NAMES.map((name) => `${name}: string`).join(", ")};
export {};
`;

describe("the calls beside the operations", () => {
  it("are there for every operation but those of pages, and the stream of MCP that is refused", () => {
    const without = operations.filter(({ id }) => !calls.has(id) && id !== "mcp.stream").map(({ mount }) => mount);
    expect(new Set(without)).toEqual(new Set(["reference", "console"]));
  });

  it("compile with the client, all of them", () => {
    expect(faultsOf(HEAD + [...calls.values()].map((call) => `{\n${call}\n}\n`).join(""))).toEqual([]);
  });

  it("would not with a field that no body has", () => {
    const [fault] = faultsOf(`${HEAD}await client.POST("/api/v1/ai-assets", { body: { riskTeir: "high" } });`);
    expect(fault).toContain("'riskTeir' does not exist in type");
  });
});
