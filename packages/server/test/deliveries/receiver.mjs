// A receiver in a process of its own, so that it can be killed at any moment: of webhooks, or of logs of OTLP. It writes
// each event down before it answers.
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const [kind = "", port, file = "", secret = ""] = process.argv.slice(2);

/**
 * The events of a message, as texts.
 * @type {Readonly<Record<string, (body: string, headers: Record<string, string>) => string[]>>}
 */
const EVENTS = {
  webhook(body, headers) {
    new Webhook(secret).verify(body, headers);
    return [/^\{"type":"[^"]+","timestamp":"[^"]+","data":(.*)\}$/s.exec(body)?.[1] ?? ""];
  },
  otlp(body) {
    /** @type {{ scopeLogs: { logRecords: { body: { stringValue: string } }[] }[] }[]} */
    const resources = JSON.parse(body).resourceLogs;
    const records = resources.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords));
    return records.map((record) => record.body.stringValue);
  },
};

const server = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts).toString();
  try {
    const texts = EVENTS[kind]?.(body, /** @type {Record<string, string>} */ (request.headers)) ?? [];
    appendFileSync(file, texts.map((text) => `${text}\n`).join(""));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  } catch (error) {
    process.stderr.write(`${error}\n`);
    response.writeHead(400).end();
  }
});
server.listen(Number(port), "127.0.0.1", () => process.stdout.write("ready\n"));
