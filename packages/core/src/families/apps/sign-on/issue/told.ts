import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { type NameIdFormat, type SamlAttribute, SamlError } from "../../../../ports/saml.js";
import { samlInvalid } from "../../saml-apps/register/engine.js";
import type { SamlApp } from "../../saml-apps/schema.js";
import { attributesFor, formatFor, nameFor, type SignOnSubject } from "./subject.js";

/** What of a request of an application decides what it is told. */
export interface Asked {
  readonly acsUrl: string | null;
  readonly nameIdFormat: NameIdFormat | null;
}

/** What an application is told of somebody, and how, apart from ids and times. */
export interface Told {
  readonly signed: "assertion" | "response";
  readonly encryptFor: string | null;
  readonly entityId: string;
  readonly acsUrl: string;
  readonly nameId: string;
  readonly nameIdFormat: NameIdFormat;
  readonly attributes: readonly SamlAttribute[];
}

/** Where a response to a request goes. 400 where the application does not have that address, or no more. */
export function recipientOf({ acsUrls }: Pick<SamlApp, "acsUrls">, asked: Pick<Asked, "acsUrl"> | null): string {
  const acsUrl = asked?.acsUrl ?? (acsUrls[0] as string);
  if (!acsUrls.includes(acsUrl)) throw samlInvalid(new SamlError("recipient_mismatch"));
  return acsUrl;
}

/** What an application is told of a subject now. 400 where it asks for an address or a name that it does not have. */
export function toldOf(ctx: ReadContext, app: SamlApp, subject: SignOnSubject, asked: Asked | null): Told {
  const acsUrl = recipientOf(app, asked);
  const nameIdFormat = formatFor(app, asked?.nameIdFormat ?? null);
  return {
    signed: app.signedResponse ? "response" : "assertion",
    encryptFor: app.encrypted ? (app.encryptionCertificate?.certificate ?? null) : null,
    entityId: app.entityId,
    acsUrl,
    nameId: nameFor(ctx, app, subject, nameIdFormat),
    nameIdFormat,
    attributes: attributesFor(app, subject),
  };
}

/** Whether an application would be told the same. A name for once is another each time. */
export function isSame(one: Told, other: Told): boolean {
  const textOf = (told: Told) => JSON.stringify(told.nameIdFormat === "transient" ? { ...told, nameId: null } : told);
  return textOf(one) === textOf(other);
}
