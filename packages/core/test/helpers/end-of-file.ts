import { afterAll } from "vitest";
import { undoLasting } from "./undo.js";

// A worker imports each module once for all its files, so the module cannot register a hook per file itself.
afterAll(undoLasting);
