import { createHmac } from "node:crypto";
import { CHROMIUM, expectAccessible } from "@reeve/testkit/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LivingConsole, livingConsole } from "../living-console.js";
import { type Receiver, receiver } from "./receiver.js";

const DAY = 86_400_000;

describe.skipIf(!CHROMIUM.path)(
  `notices, and systems that are told of what happens, in a browser${CHROMIUM.note}`,
  () => {
    let world: LivingConsole;
    let other: Receiver;
    beforeAll(async () => {
      const config = { notices: true, egressAllow: ["127.0.0.1/32"] };
      [world, other] = await Promise.all([livingConsole("express", config), receiver()]);
      await world.controlPlane.tick();
    });
    afterAll(async () => {
      await world?.stop();
      await other?.stop();
    });

    const unread = () => world.estate.staff.approver.do("GET", "/api/v1/me/notices?status=open&unread=true&size=100");

    it("counts notices in the frame, which lead to their matters, and marks them as read by keyboard", async () => {
      const { items, totalItems } = await unread();
      const names = items.map(({ name }: { name: string }) => name);
      const [first, second] = items.filter(
        ({ name, page }: { name: string; page: string }) =>
          page.startsWith("inbox/") && names.indexOf(name) === names.lastIndexOf(name),
      );
      await world.as("approver", async ({ page, keyboard }) => {
        await keyboard.activate("link", `Notices ${totalItems} unread`);
        await page.getByRole("table", { name: "My notices" }).waitFor();
        await expectAccessible(page);
        await keyboard.activate("button", `Mark as read: ${second.name}`);
        await page.getByRole("link", { name: `Notices ${totalItems - 1} unread` }).waitFor();
        await keyboard.activate("link", first.name);
        await page.waitForURL(`**/console/${first.page}`);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.getByRole("link", { name: `Notices ${totalItems - 2} unread` }).waitFor();
        const left = (await unread()).items.map(({ id }: { id: string }) => id);
        expect(left).toHaveLength(totalItems - 2);
        for (const { id } of [first, second]) expect(left).not.toContain(id);
        await page.goto("/console/notices");
        await keyboard.activate("button", "Mark all as read");
        await page.getByRole("link", { name: "Notices", exact: true }).waitFor();
      });
      expect((await unread()).totalItems).toBe(0);
    });

    it("has notices mailed as one says, and told to another while one is away, on a phone", async () => {
      const { approver, second } = world.estate.staff;
      const delegations = async () => (await approver.do("GET", "/api/v1/me/delegations")).items;
      await world.as(
        "approver",
        async ({ page, keyboard, expectStatus }) => {
          await page.goto("/console/notices/preferences");
          await keyboard.choose("Waits for a decision", "once a day");
          await keyboard.choose("Language of mails", "German");
          await keyboard.choose("Time zone", "Europe/Berlin");
          await keyboard.toggle("checkbox", "Send mails in working hours only");
          await keyboard.toggle("checkbox", "Friday");
          await expectAccessible(page);
          await keyboard.activate("button", "Save");
          await page.getByText("Saved.").waitFor();
          expect(await approver.do("GET", "/api/v1/me/notice-preferences")).toMatchObject({
            ...{ language: "de", timeZone: "Europe/Berlin", digestHour: 8 },
            workingHours: { days: [1, 2, 3, 4], from: 8, to: 18 },
            mail: { waiting: "daily", halt: "at_once" },
          });
          await page.getByRole("navigation", { name: "Parts of notices" }).getByText("While I am away").click();
          await keyboard.activate("button", "Have somebody stand in");
          const dialog = page.getByRole("dialog", { name: "Have somebody stand in" });
          await dialog.getByLabel("Last day").fill(new Date(Date.now() + 10 * DAY).toISOString().slice(0, 10));
          await dialog.getByLabel("E-mail address").fill("stranger@elsewhere.example");
          await expectAccessible(page);
          expectStatus(400);
          await dialog.getByRole("button", { name: "Have somebody stand in" }).click();
          await dialog.getByText("There is no other active user of this address.", { exact: true }).waitFor();
          await dialog.getByLabel("E-mail address").fill(second.username);
          await dialog.getByRole("button", { name: "Have somebody stand in" }).click();
          await page.getByRole("cell", { name: second.name }).waitFor();
          await expectAccessible(page);
          expect(await delegations()).toMatchObject([{ fromId: approver.id, toId: second.id, status: "active" }]);
          await keyboard.activate("button", "Take back");
          await page.getByRole("dialog", { name: "Take back" }).getByRole("button", { name: "Take back" }).click();
          await page.getByRole("cell", { name: "ended" }).waitFor();
        },
        { width: "phone" },
      );
      expect(await delegations()).toMatchObject([{ toId: second.id, status: "ended" }]);
    });

    it("has an administrator add, test and remove a channel of a chat, whose address is not shown again", async () => {
      const { admin } = world.estate.staff;
      const channels = async () => (await admin.do("GET", "/api/v1/chat-channels")).items;
      await world.as("admin", async ({ page, keyboard }) => {
        await page.goto("/console/administration");
        await page.getByRole("navigation", { name: "Parts of administration" }).getByText("Chat channels").click();
        await page.getByText("No channel").waitFor();
        await keyboard.activate("button", "Add a channel");
        await keyboard.fill("textbox", "Name", "Governance");
        await keyboard.choose("Program", "Mattermost");
        await keyboard.fill("textbox", "Address of the incoming webhook", other.url);
        await keyboard.toggle("checkbox", "Asset found");
        await expectAccessible(page);
        await keyboard.activate("button", "Add a channel");
        await page.getByRole("cell", { name: "Mattermost" }).waitFor();
        await expectAccessible(page);
        expect(await page.content()).not.toContain("a-secret-of-this-channel");
        expect(await page.getByLabel("Address of the incoming webhook").first().inputValue()).toBe("");
        const [channel, ...others] = await channels();
        expect(others).toEqual([]);
        expect(channel.kinds).toEqual(["waiting", "overdue", "critical_finding", "halt", "asset_found"]);
        await keyboard.activate("button", "Test Governance");
        await page.getByText("Governance has taken the test message.").waitFor();
        expect(other.messages.splice(0)).toHaveLength(1);
        await keyboard.activate("button", "Remove Governance");
        await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
        await page.getByText("No channel").waitFor();
      });
      expect(await channels()).toEqual([]);
    });

    it("has an administrator add a webhook, whose secret is shown once, and see, repeat and stop what is sent", async () => {
      const { admin } = world.estate.staff;
      const webhooks = async () => (await admin.do("GET", "/api/v1/webhooks")).items;
      await world.as("admin", async ({ page, keyboard }) => {
        await page.goto("/console/administration/webhooks");
        await page.getByText("No webhook fits").waitFor();
        await keyboard.activate("button", "Add a webhook");
        await keyboard.fill("textbox", "Name", "Security");
        await keyboard.fill("textbox", "Address", other.url);
        await keyboard.fill("textbox", "Types of events", "chat_channel.created");
        await keyboard.activate("button", "Add a webhook");
        const shown = page.getByText(/^whsec_/);
        const secret = (await shown.textContent()) ?? "";
        await expectAccessible(page);
        await keyboard.activate("button", "I have kept it");
        await shown.waitFor({ state: "detached" });
        await keyboard.activate("link", "Security");
        await keyboard.activate("button", "Test");
        await page.getByText("The receiver has taken the test message.").waitFor();
        const [{ headers, body }] = other.messages.splice(0) as [Receiver["messages"][number]];
        const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
        const key = Buffer.from(secret.replace("whsec_", ""), "base64");
        expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);

        const channel = { name: "Stops", app: "slack", url: other.url, kinds: ["halt"] };
        await admin.do("POST", "/api/v1/chat-channels", channel);
        await world.controlPlane.tick();
        await page.getByRole("cell", { name: "taken" }).waitFor();
        await expectAccessible(page);
        const [sent] = other.messages.splice(0) as [Receiver["messages"][number]];
        await keyboard.activate("button", `Send again: ${sent.headers["webhook-id"]}`);
        await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
        await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
        await world.controlPlane.tick();
        await expect
          .poll(() => other.messages.map((message) => message.headers["webhook-id"]))
          .toEqual([sent.headers["webhook-id"]]);

        await page.getByRole("button", { name: "New secret" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "New secret" }).click();
        await shown.waitFor();
        expect(await shown.textContent()).not.toBe(secret);
        await page.getByRole("button", { name: "Disable" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
        await page.getByRole("button", { name: "Enable" }).waitFor();
      });
      expect(await webhooks()).toMatchObject([{ name: "Security", status: "disabled", rotations: 1, replays: 1 }]);
    });

    it("shows them to an auditor, who changes none, and says to others that they may not see them", async () => {
      const pages = [
        ["chat-channels", "channels of chats"],
        ["webhooks", "webhooks"],
      ] as const;
      await world.as("auditor", async ({ page }) => {
        for (const [path, named] of pages) {
          await page.goto(`/console/administration/${path}`);
          await page.getByText(`You may see ${named}. Only administrators`).waitFor();
          expect(await page.locator("main").getByRole("button", { name: /^Add/ }).count()).toBe(0);
        }
      });
      await world.as("operator", async ({ page }) => {
        for (const [path, named] of pages) {
          await page.goto(`/console/administration/${path}`);
          await page.getByText(`You may not see ${named}`).waitFor();
          expect(await page.getByRole("link", { name: "Webhooks" }).count()).toBe(0);
        }
      });
    });
  },
);
