import { guardedEgress } from "../egress/guarded-egress.js";
import { resolverDns } from "../egress/resolver-dns.js";
import { tracedEgress } from "../egress/traced-egress.js";
import { bindOwnConnectors } from "../families/connectors/index.js";
import { identities } from "../families/estate/index.js";
import { users } from "../families/identity/index.js";
import { builtInRoles, collections, extensions, families, followers, operations } from "../families/index.js";
import { type Options, providedOptions, resolveOptions } from "../families/options.js";
import { CAPABILITIES } from "../families/platform/index.js";
import { TAG_DESCRIPTIONS } from "../families/tags.js";
import { inTime } from "../kernel/async/in-time.js";
import { scryptHasher } from "../kernel/async/scrypt-hasher.js";
import { createEnvironment, type Environment, type Provided, provided } from "../kernel/config/environment.js";
import { composeExtensions, partsOf } from "../kernel/config/extension.js";
import type { Principal } from "../kernel/config/principal.js";
import { scrubbingLogger } from "../kernel/http/scrub.js";
import { composeDues, dueRules } from "../kernel/operation/dues.js";
import { composeFollowers, followersOf } from "../kernel/operation/followers.js";
import { declaredReaders, type EventReaders, eventReaders, eventReadersOf } from "../kernel/operation/shown-events.js";
import { sidedCollections } from "../kernel/operation/sides.js";
import { composeTable, tableOf } from "../kernel/operation/table.js";
import { principalPath } from "../kernel/pipeline/denial.js";
import { systemClock } from "../ports/clock.js";
import { ulidSource } from "../ports/ids.js";
import { type KeyEncryption, keyEncryption, type MasterKey } from "../ports/key-encryption.js";
import { stderrLogger } from "../ports/logger.js";
import { ofOpaqueStrings } from "../ports/opaque-string.js";
import { type LateSecretBox, lateSecretBox } from "../ports/secret-box.js";
import type { ControlPlaneConfig } from "./config.js";
import { checkOptions } from "./options/check-options.js";

/** The environment of a configuration, with its secret box, which is filled once the store is ready. */
export function environmentOf(config: ControlPlaneConfig): { env: Environment; secretBox: LateSecretBox } {
  checkOptions(config as unknown as Readonly<Record<string, unknown>>);
  const {
    store,
    masterKey,
    clock = systemClock,
    ids = ulidSource(),
    logger = stderrLogger,
    hasher = scryptHasher(),
    egress,
    mailer,
    dns,
    mcp,
    saml,
    passkeys,
    openid,
    connectors = [],
    tracer,
    ...given
  } = config;
  const options = resolveOptions(given);
  const secretBox = lateSecretBox();
  const outgoing = egress ?? guardedEgress({ allow: options.egressAllow });
  const parts = {
    store,
    clock,
    ids,
    logger: scrubbingLogger(logger),
    hasher: ofOpaqueStrings(hasher),
    keyEncryption: answeringKeys(keyEncryption(masterKey as MasterKey), options.hostCallTimeoutMs),
    secretBox,
    egress: tracer ? tracedEgress(outgoing, tracer) : outgoing,
    mailer,
    mcp,
    saml,
    passkeys,
    openid,
    connectors: new Map(connectors.map((connector) => [connector.manifest.providerKey, connector])),
    tracer,
    dns: dns ?? resolverDns({ servers: options.dnsServers }),
    options,
    humanOnly: builtInRoles.humanOnly,
  };
  const env = createEnvironment(parts, composedParts(options));
  bindOwnConnectors(env);
  return { env, secretBox };
}

/** The same keys, whose service must answer in time. */
function answeringKeys(keys: KeyEncryption, ms: number): KeyEncryption {
  return {
    get current() {
      return keys.current;
    },
    wrap: (...given) => inTime(ms, () => keys.wrap(...given)),
    unwrap: (...given) => inTime(ms, () => keys.unwrap(...given)),
  };
}

function pathOfPrincipal({ kind, userId }: Principal): string {
  const { resource } = kind === "client" ? identities : users;
  return `${resource?.path}/${userId}`;
}

/** Who sees the data of events, by the kind of their subject. */
export const EVENT_READERS: EventReaders = eventReadersOf(
  collections,
  operations,
  partsOf(extensions, declaredReaders),
);

const SIDED = collections.filter(({ otherSide }) => otherSide);

/** What the areas add to an environment: operation table, options and extensions. */
export function composedParts(options: Options): Provided[] {
  const table = composeTable({ operations, collections, tags: TAG_DESCRIPTIONS, capabilities: CAPABILITIES }, options);
  return [
    provided(tableOf, table),
    provided(eventReaders, EVENT_READERS),
    provided(sidedCollections, SIDED),
    provided(followersOf, composeFollowers(followers)),
    provided(dueRules, composeDues(families, collections)),
    provided(principalPath, pathOfPrincipal),
    providedOptions(options),
    ...composeExtensions(extensions),
  ];
}
