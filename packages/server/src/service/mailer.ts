import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger, Mailer } from "@reeve/core";
import { createTransport } from "nodemailer";
import type { MailSetting } from "../settings/settings.js";

/** How long the mail server may take for each step, in ms. Reeve waits ten seconds in all. */
const STEP = 8_000;

/** Sends through an SMTP server. */
export function smtpMailer({ url, from }: MailSetting): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: STEP,
    greetingTimeout: STEP,
    socketTimeout: STEP,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text }) {
      const headers = { "Auto-Submitted": "auto-generated" };
      // Quoted-printable keeps a long link in one piece where mail readers reflow lines.
      await transport.sendMail({ from, to, subject, text, headers, textEncoding: "quoted-printable" });
    },
  };
}

/**
 * Keeps mails as files that mail programs open, readable by their owner alone, instead of sending them: for a developer's own
 * machine. The log says where, never what.
 */
export function filedMailer(directory: string, log: Logger): Mailer {
  const compose = createTransport({ streamTransport: true, buffer: true, newline: "unix" });
  return {
    async send({ to, subject, text }) {
      const { message } = await compose.sendMail({ from: "reeve@localhost", to, subject, text });
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const file = join(directory, `${new Date().toISOString().replaceAll(":", "-")}-${randomUUID().slice(0, 8)}.eml`);
      await writeFile(file, message as Buffer, { mode: 0o600, flag: "wx" });
      log.info({ file }, "mail kept in a file, because SMTP_URL is not set");
    },
  };
}
