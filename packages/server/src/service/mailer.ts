import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger, Mail, Mailer } from "@reeve/core";
import { createTransport } from "nodemailer";
import type { MailSetting } from "../settings/settings.js";

/** How long the mail server may take for each step, in ms. Reeve waits ten seconds in all. */
const STEP = 8_000;

/** Sends through an SMTP server. */
export function smtpMailer({ url, from }: MailSetting): Mailer {
  const transport = transportOf(url);
  return {
    async send({ to, subject, text }) {
      const headers = { "Auto-Submitted": "auto-generated" };
      // Quoted-printable keeps a long link in one piece where mail readers reflow lines.
      await transport.sendMail({ from, to, subject, text, headers, textEncoding: "quoted-printable" });
    },
  };
}

/** Greets the mail server and signs in, without sending anything. Rejects when it cannot be done. */
export async function verifyMailServer({ url }: MailSetting): Promise<void> {
  const transport = transportOf(url);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

function transportOf(url: string) {
  return createTransport({
    url,
    connectionTimeout: STEP,
    greetingTimeout: STEP,
    socketTimeout: STEP,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/**
 * Keeps mails as files that mail programs open, readable by their owner alone, instead of sending them: for a developer's own
 * machine. The log says where, never what.
 */
export function filedMailer(directory: string, log: Logger): Mailer {
  return {
    async send(mail) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const file = join(directory, `${new Date().toISOString().replaceAll(":", "-")}-${randomUUID().slice(0, 8)}.eml`);
      await writeFile(file, readable(mail), { mode: 0o600, flag: "wx" });
      log.info({ file }, "mail kept in a file, because SMTP_URL is not set");
    },
  };
}

/** The mail with its text as it is: codes and links are copied from the file, so no line of it may be encoded or broken. */
function readable({ to, subject, text }: Mail): string {
  const line = (value: string) => value.replaceAll(/\p{Cc}+/gu, " ");
  const headers = {
    From: "reeve@localhost",
    To: line(to),
    Subject: line(subject),
    Date: new Date().toUTCString().replace("GMT", "+0000"),
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Transfer-Encoding": "8bit",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${lines.join("\n")}\n\n${text}\n`;
}
