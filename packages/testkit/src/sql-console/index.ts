export { HOSTILE, type Hostile } from "./hostile.js";
export { type ConsoleUnderTest, describeSqlConsole, type SqlConsoleOptions } from "./suite.js";
