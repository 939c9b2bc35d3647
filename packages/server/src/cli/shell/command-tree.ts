import type { Command } from "commander";

/** A word that may follow, and what it is for. */
export interface Word {
  readonly word: string;
  readonly what: string;
}

/** A command by the words before it, with what may follow them. */
export interface CommandPlace {
  /** As in `policy test`; empty for `reeve` itself. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
}

/** Every command of the program, those of groups too. */
export function treeOf(command: Command, path = ""): CommandPlace[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const here = {
    path,
    commands: commands.map((each) => ({ word: each.name(), what: plain(each.description()) })),
    options: help.visibleOptions(command).map(({ long, short, description }) => ({
      word: long ?? short ?? "",
      what: plain(description),
    })),
  };
  return [here, ...commands.flatMap((each) => treeOf(each, `${path} ${each.name()}`.trim()))];
}

/** A text without what shells read in it. */
const plain = (text: string) => text.replaceAll(/['"`$\\:[\]]/g, "");
