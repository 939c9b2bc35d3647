import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger, Mail, Mailer } from "@reeve/core";
import { createTransport } from "nodemailer";
import type { MailSetting } from "../settings/settings.js";
import { makeFolder } from "./make-folder.js";

/** Timeout of each step with the mail server, in ms. Reeve waits ten seconds in all. */
const STEP = 8_000;

/** A mailer over SMTP. */
export function smtpMailer({ url, from }: MailSetting): Mailer {
  const transport = transportOf(url);
  return {
    async send({ to, subject, text, html, headers: own }) {
      const headers = { "Auto-Submitted": "auto-generated", ...own };
      // Quoted-printable keeps a long link intact when mail programs reflow lines.
      await transport.sendMail({
        from,
        to,
        subject,
        text,
        ...(html ? { html } : {}),
        headers,
        textEncoding: "quoted-printable",
      });
    },
  };
}

/** Connects to the mail server and signs in, without sending. Rejects on failure. */
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
 * Stores mails as files for mail programs, readable by their owner only. For a developer's own machine. The log has
 * their paths, never their contents.
 */
export function filedMailer(directory: string, log: Logger): Mailer {
  return {
    async send(mail) {
      makeFolder(directory);
      const file = join(directory, `${new Date().toISOString().replaceAll(":", "-")}-${randomUUID().slice(0, 8)}.eml`);
      await writeFile(file, readable(mail), { mode: 0o600, flag: "wx" });
      log.info({ file }, "mail kept in a file, because SMTP_URL is not set");
    },
  };
}

/** The mail with its text unencoded and unwrapped, because codes and links are copied from the file. */
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
