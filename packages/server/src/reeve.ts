import { runCommand } from "./cli/program.js";

const code = await runCommand(process.argv.slice(2), process.env);
if (code !== undefined) process.exitCode = code;
