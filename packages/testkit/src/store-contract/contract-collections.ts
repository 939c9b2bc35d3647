import { accounts, settings, things, tickets } from "./collections.js";
import { parcels } from "./shapes.js";

/** The collections of the contract. Pass them to a store under test before `migrate`. */
export const contractCollections = [things, accounts, settings, tickets, parcels] as const;
