import { sha256 } from "../../../kernel/chain.js";
import { canonical } from "../../../kernel/events.js";
import type { Action, Ask } from "./request.js";

/** What an approval is bound to: SHA-256 of subject, action and resource in canonical form; absent properties are empty ones. */
export function actionDigestOf(ask: Action): string {
  return sha256(canonical(plain(ask)));
}

/** What was asked, circumstances included, for a log that does not hold it. */
export function inputDigestOf(ask: Ask): string {
  return sha256(canonical({ ...plain(ask), context: ask.context }));
}

function plain({ subject, action, resource }: Action): object {
  return { subject: filled(subject), action: filled(action), resource: filled(resource) };
}

function filled<P extends { readonly properties?: Readonly<Record<string, unknown>> | undefined }>(part: P) {
  return { ...part, properties: part.properties ?? {} };
}
