import {
  type Connector,
  CREDENTIAL_TYPES,
  type ObservedCredential,
  type Page,
  type PageRequest,
  walk,
} from "#connectors/index.js";
import { type AccessPrincipal, principalSubject } from "#families/access/index.js";
import { connectorCalls } from "#families/connectors/index.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { timestamp } from "#ports/clock.js";
import { z } from "#schema/z.js";
import type { DriftScanRun } from "../schema.js";

const PAGES = 10;
const PAGE_SIZE = 200;
/** Credentials of one principal that are kept. With more of them its listing is not whole. */
const MOST = 50;

const Text = z.string().min(1).max(500);
const Moment = z
  .date()
  .nullish()
  .transform((at) => (at ? timestamp(at.getTime()) : null));

const Listed = z.object({
  externalId: Text,
  type: z.enum(CREDENTIAL_TYPES),
  name: Text.nullish().transform((name) => name ?? null),
  createdAt: Moment,
  expiresAt: Moment,
});
/** A credential that a target lists. */
export type ListedCredential = z.output<typeof Listed>;

/** What a target lists of some principals. */
export interface ListedCredentials {
  of(principal: AccessPrincipal): readonly ListedCredential[];
  /** Nothing is missing. */
  readonly complete: boolean;
}

/** Lists the credentials of some principals. Rejects with `ConnectorError`. */
export async function listCredentials(
  { env, principal: { tenantId } }: Pick<OutsideContext, "env" | "principal">,
  { scanId }: DriftScanRun,
  instanceId: string,
  principals: readonly AccessPrincipal[],
): Promise<ListedCredentials> {
  const found = new Map<string, ListedCredential[]>(principals.map((one) => [principalSubject(one), []]));
  const asked = principals.map(({ displayName: _name, ...principal }) => principal);
  const read = (page: PageRequest) => {
    const call = { tenantId, instanceId, capability: "credentials", correlationId: scanId } as const;
    const idempotencyKey = `${scanId} ${[...found.keys()][0] ?? ""} ${page.cursor ?? ""}`;
    const list = (on: Connector, to: Parameters<NonNullable<Connector["listCredentials"]>>[0]) =>
      on.listCredentials?.(to, { principals: asked }, page) as Promise<Page<ObservedCredential>>;
    return env.use(connectorCalls).call({ ...call, idempotencyKey }, list);
  };
  let [complete, pages] = [false, 0];
  let isUsable = true;
  for await (const page of walk(read, { limit: PAGE_SIZE })) {
    for (const item of page.items) {
      const { data } = Listed.safeParse(item);
      const held = data && found.get(principalSubject(item.principal));
      if (held && held.length < MOST) held.push(data);
      else isUsable = false;
    }
    isUsable &&= page.rejected.length === 0;
    complete = page.complete;
    pages += 1;
    if (pages === PAGES) break;
  }
  return { of: (principal) => found.get(principalSubject(principal)) ?? [], complete: complete && isUsable };
}
