import { CHROMIUM, expectAccessible } from "@reeve/testkit/browser";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type LivingConsole, livingConsole } from "../living-console.js";
import { signIn } from "../served-console.js";
import { defaceAnswers } from "./hostile-answers.js";
import { declaredPages } from "./pages-of-console.js";

/** Pages of which `npm test` opens one. With `--all` each is opened. */
const ONE_OF = inject("isQuick") ? 6 : 1;
const PROVIDER = { username: "root@provider.example", password: "a long walk with the provider 1" };

describe.skipIf(!CHROMIUM.path)(`a wall of hostile texts${CHROMIUM.note}`, () => {
  let world: LivingConsole;
  beforeAll(async () => {
    world = await livingConsole("express", { notices: true });
    await world.controlPlane.tick();
    await world.controlPlane.ensureProviderAdmin(PROVIDER);
  });
  afterAll(() => world?.stop());

  const first = async (path: string) => (await world.estate.staff.owner.do("GET", path)).items[0].id as string;
  const framework = async () =>
    (await world.estate.staff.owner.do("GET", "/api/v1/ai/compliance/frameworks")).items[0].key as string;
  const gap = async () => {
    const key = await framework();
    const posture = await world.estate.staff.owner.do("GET", `/api/v1/ai/compliance/frameworks/${key}/posture`);
    return [key, posture.topGaps[0].controlId as string];
  };
  const enrolled = async (name: string) => {
    const { admin } = world.estate.staff;
    const [agent] = (await admin.do("GET", "/api/v1/ai-assets?assetType=agent&sort=name")).items;
    const { code } = await admin.do("POST", "/api/v1/ai/installation-codes", { agentId: agent.id, team: "Payments" });
    return admin.do("POST", "/api/v1/ai/installations/enrol", { code, client: "codex", name });
  };
  const asMachine = async (credential: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${credential}`, "content-type": "application/json" };
    const sent = { method: "POST", headers, body: JSON.stringify(body) };
    expect((await fetch(`${world.origin}/api/v1${path}`, sent)).status).toBe(200);
  };
  const installation = async () => {
    const { id, credential } = await enrolled("laptop");
    const servers = [{ name: "tickets", url: "https://tickets.example/mcp" }];
    await asMachine(credential, "/ai/installation/report", { digest: "a".repeat(64), files: 1, servers });
    return id as string;
  };
  /** A watch with a call that would have been denied. */
  const watch = async () => {
    const { operator, approver } = world.estate.staff;
    const body = { team: "Payments", reason: "To see what would break there." };
    const { id } = await operator.do("POST", "/api/v1/ai/watches", body);
    await approver.do("POST", `/api/v1/ai/watches/${id}/approve`, {});
    const { credential } = await enrolled("desktop");
    await asMachine(credential, "/hooks/codex", { hook_event_name: "PreToolUse", tool_name: "Bash" });
    const { denied } = await operator.do("GET", `/api/v1/ai/watches/${id}/summary`);
    expect(denied).toBe(1);
    return id as string;
  };
  /** A webhook, beside a channel of a chat and somebody who stands in, whose pages name no record. */
  const webhook = async () => {
    const { admin, owner, second } = world.estate.staff;
    const url = "https://hooks.northwind.example/reeve";
    await admin.do("POST", "/api/v1/chat-channels", { name: "Governance", app: "slack", url });
    await owner.do("POST", "/api/v1/me/delegations", { toId: second.id, endsAt: new Date(Date.now() + 86_400_000) });
    return (await admin.do("POST", "/api/v1/webhooks", { name: "Security", url })).id as string;
  };
  /** A record for each page that shows one. */
  const RECORDS: Readonly<Record<string, () => Promise<string | string[]> | string>> = {
    "access/assignments/$assignmentId": () => first("/api/v1/access-assignments"),
    "access/certifications/$certificationId": () => first("/api/v1/access-certifications"),
    "access/requests/$requestId": () => first("/api/v1/access-requests"),
    "administration/machines/$identityId": () => first("/api/v1/ai/identities"),
    "administration/people/$userId": () => world.estate.staff.builder.id,
    "administration/webhooks/$webhookId": webhook,
    "compliance/$framework": framework,
    "compliance/$framework/$control": gap,
    "estate/assets/$id": () => world.estate.assetIds.get("Claims letters") ?? "",
    "estate/connections/$connectionId": () => first("/api/v1/connector-instances"),
    "estate/connections/$connectionId/settings": () => first("/api/v1/connector-instances"),
    "estate/mcp-servers/$id": () => first("/api/v1/ai/mcp-servers"),
    "findings/exemptions/$exemptionId": () => first("/api/v1/ai-governance/exemptions"),
    "findings/$findingId": () => first("/api/v1/ai-governance/findings"),
    "inbox/$id": () => first("/api/v1/reviews"),
    // The browser of the test keeps none, and the page says so.
    "inbox/together/$workId": () => "none",
    "installations/one/$installationId": installation,
    "installations/watches/$watchId": watch,
    "policies/$policyId": () => first("/api/v1/ai-governance/policies"),
    "policies/$policyId/edit": () => first("/api/v1/ai-governance/policies"),
    "provider/tenants/$tenantId": () => world.estate.tenantId,
  };
  /** Pages that show more by a word in their address. */
  const MORE: Readonly<Record<string, readonly string[]>> = {
    "estate/assets/$id": ["relations", "findings", "access", "sessions", "versions", "activity"].map(
      (tab) => `tab=${tab}`,
    ),
    stop: ["sessions", "mcp_server", "model"].map((tab) => `tab=${tab}`),
  };
  const addressesOf = async (pages: readonly string[]) => {
    const addresses = pages.map(async (page) => {
      const named = [(await RECORDS[page]?.()) ?? []].flat();
      const at = page.replaceAll(/\$\w+/g, (parameter) => named.shift() ?? parameter);
      expect(at, "RECORDS has a record for each page").not.toContain("$");
      return [at, ...(MORE[page] ?? []).map((more) => `${at}?${more}`)];
    });
    return (await Promise.all(addresses)).flat();
  };

  it.each(["tenant", "provider"])(
    "is text and nothing else on every page of the %s",
    async (side) => {
      const isOfProvider = (page: string) => page.startsWith("provider");
      const pages = declaredPages()
        .filter((page) => isOfProvider(page) === (side === "provider"))
        // No system of this estate is imported from.
        .filter((page) => page !== "estate/connections/$connectionId/imports/$importId");
      expect(pages.length).toBeGreaterThan(3);
      const { owner } = world.estate.staff;
      const addresses = (await addressesOf(pages)).filter((_address, at) => at % ONE_OF === 0);
      await world.visit(
        async ({ page, expectStatus }) => {
          // The editor has the server check what it shows, and that is no rule.
          expectStatus(400, 401, 404);
          await page.goto("/console");
          await signIn(page, side === "provider" ? { id: "", name: "", ...PROVIDER } : owner);
          const defacer = await defaceAnswers(page);
          for (const address of addresses) await holds(page, address);
          expect(defacer.replaced).toBeGreaterThan(addresses.length);
        },
        { width: "phone" },
      );
      // Each page is opened in turn, and there are ever more of them.
    },
    300_000,
  );

  /** A page is whole, fits a phone, runs nothing, keeps the order of its texts, and is accessible. */
  async function holds(page: Page, address: string): Promise<void> {
    await page.goto(`/console/${address}`);
    await page.locator("main h1").first().waitFor();
    await page.locator("main .loading").first().waitFor({ state: "detached" });
    expect.soft(await page.evaluate("globalThis.hit"), address).toBeUndefined();
    const foreign = "script:not([src]), iframe, object, embed, main img, main svg [onload], [onerror]";
    expect.soft(await page.locator(foreign).count(), `${address}: elements of texts`).toBe(0);
    expect.soft(await page.evaluate(TURNED), `${address}: characters that turn the order`).toEqual([]);
    expect.soft(await page.evaluate(TOO_WIDE), `${address}: what is wider than a phone`).toEqual([]);
    await expectAccessible(page);
  }
});

/** Texts of the page, its title and its attributes that hold a control for the direction of text. */
const TURNED = `(() => {
  const turns = /[\\u202a-\\u202e\\u2066-\\u2069]/;
  const found = turns.test(document.title) ? ["title: " + document.title] : [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (turns.test(data) && !/^(?:OPTION|TEXTAREA)$/.test(parentElement.tagName)) found.push(parentElement.outerHTML.slice(0, 200));
  }
  return found;
})()`;

/** Elements that reach beyond the screen without a box around them that scrolls. */
const TOO_WIDE = `(() => {
  const reaches = (element) => element.getBoundingClientRect().right > innerWidth + 1;
  const isHeld = (element) =>
    element && (getComputedStyle(element).overflowX !== "visible" || isHeld(element.parentElement));
  if (document.documentElement.scrollWidth <= innerWidth) return [];
  return [...document.querySelectorAll("body *")]
    .filter((element) => reaches(element) && !isHeld(element.parentElement))
    .map((element) => element.outerHTML.slice(0, 200));
})()`;
