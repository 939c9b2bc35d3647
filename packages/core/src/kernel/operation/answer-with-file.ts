import { Raw } from "../records/outcome.js";

/** Below this many bytes the headers cost as much as is saved. */
const WORTH = 1_024;

/** Files do not change, so each is compressed once, when somebody first asks for it. */
const compressed = new WeakMap<Uint8Array, Promise<Uint8Array>>();

interface File {
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** A file as an answer, compressed for whoever takes that. */
export async function answerWithFile(
  { contentType, body }: File,
  acceptEncoding: string | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<Raw> {
  if (body.length < WORTH) return new Raw(body, contentType, { headers });
  const varied = { ...headers, vary: "Accept-Encoding" };
  if (!takesGzip(acceptEncoding)) return new Raw(body, contentType, { headers: varied });
  return new Raw(await compressedOnce(body), contentType, { headers: { ...varied, "content-encoding": "gzip" } });
}

/** Whether a sender takes gzip, by its header. */
function takesGzip(acceptEncoding = ""): boolean {
  const codings = acceptEncoding.toLowerCase().split(",");
  return codings.some((coding) => /^\s*(?:x-)?gzip\s*(?:;(?!\s*q=0(?:\.0*)?\s*$)|$)/.test(coding));
}

function compressedOnce(body: Uint8Array): Promise<Uint8Array> {
  const known = compressed.get(body) ?? zip(body);
  compressed.set(body, known);
  // What failed once is tried again.
  known.catch(() => compressed.delete(body));
  return known;
}

async function zip(body: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([body]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
