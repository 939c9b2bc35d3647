import { tell } from "./story.js";

await tell((line) => process.stdout.write(`${line}\n`));
