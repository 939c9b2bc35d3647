import type { PlatformReader, Reader, Store, StoreStatus } from "#store/store.js";

/** The reading side of the store, for everything outside the kernel. Writes go through a context. */
export interface ReadStore {
  readonly platform: PlatformReader;
  readonly console: Store["console"];
  /** Reads for what is only shown, that may be behind by a bounded time; see `Store`. */
  readonly replica: Store["replica"];
  forTenant(tenantId: string): Reader;
  status(): Promise<StoreStatus>;
}

export function readStore(store: Store): ReadStore {
  return {
    get platform() {
      return store.platform;
    },
    get console() {
      return store.console;
    },
    get replica() {
      return store.replica;
    },
    forTenant: (tenantId) => store.forTenant(tenantId),
    status: () => store.status(),
  };
}
