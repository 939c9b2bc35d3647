import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerSession } from "smtp-server";
import { Arrivals } from "./arrivals.js";
import { type MailContent, readMail } from "./read-mail.js";

/** A message that the server accepted. */
export interface ReceivedMail extends MailContent {
  readonly from: string;
  readonly to: readonly string[];
}

/** How the server treats messages: accept them, refuse every recipient, stop answering, or close the connection. */
export type MailServerBehaviour = "accept" | "refuse" | "hang" | "drop";

/** A running SMTP server on 127.0.0.1. */
export interface MailServer {
  /** `smtp://user:password@127.0.0.1:port`. The server accepts only these credentials. */
  readonly url: string;
  /** All accepted messages, in order. */
  readonly mails: readonly ReceivedMail[];
  /** The `count`th message to this address (default 1), once it has arrived. */
  next(to: string, count?: number): Promise<ReceivedMail>;
  behave(behaviour: MailServerBehaviour): void;
  stop(): Promise<void>;
}

const USER = "reeve";
const PASSWORD = "mail-password";

/** Starts a real SMTP server for tests, without TLS, on a port of its own unless one is given. */
export async function startMailServer({ port: wanted = 0 }: { readonly port?: number } = {}): Promise<MailServer> {
  const arrivals = new Arrivals<ReceivedMail>();
  let behaviour: MailServerBehaviour = "accept";
  const server = new SMTPServer({
    authMethods: ["PLAIN"],
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    // In ms. 0 would mean the default of half a minute.
    closeTimeout: 1,
    onAuth({ username, password }, _session, callback) {
      if (username === USER && password === PASSWORD) callback(null, { user: USER });
      else callback(new Error("wrong user or password"));
    },
    onRcptTo(_address, _session, callback) {
      if (behaviour === "refuse") callback(Object.assign(new Error("no such mailbox"), { responseCode: 550 }));
      else callback();
    },
    async onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      if (behaviour === "hang") return;
      if (behaviour === "drop") return cut(server, session);
      const { mailFrom, rcptTo } = session.envelope;
      const raw = Buffer.concat(chunks).toString("utf8");
      const from = mailFrom === false ? "" : mailFrom.address;
      arrivals.add({ ...readMail(raw), from, to: rcptTo.map(({ address }) => address) });
      callback();
    },
  });
  server.on("error", () => {});
  const listening = server.listen(wanted, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  return {
    url: `smtp://${USER}:${PASSWORD}@127.0.0.1:${port}`,
    mails: arrivals.all,
    next: (to, count = 1) => arrivals.next((mail) => mail.to.includes(to), count),
    behave: (next) => {
      behaviour = next;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Closes the session's connection without an answer. */
function cut(server: SMTPServer, { id }: SMTPServerSession): void {
  for (const connection of server.connections) if (connection.id === id) connection._socket?.destroy();
}
