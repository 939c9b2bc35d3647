/** A decoded message. Header names are in lower case. */
export interface MailContent {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Parses a message of one plain-text part, in 7bit, quoted-printable or base64. */
export function readMail(raw: string): MailContent {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const headers: Record<string, string> = {};
  for (const line of head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n")) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const text = decoded(rest.join("\r\n\r\n"), headers["content-transfer-encoding"]?.toLowerCase());
  return { headers, text: text.replaceAll("\r\n", "\n") };
}

function decoded(body: string, encoding: string | undefined): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return body;
  const bytes = body
    .replaceAll(/=\r\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
