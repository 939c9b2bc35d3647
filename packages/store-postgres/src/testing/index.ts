// What tests of the workspace need. It is not published.
export type { Connections } from "../own-pool.js";
export { createStoreOnConnections } from "../store.js";
