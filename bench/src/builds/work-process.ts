import { openBuild } from "./opened-build.js";
import { takeWorks } from "./works.js";

/** Does all works by one built checkout, and prints what they took as the last line. */
export async function workForParent(checkout: string, isOwn: boolean): Promise<void> {
  const build = await openBuild(checkout);
  try {
    const taken = await takeWorks(build, isOwn, (what) => void process.stderr.write(`${what}\n`));
    process.stdout.write(`${JSON.stringify(taken)}\n`);
  } finally {
    await build.close();
  }
}
