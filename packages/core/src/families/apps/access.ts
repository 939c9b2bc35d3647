/** What operations require of those who use applications. */
export const MAY_USE = { permission: "app:use", capability: "identity_foundation" } as const;

/** What operations require of those who look after applications. */
export const may = (verb: "read" | "write" | "assign") =>
  ({ permission: `saml-app:${verb}`, capability: "identity_foundation" }) as const;
