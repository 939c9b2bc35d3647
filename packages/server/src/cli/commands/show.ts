import type { Client } from "@reeve/client";
import { Failure } from "../../failure.js";
import type { ExitCode, Invocation } from "../command.js";
import { matterFacts } from "../decide/decide-review.js";
import type { Review } from "../decide/matter.js";
import { MATTERS } from "../decide/matters.js";
import { RECORDS } from "../operations.generated.js";
import { getPath } from "../remote/any-operation.js";
import { assetOf, isId } from "../remote/find-asset.js";
import { type RemoteOptions, withServer } from "../remote/server.js";
import { outlineOf } from "../view/outline.js";
import { factsOf } from "../view/table.js";

/** Shows a record by its id, or an asset by its name. A review is shown with what is decided about. */
export async function show(invocation: Invocation, word: string, options: RemoteOptions): Promise<ExitCode> {
  const { output } = invocation;
  await withServer(invocation, options, async ({ client }) => {
    const record = (isId(word) ? await recordOf(client, word) : await assetOf(client, word)) as object;
    if (!word.startsWith("rvw_")) return output.lines(record, outlineOf(record));
    const review = record as Review;
    const { subject, seen } = await MATTERS[review.kind](client, review);
    const matter = subject === undefined ? [] : ["", ...outlineOf(subject as object)];
    output.lines({ ...review, seen: seen ?? null, matter: subject ?? null }, [
      ...factsOf(matterFacts(review, seen)),
      ...review.comments.map(({ by, at, text }) => `${at} ${by}: ${text}`),
      ...matter,
    ]);
  });
  return 0;
}

/** The record of an id, whatever it is of. An asset has beside it whether it may be used. */
async function recordOf(client: Client, id: string): Promise<unknown> {
  const prefix = id.slice(0, id.indexOf("_"));
  const path = Object.hasOwn(RECORDS, prefix) ? RECORDS[prefix] : undefined;
  if (path === undefined) throw new Failure(`ids that begin with ${prefix}_ are not shown; see reeve call`);
  return (await getPath(client, `${path}/{id}`, { path: { id } })).data;
}
