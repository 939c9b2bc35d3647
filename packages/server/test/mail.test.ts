import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { codeIn, linkTokenIn } from "@reeve/testkit";
import { startMailServer } from "@reeve/testkit/mail";
import { freePort } from "@reeve/testkit/postgres";
import { expect, it, onTestFinished } from "vitest";
import { ServerProcess } from "./server-process.js";

const EMAIL = "ada@acme.example";
const GUEST = "grace@acme.example";
const PASSWORD = "violet tram at noon";

async function start(settings: Record<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), "reeve-standalone-mail-"));
  const PORT = String(await freePort());
  const server = ServerProcess.spawn(directory, { REEVE_REGISTRATION: "verified_email", ...settings, PORT });
  onTestFinished(async () => {
    server.child.kill("SIGKILL");
    await server.ended;
    rmSync(directory, { recursive: true, force: true });
  });
  await server.ready();
  const post = async (path: string, body: unknown, token?: string) => {
    const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const url = `http://127.0.0.1:${PORT}/api/v1${path}`;
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    return { status: response.status, body: (await response.json()) as any };
  };
  return { server, post, directory };
}

it("registers and invites through the mail server it is given, and logs no secret", async () => {
  const mail = await startMailServer();
  onTestFinished(() => mail.stop());
  const { server, post } = await start({ SMTP_URL: mail.url, MAIL_FROM: "Reeve <reeve@acme.example>" });

  expect((await post("/email/send-otp", { email: EMAIL })).status).toBe(200);
  const code = await mail.next(EMAIL);
  expect(code).toMatchObject({ from: "reeve@acme.example", headers: { "auto-submitted": "auto-generated" } });
  const proven = await post("/email/verify-otp", { email: EMAIL, otp: codeIn(code) });
  const { verificationToken } = proven.body;
  const account = { username: EMAIL, password: PASSWORD };
  expect((await post("/register", { organization: "Acme", ...account })).body.code).toBe("invalid_otp");
  expect((await post("/register", { organization: "Acme", ...account, verificationToken })).status).toBe(201);

  const { token } = (await post("/auth/signin", account)).body;
  expect((await post("/users", { username: GUEST, roles: ["approver"] }, token)).body.status).toBe("invited");
  const link = linkTokenIn(await mail.next(GUEST));
  expect((await post("/auth/set-password", { token: link, newPassword: PASSWORD })).body.username).toBe(GUEST);
  expect((await post("/auth/signin", { username: GUEST, password: PASSWORD })).status).toBe(200);

  expect(await server.stop("SIGTERM")).toBe(0);
  const output = server.output + server.errors;
  for (const secret of [codeIn(code), verificationToken, link, token, PASSWORD, "mail-password"])
    expect(output).not.toContain(secret);
});

it("keeps mails as files on a developer's own machine, and logs nothing of them but where", async () => {
  const { server, post, directory } = await start({});
  expect((await post("/email/send-otp", { email: EMAIL })).status).toBe(200);
  const kept = () => server.records.find(({ file }) => typeof file === "string") as { file: string } | undefined;
  while (!kept()) await once(server.child.stdout as Readable, "data");
  const file = resolve(directory, (kept() as { file: string }).file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, "utf8");
  expect(text).toContain(`To: ${EMAIL}`);
  expect((await post("/email/verify-otp", { email: EMAIL, otp: codeIn({ text }) })).status).toBe(200);
  expect(server.output).not.toContain(codeIn({ text }));
  expect(text).toContain("\nContent-Transfer-Encoding: 8bit\n");
});
