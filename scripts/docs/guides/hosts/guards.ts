/** What a machine identity was given. */
export const clientId = "idn_01K";
export const clientSecret = "reeve_cs_secret";
