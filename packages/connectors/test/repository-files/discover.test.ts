import { ConnectorError, type DiscoveredAsset, walk } from "@reeve/core/connectors";
import { describe, expect, it } from "vitest";
import {
  discoverInRepositories,
  type ListedRepository,
  type RepositoryListing,
} from "../../src/repository-files/discover.js";
import type { RepositoryFile } from "../../src/repository-files/file.js";
import { FILE_LIMITS } from "../../src/repository-files/limits.js";

interface Held {
  readonly id: string;
  readonly files: Readonly<Record<string, string | Partial<RepositoryFile>>> | null;
  revision?: string;
}

/** A host that holds these repositories in memory, and counts what is read. */
function hostOf(repositories: Held[]) {
  const read: string[] = [];
  async function* listing(from?: string): AsyncGenerator<ListedRepository> {
    for (let at = Number(from ?? 0); at < repositories.length; at += 1) {
      const { id, files, revision = "r1" } = repositories[at] as Held;
      yield {
        id,
        position: String(at),
        async open() {
          if (files === null) throw new ConnectorError("not_found", "It has gone.");
          const listed = Object.entries(files).map(([path, given]) => ({
            path,
            key: path,
            ...(typeof given === "string" ? {} : given),
          }));
          return { id, name: `acme/${id}`, revision, files: listed, whole: true };
        },
        async read({ path }) {
          read.push(path);
          const text = files?.[path];
          if (typeof text === "object" && text.key === "gone") throw new ConnectorError("not_found", "It has gone.");
          return typeof text === "string" ? text : undefined;
        },
      };
    }
  }
  return { listing, read };
}

async function everything(
  { listing }: { readonly listing: RepositoryListing },
  limit = 200,
  between: (page: number) => void = () => {},
) {
  const items: DiscoveredAsset[] = [];
  const rejected: unknown[] = [];
  let [complete, pages] = [false, 0];
  for await (const page of walk((request) => discoverInRepositories(listing, request), { limit })) {
    items.push(...page.items);
    rejected.push(...page.rejected);
    complete = page.complete;
    pages += 1;
    between(pages);
  }
  return { ids: items.map(({ externalId }) => externalId), rejected, complete, pages };
}

const servers = (count: number) =>
  JSON.stringify({
    mcpServers: Object.fromEntries(Array.from({ length: count }, (_, n) => [`s${n}`, { command: "x" }])),
  });

describe("a walk over repositories", () => {
  it("gives the same finds on pages of any size, each once", async () => {
    const repositories = Array.from({ length: 30 }, (_, n) => ({
      id: String(n),
      files: { "AGENTS.md": "Be kind.", ".mcp.json": servers(7), "README.md": "no" },
    }));
    const whole = await everything(hostOf(repositories));
    expect(whole.ids).toHaveLength(240);
    expect(whole.complete).toBe(true);
    for (const limit of [1, 3, 100]) {
      const { ids, complete } = await everything(hostOf(repositories), limit);
      expect([ids, complete]).toEqual([whole.ids, true]);
    }
  });

  it("asks the target for a bounded number of things in one page", async () => {
    const host = hostOf([
      { id: "1", files: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`d${n}/AGENTS.md`, "x"])) },
    ]);
    await discoverInRepositories(host.listing, { limit: 200 });
    expect(host.read.length).toBeGreaterThan(0);
    expect(host.read.length).toBeLessThanOrEqual(FILE_LIMITS.calls);
  });

  it("leaves out files beyond the limit, says so, and claims no completeness", async () => {
    const files = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`d${n}/AGENTS.md`, "x"]));
    const { ids, rejected, complete } = await everything(hostOf([{ id: "1", files }]));
    expect(ids).toHaveLength(FILE_LIMITS.files);
    expect([rejected[0], complete]).toEqual([{ externalId: "1:", reason: expect.any(String) }, false]);
  });

  it("does not read what is too large, and follows no symbolic link", async () => {
    const host = hostOf([
      {
        id: "1",
        files: { "AGENTS.md": { size: 10_000_000 }, "CLAUDE.md": { symbolicLink: true }, ".mcp.json": servers(1) },
      },
    ]);
    const { ids, rejected, complete } = await everything(host);
    expect([ids, host.read, complete]).toEqual([["1:.mcp.json#s0"], [".mcp.json"], false]);
    expect(rejected).toHaveLength(1);
  });

  it("claims completeness beside symbolic links, since what they lead to is found itself", async () => {
    const host = hostOf([{ id: "1", files: { "AGENTS.md": "Be kind.", "CLAUDE.md": { symbolicLink: true } } }]);
    expect(await everything(host)).toMatchObject({ ids: ["1:AGENTS.md"], complete: true });
  });

  it("claims no completeness where a file cannot be used, since its finds may still be there", async () => {
    const { rejected, complete } = await everything(hostOf([{ id: "1", files: { ".mcp.json": "{" } }]));
    expect([rejected.length, complete]).toEqual([1, false]);
  });

  it("goes on after repositories that are empty", async () => {
    const { ids, complete } = await everything(
      hostOf([
        { id: "2", files: {} },
        { id: "3", files: { "AGENTS.md": "x" } },
      ]),
    );
    expect([ids, complete]).toEqual([["3:AGENTS.md"], true]);
  });

  it.each([1, 200])(
    "goes on after one that is not shown, rejects it and claims no completeness by %d",
    async (limit) => {
      const repositories = [
        { id: "1", files: { "AGENTS.md": "x" } },
        { id: "2", files: null },
        { id: "3", files: { "AGENTS.md": "x" } },
      ];
      const { ids, rejected, complete } = await everything(hostOf(repositories), limit);
      expect([ids, complete]).toEqual([["1:AGENTS.md", "3:AGENTS.md"], false]);
      expect(rejected).toEqual([{ externalId: "2", reason: expect.any(String) }]);
    },
  );

  it("rejects a file that is listed and not shown, and claims no completeness", async () => {
    const host = hostOf([{ id: "1", files: { "AGENTS.md": "x", "b/AGENTS.md": { key: "gone" } } }]);
    const { ids, rejected, complete } = await everything(host);
    expect([ids, rejected.length, complete]).toEqual([["1:AGENTS.md"], 1, false]);
  });

  it.each([1, 200])("claims no completeness after a page with entries that cannot be used by %d", async (limit) => {
    const held = hostOf([{ id: "1", files: { "AGENTS.md": "x", ".mcp.json": servers(3) } }]);
    async function* listing(from?: string) {
      yield* held.listing(from);
      yield { rejected: [{ reason: "Too strange." }] };
    }
    const { ids, rejected, complete } = await everything({ listing }, limit);
    expect([ids.length, rejected, complete]).toEqual([4, [{ reason: "Too strange." }], false]);
  });

  it("goes on in another page after many pages of a listing without a repository", async () => {
    let read = 0;
    const pages = FILE_LIMITS.calls * 3;
    async function* listing(from = "0") {
      for (let at = Number(from); at < pages; at += 1) {
        read += 1;
        yield { rejected: [], ...(at + 1 < pages ? { next: String(at + 1) } : {}) };
      }
    }
    const { complete, pages: asked } = await everything({ listing });
    expect([complete, read, asked]).toEqual([true, pages, 3]);
  });

  it("claims no completeness where repositories or commits changed under it", async () => {
    const held = (): Held[] => ["1", "2", "3"].map((id) => ({ id, files: { ".mcp.json": servers(2) } }));
    const removed = held();
    const shifted = await everything(hostOf(removed), 1, (page) => void (page === 3 && removed.splice(0, 1)));
    expect(shifted.complete).toBe(false);
    const last = held();
    const fewer = await everything(hostOf(last), 2, (page) => void (page === 2 && last.splice(0, 1)));
    expect([fewer.complete, fewer.ids.length], "nothing stands at the place of the last").toEqual([false, 4]);
    const pushed = held();
    const changed = await everything(hostOf(pushed), 1, (page) => {
      if (page === 1) (pushed[0] as Held).revision = "r2";
    });
    expect(changed.complete).toBe(false);
  });

  it.each(["", "zzz", Buffer.from('{"position":7}').toString("base64url")])("refuses the cursor %j", async (cursor) => {
    const { listing } = hostOf([]);
    await expect(discoverInRepositories(listing, { limit: 1, cursor })).rejects.toMatchObject({
      errorClass: "invalid",
    });
  });
});
