import { listAll } from "@reeve/testkit/connectors";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { benchOf, idsOf, specOf } from "./bench.js";
import { type TestHost, TOKEN, testHost } from "./host.js";

const LINK = '<https://host.test/user/repos?page=2>; rel="next"';

let host: TestHost;
let ids: Awaited<ReturnType<typeof idsOf>>;
beforeAll(async () => {
  host = await testHost();
});
beforeEach(async () => {
  await host.reset();
  ids = await idsOf(host);
});
afterAll(() => host.close());

const AGENTS = { owner: "acme", repo: "agents" };
const reads = async (token: string) => {
  const { status } = await host
    .as(token)
    .repos.get(AGENTS)
    .catch((error: { status: number }) => error);
  return status;
};

describe("access to repositories", () => {
  it("lets somebody in who was denied, and denies again when it is revoked", async () => {
    const { calls } = benchOf(host);
    const spec = specOf(ids.agents, ids.bob, "pull");
    // GitHub answers 404 and the emulator 403.
    expect(await reads("tok_bob")).toBe(403);
    expect(await calls.grant(spec)).toMatchObject({ outcome: "applied", grant: { principal: { displayName: "bob" } } });
    expect([await reads("tok_bob"), (await calls.verify(spec)).presence]).toEqual([200, "present"]);
    expect(await calls.revoke(spec)).toEqual({ outcome: "applied" });
    expect([await reads("tok_bob"), (await calls.verify(spec)).presence]).toEqual([403, "absent"]);
  });

  it("is granted and revoked once, however often it is asked for", async () => {
    const { calls } = benchOf(host);
    const spec = specOf(ids.agents, ids.bob, "push");
    expect((await calls.grant(spec)).outcome).toBe("applied");
    host.seen.length = 0;
    expect((await calls.grant(spec)).outcome).toBe("already_applied");
    expect(host.seen.filter((line) => line.startsWith("PUT"))).toEqual([]);
    await calls.revoke(spec);
    expect((await calls.revoke(spec)).outcome).toBe("already_applied");
  });

  it("stays where a repository is renamed, and is revoked under its new name", async () => {
    const { calls } = benchOf(host);
    const spec = specOf(ids.agents, ids.bob, "push");
    await calls.grant(spec);
    await host.admin.repos.update({ ...AGENTS, name: "robots" });
    expect((await calls.verify(spec)).presence).toBe("present");
    expect((await calls.revoke(spec)).outcome).toBe("applied");
    const { items } = await listAll((page) => calls.listResources("repository", page));
    expect(items.find(({ externalId }) => externalId === ids.agents)?.name).toBe("acme/robots");
  });

  it("that somebody has changed is told as such, and another role than the granted one stays at a revocation", async () => {
    const { calls } = benchOf(host);
    const spec = specOf(ids.agents, ids.bob, "pull");
    await calls.grant(spec);
    await host.admin.repos.addCollaborator({ ...AGENTS, username: "bob", permission: "admin" });
    expect(await calls.verify(spec)).toMatchObject({ presence: "mismatch", observed: { profileExternalId: "admin" } });
    expect((await calls.revoke(spec)).outcome).toBe("already_applied");
    expect((await calls.verify(specOf(ids.agents, ids.bob, "admin"))).presence).toBe("present");
  });

  it("changes from role to role, and not from one that is not there", async () => {
    const { calls } = benchOf(host);
    const pull = specOf(ids.agents, ids.bob, "pull");
    const push = specOf(ids.agents, ids.bob, "push");
    const admin = specOf(ids.agents, ids.bob, "admin");
    await calls.grant(pull);
    expect(await calls.modify(pull, push)).toMatchObject({ outcome: "applied", replaced: ["pull"] });
    expect((await calls.modify(pull, push)).outcome).toBe("already_applied");
    await expect(calls.modify(pull, admin)).rejects.toMatchObject({ errorClass: "conflict" });
    await expect(calls.modify(push, specOf(ids.agents, ids.carol, "pull"))).rejects.toMatchObject({
      errorClass: "invalid",
    });
  });

  it("of others is left alone", async () => {
    const { calls } = benchOf(host);
    await host.admin.repos.addCollaborator({ ...AGENTS, username: "carol", permission: "maintain" });
    const spec = specOf(ids.agents, ids.bob, "push");
    await calls.grant(spec);
    await calls.revoke(spec);
    expect((await calls.verify(specOf(ids.agents, ids.carol, "maintain"))).presence).toBe("present");
  });

  it("of the owner is neither granted nor revoked", async () => {
    const { calls } = benchOf(host);
    const { data } = await host.admin.repos.get({ owner: "acme-admin", repo: "tools" });
    const spec = specOf(String(data.id), String(data.owner.id), "pull");
    expect([(await calls.grant(spec)).outcome, (await calls.revoke(spec)).outcome]).toEqual(["declined", "declined"]);
  });

  it.each([
    ["a name in place of the repository's number", () => specOf("acme/agents", ids.bob, "pull"), "invalid"],
    ["a name in place of the user's number", () => specOf(ids.agents, "bob", "pull"), "invalid"],
    ["a number with more behind it", () => specOf(`${ids.agents}/../1`, ids.bob, "pull"), "invalid"],
    ["a repository that is not there", () => specOf("999999", ids.bob, "pull"), "not_found"],
    ["a user that is not there", () => specOf(ids.agents, "999999", "pull"), "not_found"],
    ["a role that is not there", () => specOf(ids.agents, ids.bob, "owner"), "invalid"],
    ["an owner", () => specOf("1", ids.bob, "admin", "owner"), "unsupported"],
    [
      "a group",
      () => ({ ...specOf(ids.agents, ids.bob, "pull"), principal: { type: "group" as const, externalId: ids.team } }),
      "unsupported",
    ],
  ])("is refused for %s, and never called absent", async (_what, spec, errorClass) => {
    const { calls } = benchOf(host);
    for (const call of [calls.grant, calls.revoke, calls.verify])
      await expect(call(spec())).rejects.toMatchObject({ errorClass });
    expect(host.seen.filter((line) => /^(PUT|DELETE|PATCH|POST)/.test(line))).toEqual([]);
  });
});

describe("access to teams", () => {
  it("is membership, with a role that changes", async () => {
    const { calls } = benchOf(host);
    const member = specOf(ids.team, ids.bob, "member", "team");
    const maintainer = specOf(ids.team, ids.bob, "maintainer", "team");
    expect((await calls.grant(member)).outcome).toBe("applied");
    expect((await calls.grant(member)).outcome).toBe("already_applied");
    expect(await calls.modify(member, maintainer)).toMatchObject({ outcome: "applied", replaced: ["member"] });
    expect((await calls.verify(member)).presence).toBe("mismatch");
    expect((await calls.revoke(member)).outcome).toBe("already_applied");
    expect((await calls.revoke(maintainer)).outcome).toBe("applied");
    expect((await calls.verify(maintainer)).presence).toBe("absent");
    const { data } = await host.admin.teams.listMembersInOrg({ org: "acme", team_slug: "ai" });
    expect(data.map(({ login }) => login)).not.toContain("bob");
  });
});

describe("listings of access", () => {
  it("hold everything once, on pages of any size", async () => {
    const { calls } = benchOf(host);
    await calls.grant(specOf(ids.agents, ids.bob, "triage"));
    await calls.grant(specOf(ids.site, ids.carol, "maintain"));
    // The emulator calls every member of an organisation an administrator of its repositories, so this is somebody else.
    await calls.grant(specOf(ids.team, ids.dora, "maintainer", "team"));
    const keys = async (limit: number) => {
      const { items, complete } = await listAll((page) => calls.listGrants({}, page), limit);
      expect(complete).toBe(true);
      return items.map(
        (one) =>
          `${one.resource.type}:${one.resource.externalId}:${one.principal.displayName}:${one.profileExternalId}`,
      );
    };
    const all = await keys(200);
    expect(all).toEqual(
      expect.arrayContaining([
        `repository:${ids.agents}:bob:triage`,
        `repository:${ids.site}:carol:maintain`,
        `team:${ids.team}:dora:maintainer`,
      ]),
    );
    expect(new Set(all).size).toBe(all.length);
    expect(await keys(1)).toEqual(all);
    const { items } = await listAll((page) =>
      calls.listGrants({ principals: [{ type: "user", externalId: ids.carol }] }, page),
    );
    expect(items.map(({ resource }) => resource.externalId)).toEqual([ids.site]);
  });

  it("mark what comes from a team or an organisation as inherited", async () => {
    // The emulator knows no `affiliation`: this is the answer that GitHub documents.
    const carol = {
      id: Number(ids.carol),
      login: "carol",
      role_name: "write",
      permissions: { pull: true, push: true },
    };
    host.script((_method, url) =>
      url.pathname.endsWith("/collaborators") && url.searchParams.get("affiliation") === "all"
        ? { status: 200, body: [carol] }
        : undefined,
    );
    const { calls } = benchOf(host);
    const resource = { type: "repository", externalId: ids.agents };
    const { items } = await listAll((page) => calls.listGrants({ resource }, page));
    expect(items.find(({ principal }) => principal.externalId === ids.carol)).toMatchObject({
      source: "inherited",
      profileExternalId: "push",
    });
    expect((await calls.verify(specOf(ids.agents, ids.carol, "push"))).presence).toBe("absent");
  });

  it.each([
    ["entry that cannot be used", "/user/repos"],
    ["repository that is listed and not shown", "/repositories/"],
  ])("are not called complete beside a %s, on pages of any size", async (_what, broken) => {
    const { calls } = benchOf(host);
    await calls.grant(specOf(ids.agents, ids.bob, "triage"));
    const { data } = await host.as(TOKEN).repos.listForAuthenticatedUser();
    const listed = data.map((one) => (one.name === "site" ? { ...one, private: null } : one));
    host.script((_method, { pathname }) => {
      if (pathname === "/user/repos" && pathname === broken) return { status: 200, body: listed };
      return pathname === `${broken}${ids.site}` ? { status: 404, body: {} } : undefined;
    });
    for (const limit of [1, 200]) {
      const { items, complete } = await listAll((page) => calls.listGrants({}, page), limit);
      expect([items.some(({ resource }) => resource.externalId === ids.agents), complete]).toEqual([true, false]);
    }
  });

  it("of one owner's repositories go on in another page after many pages of those of others", async () => {
    const { calls } = benchOf(host, { owners: ["nobody-here"] });
    const { data } = await host.as(TOKEN).repos.listForAuthenticatedUser();
    host.script((_method, { pathname, searchParams }) => {
      if (pathname !== "/user/repos") return undefined;
      const body = searchParams.get("per_page") === "1" ? data.slice(-1) : data;
      return { status: 200, body, ...(Number(searchParams.get("page")) < 100 ? { headers: { link: LINK } } : {}) };
    });
    for (const read of [
      () => listAll((page) => calls.listGrants({}, page)),
      () => listAll((page) => calls.discoverAssets(page)),
    ]) {
      const { items, complete, pages } = await read();
      expect([items, complete, pages > 1]).toEqual([[], true, true]);
    }
  });

  it("are not called complete where a repository has moved over the edge of a page meanwhile", async () => {
    const { calls } = benchOf(host);
    const { data } = await host.as(TOKEN).repos.listForAuthenticatedUser();
    for (const isMoved of [false, true]) {
      host.script((_method, { pathname, searchParams }) => {
        if (pathname !== "/user/repos") return undefined;
        const page = Number(searchParams.get("page"));
        if (searchParams.get("per_page") === "1")
          return { status: 200, body: isMoved ? data.slice(1, 2) : data.slice(0, 1) };
        const body = page === 1 ? data.slice(0, 1) : data.slice(isMoved ? 2 : 1);
        return { status: 200, body, ...(page === 1 ? { headers: { link: LINK } } : {}) };
      });
      const grants = await listAll((page) => calls.listGrants({}, page));
      const assets = await listAll((page) => calls.discoverAssets(page));
      expect([grants.complete, assets.complete], `moved: ${isMoved}`).toEqual([!isMoved, !isMoved]);
      const first = await calls.listResources("repository", { limit: 100 });
      const rest = await calls.listResources("repository", { limit: 100, cursor: first.nextCursor as string });
      expect(rest.rejected).toHaveLength(isMoved ? 1 : 0);
    }
  });

  it("are not called complete where what stood before their next page has gone", async () => {
    const { calls } = benchOf(host);
    for (const who of [ids.bob, ids.carol]) await calls.grant(specOf(ids.agents, who, "pull"));
    const resource = { type: "repository", externalId: ids.agents };
    for (const query of [{}, { resource }]) {
      const page = (limit: number, cursor?: string) =>
        calls.listGrants(query, { limit, ...(cursor ? { cursor } : {}) });
      const all = (await page(200)).items;
      const at = all.findIndex(
        (one) => one.resource.externalId === ids.agents && one.principal.externalId === ids.carol,
      );
      const { nextCursor } = await page(at);
      expect((await page(200, nextCursor)).complete).toBe(true);
      await calls.revoke(specOf(ids.agents, ids.bob, "pull"));
      expect((await page(200, nextCursor)).complete, "somebody else stands there").toBe(false);
      await calls.grant(specOf(ids.agents, ids.bob, "pull"));
    }
    const { data } = await host.as(TOKEN).repos.listForAuthenticatedUser();
    const [site, agents] = ["site", "agents"].map((name) => data.find((one) => one.name === name));
    let body = [site, agents];
    host.script((_method, { pathname }) => (pathname === "/user/repos" ? { status: 200, body } : undefined));
    const { items } = await calls.listGrants({}, { limit: 200 });
    const limit = items.findIndex(({ resource: { type, externalId } }) => type !== "team" && externalId === ids.agents);
    const { nextCursor } = await calls.listGrants({}, { limit });
    expect((await calls.listGrants({}, { limit: 200, cursor: nextCursor as string })).complete).toBe(true);
    body = [agents];
    expect((await calls.listGrants({}, { limit: 200, cursor: nextCursor as string })).complete).toBe(false);
  });

  it("of a repository that has gone fail, and do not say that nobody has access", async () => {
    const { calls } = benchOf(host);
    const resource = { type: "repository", externalId: "999999" };
    await expect(calls.listGrants({ resource }, { limit: 10 })).rejects.toMatchObject({ errorClass: "not_found" });
  });
});

describe("an invitation", () => {
  it("is access only once it is accepted, and is withdrawn by a revocation", async () => {
    // The emulator knows no invitations: these are the answers that GitHub documents.
    let open = false;
    host.script((method, { pathname }) => {
      if (method === "PUT" && pathname.includes("/collaborators/")) {
        open = true;
        return { status: 201, body: { id: 77, invitee: { id: Number(ids.bob), login: "bob" } } };
      }
      if (method === "DELETE" && pathname.endsWith("/invitations/77")) {
        open = false;
        return { status: 204 };
      }
      if (!pathname.endsWith("/invitations")) return undefined;
      return { status: 200, body: open ? [{ id: 77, invitee: { id: Number(ids.bob), login: "bob" } }] : [] };
    });
    const { calls } = benchOf(host);
    const spec = specOf(ids.agents, ids.bob, "push");
    const granted = await calls.grant(spec);
    expect(granted).toMatchObject({ outcome: "accepted" });
    expect((await calls.verify(spec)).presence, "neither there nor gone").toBe("mismatch");
    const ref = (granted as { externalOpRef: string }).externalOpRef;
    expect((await calls.pollOperation(ref)).outcome).toBe("accepted");
    expect((await calls.revoke(spec)).outcome).toBe("applied");
    expect([open, (await calls.pollOperation(ref)).outcome]).toEqual([false, "declined"]);
    expect((await calls.verify(spec)).presence).toBe("absent");
    await host.admin.repos.addCollaborator({ ...AGENTS, username: "bob", permission: "push" });
    expect((await calls.pollOperation(ref)).outcome).toBe("applied");
  });

  it("to one role is none to another, whose revocation leaves it", async () => {
    // The other names are those of answers that GitHub documents.
    let permissions = "read";
    const withdrawn: string[] = [];
    host.script((method, { pathname }) => {
      if (method === "DELETE") withdrawn.push(pathname);
      if (!pathname.endsWith("/invitations")) return undefined;
      return { status: 200, body: [{ id: 78, invitee: { id: Number(ids.bob), login: "bob" }, permissions }] };
    });
    const { calls } = benchOf(host);
    const pull = specOf(ids.agents, ids.bob, "pull");
    const ref = `${ids.agents}:${ids.bob}:pull`;
    expect((await calls.pollOperation(ref)).outcome).toBe("accepted");
    permissions = "admin";
    expect((await calls.pollOperation(ref)).outcome, "it was changed meanwhile").toBe("declined");
    expect((await calls.verify(pull)).presence, "somebody may come in").toBe("mismatch");
    expect((await calls.revoke(pull)).outcome).toBe("already_applied");
    expect(withdrawn).toEqual([]);
  });
});
