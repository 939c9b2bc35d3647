import type { Logger, Mailer } from "@reeve/core";
import { createTransport } from "nodemailer";
import type { MailSetting } from "./settings.js";

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

/** Writes mails to the log, codes and links included: for a developer's own machine and nowhere else. */
export function loggedMailer(log: Logger): Mailer {
  return {
    async send({ to, subject, text }) {
      log.info({ to, subject, text }, "mail, not sent because SMTP_URL is not set");
    },
  };
}
