/** Kinds of principals that access is granted to. */
export const PRINCIPAL_TYPES = ["agent", "service_account", "oauth_app", "user", "group"] as const;
export type PrincipalType = (typeof PRINCIPAL_TYPES)[number];

type JsonObject = Readonly<Record<string, unknown>>;

/** A thing of the target, by its type and the id that it keeps when it is renamed. */
export interface ExternalRef {
  readonly type: string;
  readonly externalId: string;
}

/** Where something was found, so that somebody can look. */
export interface Find {
  /** What was looked at, such as a repository or a path. */
  readonly location: string;
  /** The version that was looked at, such as a commit. */
  readonly revision?: string;
  /** Line of the find, from 1. */
  readonly line?: number;
}

/** An AI asset that the target knows of. */
export interface DiscoveredAsset {
  /** Id of the asset in the target. It stays the same when the asset is renamed. */
  readonly externalId: string;
  /** A type of asset, such as `agent`, `model`, `tool` or `mcp_server`. */
  readonly assetType: string;
  readonly name: string;
  readonly description?: string;
  /** Who provides it, such as the vendor of a model. */
  readonly provider?: string;
  readonly environment?: "development" | "test" | "staging" | "production";
  /** Address or account of whoever owns it, as the target names them. */
  readonly ownerHint?: string;
  readonly tags?: readonly string[];
  readonly metadata?: JsonObject;
  /** Fields of the typed record, such as `url` of an MCP server. */
  readonly record?: JsonObject;
  readonly found?: readonly Find[];
}

/** Something that access can be granted to. */
export interface ObservedResource extends ExternalRef {
  readonly name: string;
  readonly parent?: ExternalRef;
  readonly attributes?: JsonObject;
  /** Labels or topics of the target, at most 50. */
  readonly labels?: readonly string[];
  readonly sensitivity?: "low" | "medium" | "high" | "critical";
}

/** 0 for no access worth speaking of, 4 for administration of everything. */
export type PrivilegeLevel = 0 | 1 | 2 | 3 | 4;

/** A kind of access to a resource, or to each resource of a type. */
export interface ObservedProfile {
  readonly externalId: string;
  readonly resourceType: string;
  /** The one resource that it is for. Absent when it is for each of the type. */
  readonly resource?: ExternalRef;
  readonly name: string;
  readonly description?: string;
  readonly permissions: readonly string[];
  readonly privilegeLevel: PrivilegeLevel;
  /** A principal has at most one profile of a group on a resource. */
  readonly exclusionGroup?: string;
  /** Empty for what is seen and never granted, such as ownership. */
  readonly grantableTo: readonly PrincipalType[];
}

export interface Principal {
  readonly type: PrincipalType;
  readonly externalId: string;
  readonly displayName?: string;
}

/** The access that somebody is to have. */
export interface GrantSpec {
  /** The same for the same access. A grant with a key that was applied before is not applied again. */
  readonly grantKey: string;
  readonly resource: ExternalRef;
  readonly profileExternalId: string;
  readonly principal: Principal;
  readonly parameters: JsonObject;
  readonly notBefore?: Date;
  readonly expiresAt?: Date | null;
}

/** Access that the target says somebody has. */
export interface ObservedGrant {
  readonly externalGrantId?: string;
  readonly resource: ExternalRef;
  readonly profileExternalId: string;
  readonly principal: Principal;
  readonly parameters?: JsonObject;
  readonly permissions?: readonly string[];
  readonly expiresAt?: Date | null;
  /** `inherited` access comes from elsewhere, such as a group, and cannot be revoked here. */
  readonly source: "direct" | "inherited";
  /** The target does not let it be revoked. */
  readonly immutable?: boolean;
  readonly lastUsedAt?: Date | null;
}

/** What came of a write. */
export type ApplyResult =
  | {
      readonly outcome: "applied" | "already_applied";
      readonly grant?: ObservedGrant;
      /** Profiles that the target took away for this one. */
      readonly replaced?: readonly string[];
    }
  | {
      /** The target, or somebody there, does it later. `pollOperation` tells. */
      readonly outcome: "accepted";
      readonly externalOpRef: string;
      readonly pollAfterSeconds: number;
    }
  | {
      /** The target said no on purpose. It is not tried again. */
      readonly outcome: "declined";
      readonly reason: string;
    };

export interface VerifyResult {
  /** `unknown`: the target has answered, and does not tell. */
  readonly presence: "present" | "absent" | "mismatch" | "unknown";
  readonly observed?: ObservedGrant;
  /** The target itself was asked, and not a copy that lags behind. */
  readonly authoritative: boolean;
}

/** Kinds of credentials that principals sign in with. */
export const CREDENTIAL_TYPES = ["password", "key", "token", "certificate", "other"] as const;
export type CredentialType = (typeof CREDENTIAL_TYPES)[number];

/** A credential that a principal can sign in with, without its secret. */
export interface ObservedCredential {
  /** Id in the target or fingerprint. It is the same as long as the credential is, and never a secret. */
  readonly externalId: string;
  readonly principal: Principal;
  readonly type: CredentialType;
  readonly name?: string;
  readonly createdAt?: Date | null;
  readonly expiresAt?: Date | null;
}

/** One use of access, or several of one kind. */
export interface UsageEvent {
  readonly externalEventId: string;
  readonly at: Date;
  readonly principal: Principal;
  readonly resource?: ExternalRef;
  readonly profileExternalId?: string;
  readonly action: string;
  readonly count?: number;
}
