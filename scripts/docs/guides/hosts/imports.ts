import { pageDatabase } from "../page-database.js";

export const placeholders = [await pageDatabase("bot_claims")] as const;
