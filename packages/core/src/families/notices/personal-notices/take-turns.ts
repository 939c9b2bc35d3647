import { defineService, type Environment } from "#kernel/config/environment.js";
import { EventLoopYielder } from "#store/event-loop.js";

const turns = defineService("notices.turns", () => new EventLoopYielder());

/** Lets other work of this process run, between two steps of work about very many notices. */
export const letOthersRun = (env: Environment): Promise<void> => env.use(turns).pass();
