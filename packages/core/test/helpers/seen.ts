import type { Answer, Sending, World } from "@reeve/testkit";

/** Sends a decision about a record, with the version that a read has just shown. */
export async function sendAsSeen(
  { send }: Pick<World, "send">,
  method: string,
  path: string,
  sending: Sending,
): Promise<Answer> {
  const record = path.replace(/\/(?:approve|review-actions)$/, "");
  const { headers } = await send("GET", record, sending.token === undefined ? {} : { token: sending.token });
  return send(method, path, { ...sending, headers: { ...sending.headers, "if-match": headers.etag } });
}
