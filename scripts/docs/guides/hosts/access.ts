import { pageDatabase } from "../page-database.js";

export const placeholders = [await pageDatabase("svc_invoices")] as const;
