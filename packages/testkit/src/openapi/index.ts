export { ApiDocument, type SentAnswer } from "./api-document.js";
export { publishedBy } from "./published.js";
export { schemaFaults } from "./schema-faults.js";
