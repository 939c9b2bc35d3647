import type { components } from "../../api/client.js";
import { inbox } from "../../texts/en/inbox.js";

export type Review = components["schemas"]["Review"];

export const REVIEW_KINDS = Object.keys(inbox.kinds) as readonly Review["kind"][];
