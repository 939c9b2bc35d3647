/** The tenant for data of the platform itself: signing keys, kill switches, settings, the registry of tenants. */
export const PLATFORM_TENANT = "platform";

/** Subdomain of the provider's own tenant. Nobody can register it. */
export const PROVIDER_SUBDOMAIN = "provider";

/** The greatest age of a cached state that another process has changed, in milliseconds. */
export const STATE_LIFETIME = 5_000;
