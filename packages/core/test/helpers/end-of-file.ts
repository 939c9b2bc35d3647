import { afterAll } from "vitest";
import { undoLasting } from "./undo.js";

// A worker imports each module once for all its files, so what a module keeps for a file ends here and not in a hook of its own.
afterAll(undoLasting);
