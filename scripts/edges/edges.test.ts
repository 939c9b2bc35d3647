import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { blocksOf, pages } from "../docs/guides/blocks.js";
import { filesBelow, root } from "../lib/workspace.mjs";
import { hangUp, type Outcome, sendEndless, sendRaw } from "./hostile.js";
import { EDGES, type RunningEdge } from "./servers.js";

/** Errors that would have ended the process of a server. */
const escaped: unknown[] = [];
const hear = (error: unknown) => void escaped.push(error);
beforeAll(() => {
  process.on("unhandledRejection", hear).on("uncaughtException", hear);
});
afterAll(() => {
  process.off("unhandledRejection", hear).off("uncaughtException", hear);
});

const TOKENS = ["", `authorization: Bearer att_${"A".repeat(43)}\r\n`, "authorization: Bearer e30.e30.e30\r\n"];
const JSON_TYPE = "content-type: application/json\r\naccept: application/json, text/event-stream\r\n";
const head = (method: string, target: string, more = "") =>
  `${method} ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\n${JSON_TYPE}${more}`;

/** Requests that no client sends by itself, by what is odd about them. */
const ODD: Readonly<Record<string, (path: string) => string>> = {
  "a host that is no host": (path) => `GET ${path} HTTP/1.1\r\nhost: [\r\n\r\n`,
  "a posted body and a host that is no host": (path) =>
    `POST ${path} HTTP/1.1\r\nhost: ::\r\n${JSON_TYPE}content-length: 2\r\n\r\n{}`,
  "no host": (path) => `GET ${path} HTTP/1.1\r\n\r\n`,
  "a request line that is none": () => "HELLO\r\n\r\n",
  "a target that is no address": () => head("GET", "//[", "\r\n"),
  "a broken percent-escape": (path) => head("GET", `${path}/%zz`, "\r\n"),
  "an absolute target": (path) => head("GET", `http://elsewhere.example${path}`, "\r\n"),
  "a method that takes no body": (path) => head("TRACE", path, "\r\n"),
  "text that is no JSON": (path) => head("POST", path, "content-length: 1\r\n\r\n{"),
  "JSON of another shape": (path) => head("POST", path, "content-length: 4\r\n\r\nnull"),
  "no body": (path) => head("POST", path, "content-length: 0\r\n\r\n"),
  "a body that is not told of": (path) => `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`,
  "an encoding that is unknown": (path) => head("POST", path, "content-encoding: x\r\ncontent-length: 1\r\n\r\n1"),
};

const whole = ({ text }: Outcome) => text;

describe.each(Object.entries(EDGES))("%s", (_name, edge) => {
  let running: RunningEdge;
  beforeAll(async () => {
    running = await edge.start(inject("postgresUrl"));
  });
  afterAll(() => running?.stop());

  /** Whether it still serves, and nothing has escaped that would have ended its process. */
  async function serves(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(escaped.splice(0)).toEqual([]);
    const { status } = await sendRaw(running.url, head("GET", edge.paths[0] as string, "\r\n"));
    expect(status).toBeGreaterThanOrEqual(200);
  }

  it("answers or closes whatever is odd about a request, and goes on", async () => {
    for (const [what, write] of Object.entries(ODD)) {
      for (const path of edge.paths) {
        for (const token of TOKENS) {
          const request = write(path).replace("\r\n\r\n", `\r\n${token}\r\n`);
          const reported = await sendRaw(running.url, request);
          expect(reported.status === undefined || reported.status < 500, `${what}: ${path}: ${reported.text}`).toBe(
            true,
          );
          expect(whole(reported), what).not.toMatch(/\n\s+at |node_modules|file:\/\//);
        }
      }
    }
    await serves();
  });

  it("keeps no body without end", async () => {
    for (const path of edge.paths) {
      for (const token of TOKENS) {
        const reported = await sendEndless(running.url, head("POST", path, token));
        // What reads on to the end does not look into it then: there is nothing, or it was too much.
        const refused = reported.sent < 4_194_304 || [404, 413].includes(reported.status ?? 0);
        expect(refused, `${path}: ${reported.sent} bytes, ${reported.text}`).toBe(true);
      }
    }
    await serves();
  });

  it("goes on when a sender hangs up at any moment", async () => {
    for (const path of edge.paths) {
      for (const token of TOKENS) {
        const request = `${head("POST", path, `${token}content-length: 100\r\n\r\n`)}{"name":`;
        for (const length of [10, request.indexOf("\r\n\r\n") - 3, request.length])
          await hangUp(running.url, request.slice(0, length));
        await hangUp(running.url, head("GET", path, `${token}\r\n`));
      }
    }
    await serves();
  });

  it.skipIf(edge.guarded === undefined)("lets in no token that was never issued", async () => {
    for (const token of TOKENS) {
      for (const method of ["GET", "POST"]) {
        const reported = await sendRaw(
          running.url,
          head(method, edge.guarded as string, `${token}content-length: 2\r\n\r\n{}`),
        );
        expect([token, method, reported.status]).toEqual([token, method, 401]);
      }
    }
  });
});

describe("every source that serves", () => {
  const SERVES = /\bcreateServer\(|\.listen\(/;
  const held = new Set(Object.values(EDGES).flatMap(({ sources }) => sources));

  it("of the examples is held to this", () => {
    const sources = filesBelow(
      join(root, "examples"),
      (file) => /\/src\/.*\.(?:ts|cjs|mjs|js)$/.test(file) && !file.includes("/node_modules/"),
    )
      .filter((file) => SERVES.test(readFileSync(file, "utf8")))
      .map((file) => relative(root, file));
    // It looks for a free port, and never takes a connection.
    expect(sources.filter((file) => !held.has(file) && file !== "examples/tour/src/mcp.ts")).toEqual([]);
  });

  /** Its proxy stands in for one that the reader has, and serves the story alone. */
  const STAND_IN = "docs/guides/standalone-server.md";

  it("of the pages is held to this, or mounts Reeve and nothing of its own", () => {
    const own = pages.filter((page) =>
      blocksOf(page).some(({ text }) => /\bcreateServer\((?!reeveListener\()/.test(text)),
    );
    expect(own.filter((page) => !held.has(page) && page !== STAND_IN)).toEqual([]);
  });
});
