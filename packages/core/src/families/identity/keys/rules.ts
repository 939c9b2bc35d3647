/** Tolerated clock skew, in seconds. */
export const TOKEN_LEEWAY = 60;

/** The longest lifetime of an access token, in seconds. */
export const MAX_TOKEN_LIFE = 86_400;
