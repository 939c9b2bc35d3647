/** The tenant that holds what belongs to the platform itself: signing keys, kill switches, settings, the registry of tenants. */
export const PLATFORM_TENANT = "platform";

/** Subdomain of the tenant that the people who run the service belong to. Nobody can register it. */
export const PROVIDER_SUBDOMAIN = "provider";

/** How old a cached state may be when another process has changed it, in milliseconds. */
export const STATE_LIFETIME = 5_000;
