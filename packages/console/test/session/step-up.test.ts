import { createHmac } from "node:crypto";
import { CHROMIUM, expectAccessible } from "@reeve/testkit/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LivingConsole, livingConsole } from "../living-console.js";

const MINUTE = 60_000;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The code that an authenticator app shows for a key (RFC 6238). */
function codeOf(key: string, nowMs: number): string {
  const bits = [...key].map((char) => ALPHABET.indexOf(char).toString(2).padStart(5, "0")).join("");
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / 30_000)));
  const mac = createHmac("sha1", Uint8Array.from(bytes)).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, "0");
}

describe.skipIf(!CHROMIUM.path)(`a decision that takes a fresh proof, in a browser${CHROMIUM.note}`, () => {
  let living: LivingConsole;
  beforeAll(async () => {
    living = await livingConsole("express");
    await living.estate.staff.owner.do("PATCH", "/api/v1/tenant/settings", { stepUpMinutes: 5 });
  });
  afterAll(() => living?.stop());

  const stateOf = async (name: string) => {
    const id = living.estate.assetIds.get(name);
    return (await living.estate.staff.officer.do("GET", `/api/v1/ai-assets/${id}`)).governanceState;
  };

  it("asks for the factor again, by keyboard too, and sends the same decision once more", async () => {
    const { approver } = living.estate.staff;
    let sent = 0;
    await living.as("approver", async ({ page, keyboard, expectStatus }) => {
      expectStatus(403, 404);
      const { secret } = await approver.do("POST", "/api/v1/auth/factors/one-time-password", {});
      await page.goto("/console/inbox");
      await page.getByRole("link", { name: "Portal helper" }).click();
      page.on("request", (request) => {
        if (request.method() === "PATCH") sent += 1;
      });
      await page.getByRole("button", { name: "Approve", exact: true }).click();
      await page.getByRole("dialog").getByLabel("Reason").fill("Its purpose is clear.");
      await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
      const asked = page.getByRole("dialog", { name: "Prove that it is you" });
      await asked.getByText("You have no second factor here").waitFor();
      await expectAccessible(page);
      expect(await stateOf("Portal helper")).not.toBe("approved");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").getByText("was proven in the last 5 minutes").waitFor();
      const confirm = { code: codeOf(secret, living.clock.now()) };
      await approver.do("POST", "/api/v1/auth/factors/one-time-password/confirm", confirm);
      // The first factor has ended this sign-in.
      expectStatus(401);
      living.clock.advance(MINUTE);
      await page.reload();
      await page.getByLabel("E-mail address").fill(approver.username);
      await page.getByLabel("Password").fill(approver.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByLabel("Code").fill(codeOf(secret, living.clock.now()));
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
      living.clock.advance(6 * MINUTE);
      sent = 0;
      await keyboard.activate("button", "Approve");
      await page.getByRole("dialog").getByLabel("Reason").fill("Its purpose is clear.");
      await keyboard.activate("button", "Approve");
      await asked.getByLabel("Code").waitFor();
      await expectAccessible(page);
      await keyboard.fill("textbox", "Code", codeOf(secret, living.clock.now()));
      await keyboard.press("Enter");
      await page.getByText("This is decided").waitFor();
    });
    expect([await stateOf("Portal helper"), sent]).toEqual(["approved", 2]);
    const id = living.estate.assetIds.get("Portal helper");
    const { items } = await living.estate.staff.officer.do("GET", `/api/v1/ai/activity/${id}`);
    expect(items[0]).toMatchObject({ authid: approver.id, tostate: "approved" });
  });
});
