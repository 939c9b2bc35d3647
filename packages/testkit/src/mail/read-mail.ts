/** A decoded message. Header names are in lower case. */
export interface MailContent {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The same as HTML; empty where the message has no such part. */
  readonly html: string;
}

/** Parses a message of one plain-text part, or of that and one as HTML, in 7bit, quoted-printable or base64. */
export function readMail(raw: string): MailContent {
  const { headers, body } = parted(raw);
  const boundary = /^multipart\/alternative;.*boundary="?([^";]+)"?/i.exec(headers["content-type"] ?? "")?.[1];
  if (boundary === undefined) return { headers, text: textOf(headers, body), html: "" };
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => parted(part.replace(/^\r\n/, "").replace(/\r\n$/, "")));
  const of = (type: string) => parts.find((part) => part.headers["content-type"]?.startsWith(type));
  const [plain, html] = [of("text/plain"), of("text/html")];
  return {
    headers,
    text: plain ? textOf(plain.headers, plain.body) : "",
    html: html ? textOf(html.headers, html.body) : "",
  };
}

/** The headers of a message or of a part, and what follows them. */
function parted(raw: string) {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const headers: Record<string, string> = {};
  for (const line of head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n")) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return { headers, body: rest.join("\r\n\r\n") };
}

const textOf = (headers: Readonly<Record<string, string>>, body: string): string =>
  decoded(body, headers["content-transfer-encoding"]?.toLowerCase()).replaceAll("\r\n", "\n");

function decoded(body: string, encoding: string | undefined): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return body;
  const bytes = body
    .replaceAll(/=\r\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
