import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { root } from "../lib/workspace.mjs";

const OF_CALL = `
import type { CallInput, OperationId } from ${JSON.stringify(join(root, "packages/core/src/control-plane/operation-types.js"))};
declare const call: <Id extends OperationId>(id: Id, input: CallInput<Id>) => void;
call("aiAssets.create", { body: { name: "Support agent", riskTier: "high" } });
call("aiAssets.list", { query: { riskTier: ["high"] } });
`;
const OF_CLIENT = `
import type { Client } from ${JSON.stringify(join(root, "packages/client/src/index.js"))};
declare const client: Client;
client.POST("/api/v1/ai-assets", { body: { name: "Support agent", riskTier: "high" } });
client.GET("/api/v1/ai-assets", { params: { query: { riskTier: ["high"] } } });
`;

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
};

/** An editor with one file open, which says what it shows of a word there. */
function editor(text: string) {
  const file = join(root, "packages/core/src/hovered.ts");
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => OPTIONS,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot(name) {
      const content = name === file ? text : ts.sys.readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => (name === file ? text : ts.sys.readFile(name)),
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  };
  const service = ts.createLanguageService(host);
  const faults = service
    .getSemanticDiagnostics(file)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
  const at = (word: string) => text.indexOf(word);
  return {
    faults,
    said: (word: string) => ts.displayPartsToString(service.getQuickInfoAtPosition(file, at(word))?.documentation),
    saidOfEntry(word: string, entry: string) {
      const found = service.getCompletionEntryDetails(file, at(word), entry, {}, undefined, {}, undefined);
      return ts.displayPartsToString(found?.documentation);
    },
  };
}

describe("what an editor says", () => {
  it("of a call in process: a sentence for each field", () => {
    const { faults, said, saidOfEntry } = editor(OF_CALL);
    expect(faults).toEqual([]);
    expect(said('riskTier: "high"')).toBe("Class of risk.");
    expect(said('riskTier: ["high"]')).toBe("Class of risk.");
    expect(said("name:")).toBe("The name that people are shown.");
    expect(saidOfEntry("riskTier:", "purpose")).toMatch(/\w+ \w+ \w+/);
  });

  it("of a call by the client: the same", () => {
    const { faults, said } = editor(OF_CLIENT);
    expect(faults).toEqual([]);
    expect(said('riskTier: "high"')).toBe("Class of risk.");
    expect(said('riskTier: ["high"]')).toBe("Class of risk.");
  });
});

/** The fields of generated types without a sentence above them, by the name of the nearest declaration. */
function unsaid(path: string, counts: (field: ts.PropertySignature) => boolean): string[] {
  const file = ts.createSourceFile(path, ts.sys.readFile(path) ?? "", ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  let fields = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node) && counts(node)) {
      fields += 1;
      const said = ts
        .getJSDocCommentsAndTags(node)
        .map((doc) => doc.getText())
        .join(" ");
      if (!/(?:[^\s*]+\s+){2}/.test(said.replaceAll(/@\w+|[/*]+/g, " "))) found.push(node.getText().slice(0, 60));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  expect(fields).toBeGreaterThan(1_000);
  return found;
}

/** Members that are no fields of the product, but of the types around them. */
const AROUND = new Set(["params", "query", "body", "input", "output"]);

/** Whether a member belongs to an object of the API, not to the frame of `openapi-typescript`. */
function isOfSchema(field: ts.PropertySignature): boolean {
  const holders: string[] = [];
  for (let node: ts.Node = field; !ts.isSourceFile(node); node = node.parent)
    if (ts.isPropertySignature(node) || ts.isInterfaceDeclaration(node)) holders.unshift(node.name.getText());
  return holders[0] === "components" && holders[1] === "schemas" && holders.length > 3;
}

describe("the fields of generated types", () => {
  it("have a sentence each, in process", () => {
    const path = join(root, "packages/core/src/control-plane/operations.generated.ts");
    expect(unsaid(path, (field) => !AROUND.has(field.name.getText()))).toEqual([]);
  });

  it("have one each for the client, but for two whose schemas share a name", () => {
    const path = join(root, "packages/client/src/openapi.generated.ts");
    const fields = unsaid(path, isOfSchema);
    expect(fields.length, fields.join("\n")).toBeLessThanOrEqual(2);
  });
});
