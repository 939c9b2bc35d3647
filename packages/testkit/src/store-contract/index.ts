export { account, event, manyThings, setting, successor, thing, ticket } from "./builders.js";
export { unwatchable } from "./cases/watching.js";
export {
  type Account,
  accounts,
  type Setting,
  settings,
  type Thing,
  things,
  tickets,
} from "./collections.js";
export { describeStoreConcurrency, type StoreConcurrencyOptions, type StorePair } from "./concurrency.js";
export type { Skip, StoreUnderTest } from "./contract.js";
export { contractCollections } from "./contract-collections.js";
export { describeStoreContract, type StoreContractOptions } from "./suite.js";
