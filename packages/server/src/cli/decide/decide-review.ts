import { createInterface } from "node:readline/promises";
import { Failure } from "../../failure.js";
import type { ExitCode, Invocation } from "../command.js";
import { type RemoteOptions, withServer } from "../remote/server.js";
import { factsOf } from "../view/table.js";
import type { Review, Said } from "./matter.js";
import { MATTERS } from "./matters.js";

export interface DecisionOptions extends RemoteOptions, Said {
  readonly seen?: string;
  readonly yes?: boolean;
}

/** Approves or rejects what waits in a review. On a terminal it shows the matter and asks first. */
export async function decideReview(
  invocation: Invocation,
  decision: "approve" | "reject",
  id: string,
  options: DecisionOptions,
): Promise<ExitCode> {
  const { output } = invocation;
  await withServer(invocation, options, async ({ client }) => {
    const { data: review } = await client.GET("/api/v1/reviews/{id}", { params: { path: { id } } });
    const { seen, [decision]: act } = await MATTERS[review.kind](client, review);
    if (options.seen !== undefined && seen === undefined)
      throw new Failure(`a decision about ${review.kind} names no version; leave out --seen`);
    if (options.seen !== undefined && options.seen !== seen)
      throw new Failure(`it has changed since: you saw ${options.seen}, and it is ${seen} now; see reeve show ${id}`);
    output.print(...factsOf(matterFacts(review, seen)));
    if (!options.yes && !output.isJson && process.stdin.isTTY && !(await agreed(`${decision}? [y/N] `)))
      throw new Failure("not decided");
    if (typeof act === "string") throw new Failure(act);
    const { data } = await act(options);
    output.result(
      { reviewId: id, kind: review.kind, decision, subject: review.subject, outcome: data ?? null },
      `${decision === "approve" ? "approved" : "rejected"}: "${review.name}"`,
    );
  });
  return 0;
}

/** What is shown of a matter before it is decided. */
export function matterFacts(review: Review, seen: string | undefined) {
  const { name, kind, subject, requestedBy, dueAt, assetId } = review;
  return { about: name, kind, record: subject.id, asset: assetId, "asked by": requestedBy, due: dueAt, seen };
}

async function agreed(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(question)).trim());
  } finally {
    lines.close();
  }
}
