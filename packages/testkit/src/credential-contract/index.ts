export { countedHasher } from "./counted-hasher.js";
export { type CredentialContractOptions, describeCredentialContract } from "./suite.js";
