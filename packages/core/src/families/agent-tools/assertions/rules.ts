/** The connector whose grants let agents get assertions. */
export const PROVIDER = "identity-assertions";
/** The type of its resources, which are known by the ids of their assets. */
export const SERVER = "mcp_server";
/** The one kind of access to a server without scopes. */
export const CONNECT = "connect";
const SCOPE = "scope:";

export const profileOf = (scope: string): string => `${SCOPE}${scope}`;

/** The scopes that a kind of access opens. */
export const scopesIn = (profile: string): readonly string[] =>
  profile.startsWith(SCOPE) ? [profile.slice(SCOPE.length)] : [];

/** How long an assertion lasts at most, in seconds. */
export const LIFETIME = 300;

/** Whether two texts are spellings of one URL. */
export const isSameUrl = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
