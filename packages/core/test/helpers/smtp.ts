import { type MailServer, startMailServer } from "@reeve/testkit/mail";
import { createTransport } from "nodemailer";
import type { Mailer } from "../../src/index.js";

/** A real SMTP server, and a mailer for it that uses nodemailer. */
export async function mailGround(): Promise<{ server: MailServer; mailer: Mailer }> {
  const server = await startMailServer();
  const transport = createTransport({ url: server.url });
  return {
    server,
    mailer: {
      async send(mail) {
        await transport.sendMail({ ...mail, from: "reeve@reeve.example", textEncoding: "quoted-printable" });
      },
    },
  };
}
