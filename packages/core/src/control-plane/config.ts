import type { Connector } from "../connectors/connector.js";
import type { GivenOptions } from "../families/options.js";
import type { Clock } from "../ports/clock.js";
import type { Dns } from "../ports/dns.js";
import type { Egress } from "../ports/egress.js";
import type { IdSource } from "../ports/ids.js";
import type { MasterKey } from "../ports/key-encryption.js";
import type { Logger } from "../ports/logger.js";
import type { Mailer } from "../ports/mailer.js";
import type { McpConnector } from "../ports/mcp.js";
import type { OpenidEngine } from "../ports/openid.js";
import type { PasskeyEngine } from "../ports/passkeys.js";
import type { PasswordHasher } from "../ports/password-hasher.js";
import type { SamlEngine } from "../ports/saml.js";
import type { Tracer } from "../ports/tracer.js";
import type { Store } from "../store/store.js";

/** The parts of a control plane. All but the store, the master key and the base URL have a default. */
export interface ControlPlaneConfig extends GivenOptions {
  /** The store. The control plane migrates and closes it. */
  readonly store: Store;
  /**
   * 32 random bytes or their base64 text, several such keys by number, or a key management service. Secrets in the
   * store open only with it. Required; `undefined` has a type so that `process.env` may be passed, and is refused with a
   * message that says how to make one.
   */
  readonly masterKey: MasterKey | undefined;
  /** Public address without a trailing slash; the issuer of tokens and the base of links. */
  readonly baseUrl: string;
  /** The source of time; the system's clock when absent. */
  readonly clock?: Clock;
  /** Generates ids; ULIDs that rise with time when absent. */
  readonly ids?: IdSource;
  /**
   * Receives log records; when absent, warnings and errors go to standard error: lines on a terminal, JSON elsewhere.
   */
  readonly logger?: Logger;
  /** Hashes passwords; scrypt, two at a time, when absent. */
  readonly hasher?: PasswordHasher;
  /** Makes every outgoing call; when absent, a client that refuses all but public https targets and those of `egressAllow`. */
  readonly egress?: Egress;
  /** Sends codes, invitations and links. Without it, operations that need mail answer 501. */
  readonly mailer?: Mailer;
  /** Reads the TXT records that verify domains; when absent, from the name servers of `dnsServers` or of the system. */
  readonly dns?: Dns;
  /** Calls MCP servers, as `@reeve/mcp` does. Without it, probes and scans answer 501 and `tick` makes none. */
  readonly mcp?: McpConnector;
  /** The protocol of SAML 2.0, as `@reeve/saml` provides it. Without it, operations of sign-on answer 501. */
  readonly saml?: SamlEngine;
  /** Passkeys, as `@reeve/passkeys` provides them. Without them, people have one-time passwords only. */
  readonly passkeys?: PasskeyEngine;
  /**
   * Sign-in of browsers by OpenID providers, as `@reeve/openid` provides it. Each is one of `trustedIssuers`. Without it, the
   * console asks for a password.
   */
  readonly openid?: OpenidEngine;
  /** Connectors to other systems, as those of `@reeve/connectors`, each with a provider key of its own; none when absent. */
  readonly connectors?: readonly Connector[];
  /** For spans of operations, transactions and outgoing calls. */
  readonly tracer?: Tracer;
}
