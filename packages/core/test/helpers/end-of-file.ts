import { afterAll } from "vitest";
import { endWitness } from "./store-witness.js";
import { undoLasting } from "./undo.js";

// A worker imports each module once for all its files, so the module cannot register a hook per file itself.
afterAll(undoLasting);
afterAll(endWitness);
