import type { Connector, ExternalRef, GrantSpec, Principal, PrincipalQuery, ToolCall } from "@reeve/core/connectors";

/** Where a target listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** One access that somebody has in the target. */
export interface Access {
  readonly resource: ExternalRef;
  readonly profileExternalId: string;
  readonly principal: Pick<Principal, "type" | "externalId">;
  /** For a target that ends access by itself. */
  readonly expiresAt?: Date | null;
}

/** What is in the target. A part is absent when the connector does not list it. */
export interface Truth {
  /** External ids of assets. */
  readonly assets?: readonly string[];
  /** External ids of resources by type. */
  readonly resources?: Readonly<Record<string, readonly string[]>>;
  /** Access that somebody has directly. */
  readonly access?: readonly Access[];
  /** External ids of the credentials of the principals that the target names. */
  readonly credentials?: readonly string[];
}

/** Grants to try. Needed by connectors that grant. */
export interface AccessToTry {
  /** Two grants that are valid and not there after a reset, of one resource and two principals. */
  readonly wanted: readonly [GrantSpec, GrantSpec];
  /** What the first is changed to. Needed by connectors that modify. */
  readonly changed?: GrantSpec;
  /** A grant on a resource that is not there. */
  readonly nowhere: GrantSpec;
  /** Access of somebody else on the resource of `wanted`, there after a reset. */
  readonly foreign: Access;
  /** Gives somebody else access to that resource by other means than the connector. Returns the access. */
  interfere(): Promise<Access>;
  /** Has the target show nobody's access, and take changes of it all the same, until it is reset. */
  hide?(): Promise<void>;
}

/** Principals to look for. Needed by connectors that find principals. */
export interface PrincipalsToTry {
  /** One that is there, by its name. */
  readonly there: PrincipalQuery;
  /** Its id, and its name as the target shows it. */
  readonly found: { readonly externalId: string; readonly displayName: string };
  /** A name that nobody has, by which the one that is there may be meant. */
  readonly missing: string;
}

/** A real counterparty, and how to look at it by other means than the connector. */
export interface ConformanceTarget {
  /** Where it listens by TCP. The suite connects through a relay that delays, cuts and counts. */
  readonly address: Address;
  /** A valid configuration that reaches the target at an address. */
  config(address: Address): Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, string>>;
  /** Valid in form, and refused by the target. Needed when the connector has secrets. */
  readonly wrongSecrets?: Readonly<Record<string, string>>;
  /** Other hosts and networks that the connector needs, as in `egressAllow`. */
  readonly allow?: readonly string[];
  /** Puts the target into the state in which each case begins. */
  reset(): Promise<void>;
  /** What is there, read by other means than the connector. */
  observe(): Promise<Truth>;
  /** Renames something that the connector lists. */
  rename?(): Promise<void>;
  /** The connector as another process would load it; the same object when absent. */
  reload?(): Promise<Connector>;
  readonly access?: AccessToTry;
  readonly principals?: PrincipalsToTry;
  /** A time in which access was used. Needed by connectors that list usage. */
  readonly usage?: { readonly since: Date; readonly until: Date };
  /** Two principals with credentials. Needed by connectors that list credentials. */
  readonly credentials?: { readonly principals: readonly [Principal, Principal] };
  /** Calls that succeed. Needed by connectors with tools. */
  readonly tools?: readonly ToolCall[];
  /** Needed by connectors that end sessions. `open` opens one and returns how many there are. */
  readonly sessions?: { readonly principal: Principal; open(): Promise<number> };
  close(): Promise<void>;
}
