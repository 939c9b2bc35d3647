import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import { SamlError } from "#ports/saml.js";
import { engineOf } from "../../engine/use-engine.js";
import { samlKeyRing } from "../../keys/key-ring.js";
import { issuerOf } from "../../saml-apps/assertion/issuer.js";
import { samlApps } from "../../saml-apps/schema.js";
import type { SamlSession } from "../schema.js";
import { endpointOf } from "./notice-for.js";

const BYTES = 65_536;
/** Shorter than the lease of a session. */
const TIMEOUT = 10_000;
const HEADERS = {
  "content-type": "text/xml; charset=utf-8",
  soapaction: '"http://www.oasis-open.org/committees/security"',
} as const;

/** Tells the application of a session that it is over. Returns why it could not be told, or does not say that it is. */
export async function askToLogOut(
  env: Environment,
  tenantId: string,
  session: SamlSession,
): Promise<string | undefined> {
  try {
    return await asked(env, tenantId, session);
  } catch (error) {
    if (SamlError.is(error)) return error.refusal;
    if (ReeveError.is(error)) return error.code;
    env.logger.warn({ tenantId, session: session.id, error: String(error) }, "a logout could not be sent");
    return "internal";
  }
}

async function asked(env: Environment, tenantId: string, session: SamlSession): Promise<string | undefined> {
  // An address or certificate that was mended since counts at once.
  const row = await env.store.forTenant(tenantId).get(samlApps, session.appId);
  const endpoint = (row && endpointOf(row.value)) ?? session.endpoint;
  if (!endpoint) return "not_configured";
  const { url, entityId, certificates } = endpoint;
  const engine = engineOf(env);
  const now = env.clock.now();
  const id = `_samr_${env.ids.next(now)}`;
  const { signer } = await env.use(samlKeyRing).of(tenantId);
  const { nameId, nameIdFormat, sessionIndex } = session;
  const draft = { issuer: issuerOf(env, tenantId), signer, id, now, destination: url };
  const body = await engine.writeSoapLogout(draft, { nameId, nameIdFormat, sessionIndex });
  const answer = await env.egress.request({
    url,
    method: "POST",
    headers: HEADERS,
    body,
    timeoutMs: TIMEOUT,
    maxBytes: BYTES,
  });
  if (answer.status !== 200) return `status_${answer.status}`;
  const expected = { entityId, certificates, now: env.clock.now(), inResponseTo: id };
  const { success } = await engine.readSoapLogout(answer.body, expected);
  return success ? undefined : "status_failed";
}
