import { freePort } from "@reeve/testkit/postgres";

const PORT = String(await freePort());
export const env = { PORT, BASE: `http://127.0.0.1:${PORT}` };
