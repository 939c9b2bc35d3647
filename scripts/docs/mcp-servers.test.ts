import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mcpManifestDigest, mcpPromptPin, mcpResourceTemplatePin, mcpToolPin } from "@reeve/core/testing";
import { describe, expect, it } from "vitest";
import { root } from "../lib/workspace.mjs";
import { namedSnippet } from "./snippets.js";

interface Vector {
  readonly algorithm: keyof typeof ALGORITHMS;
  readonly input: never;
  readonly digest: string;
}

const ALGORITHMS = {
  "mcp-tool/1": mcpToolPin,
  "mcp-prompt/1": mcpPromptPin,
  "mcp-resource-template/1": mcpResourceTemplatePin,
  "mcp-manifest/1": mcpManifestDigest,
};

const guide = readFileSync(join(root, "docs/guides/mcp-servers.md"), "utf8");
const vectors = JSON.parse(namedSnippet(guide, "vectors")) as Vector[];

describe("the guide to MCP servers", () => {
  it("has vectors of every algorithm", () => {
    expect(new Set(vectors.map(({ algorithm }) => algorithm))).toEqual(new Set(Object.keys(ALGORITHMS)));
  });

  it.each(vectors.map((vector, index) => [`${index + 1}, ${vector.algorithm}`, vector] as const))(
    "shows in vector %s what the code makes",
    (_name, { algorithm, input, digest }) => {
      expect(ALGORITHMS[algorithm](input)).toBe(digest);
    },
  );
});
