import type { ReadContext } from "#kernel/operation/read-context.js";
import { type NameIdFormat, type SamlAttribute, SamlError } from "#ports/saml.js";
import { samlInvalid } from "../../engine/use-engine.js";
import type { SamlApp } from "../schema.js";
import { attributesFor, formatFor, nameFor, type SignOnSubject } from "./subject.js";

/** What of a request of an application decides what it is told. */
export interface Asked {
  readonly acsUrl: string | null;
  readonly acsIndex: number | null;
  readonly nameIdFormat: NameIdFormat | null;
  /** Whom it is about; `null` for whoever is there. */
  readonly subject: string | null;
}

/** What an application is told of somebody, and how, apart from ids and times. */
export interface AssertionContent {
  readonly signed: "assertion" | "response";
  readonly encryptFor: string | null;
  readonly entityId: string;
  readonly acsUrl: string;
  readonly nameId: string;
  readonly nameIdFormat: NameIdFormat;
  readonly attributes: readonly SamlAttribute[];
}

/**
 * Where a response to a request goes. 400 where the application does not have that address, or no more. An index that is not
 * known is no doubt where there is only one address.
 */
export function recipientOf(
  { acsUrls, acsIndexes }: Pick<SamlApp, "acsIndexes" | "acsUrls">,
  asked: Pick<Asked, "acsIndex" | "acsUrl"> | null,
): string {
  const { acsUrl = null, acsIndex = null } = asked ?? {};
  const isDefault = acsUrl === null && (acsIndex === null || acsUrls.length === 1);
  const named = isDefault ? acsUrls[0] : (acsUrl ?? acsIndexes[String(acsIndex)]);
  if (named === undefined || !acsUrls.includes(named)) throw samlInvalid(new SamlError("recipient_mismatch"));
  return named;
}

/** What an application is told of a subject now. 400 where it asks for an address or a name that it does not have. */
export function contentOf(
  ctx: ReadContext,
  app: SamlApp,
  subject: SignOnSubject,
  asked: Asked | null,
): AssertionContent {
  const acsUrl = recipientOf(app, asked);
  const nameIdFormat = formatFor(app, asked?.nameIdFormat ?? null);
  const nameId = nameFor(ctx, app, subject, nameIdFormat);
  requireSubject(asked, nameId);
  return {
    signed: app.signedResponse ? "response" : "assertion",
    encryptFor: app.encrypted ? (app.encryptionCertificate?.certificate ?? null) : null,
    entityId: app.entityId,
    acsUrl,
    nameId,
    nameIdFormat,
    attributes: attributesFor(app, subject),
  };
}

/**
 * 400 where a request is about somebody else. It is compared with the name that the application is told, and no other, so that
 * it learns nothing more by asking.
 */
function requireSubject(asked: Pick<Asked, "subject"> | null, nameId: string): void {
  const wanted = asked?.subject ?? null;
  if (wanted !== null && wanted.toLowerCase() !== nameId.toLowerCase())
    throw samlInvalid(new SamlError("subject_mismatch"));
}

/** Whether an application would be told the same. A name for once is another each time. */
export function isSame(one: AssertionContent, other: AssertionContent): boolean {
  const textOf = (reported: AssertionContent) =>
    JSON.stringify(reported.nameIdFormat === "transient" ? { ...reported, nameId: null } : reported);
  return textOf(one) === textOf(other);
}
