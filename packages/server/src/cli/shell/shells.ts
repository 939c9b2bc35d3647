import type { CommandPlace, Word } from "./command-tree.js";

const everyWord = ({ commands, options }: CommandPlace) => [...commands, ...options];
const below = (places: readonly CommandPlace[]) => places.map(({ path }) => path).filter((path) => path !== "");

/** Code of bash and zsh that leaves in `place` the commands among the words before the cursor. */
function findPlace(places: readonly CommandPlace[], words: string): string {
  const patterns = below(places).map((path) => (path.includes(" ") ? `"${path}"` : `" ${path}"`));
  return `  local place="" word
  for word in ${words}; do
    case "$place $word" in
      ${patterns.join("|")}) place="\${place:+$place }$word" ;;
    esac
  done`;
}

function bash(places: readonly CommandPlace[]): string {
  const words = (place: CommandPlace) =>
    everyWord(place)
      .map(({ word }) => word)
      .join(" ");
  return `# Completes reeve in bash.
_reeve() {
${findPlace(places, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  local candidates=""
  case "$place" in
${places.map((place) => `    "${place.path}") candidates="${words(place)}" ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$candidates" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _reeve reeve
`;
}

function zsh(places: readonly CommandPlace[]): string {
  const described = ({ word, what }: Word) => `'${word}:${what}'`;
  const candidates = (place: CommandPlace) => everyWord(place).map(described).join(" ");
  return `#compdef reeve
# Completes reeve in zsh.
_reeve() {
${findPlace(places, `"\${(@)words[2,CURRENT-1]}"`)}
  local -a candidates
  case "$place" in
${places.map((place) => `    "${place.path}") candidates=(${candidates(place)}) ;;`).join("\n")}
  esac
  _describe 'reeve' candidates || _files
}
compdef _reeve reeve
`;
}

function fish(places: readonly CommandPlace[]): string {
  const lines = places.flatMap((place) =>
    everyWord(place).map(({ word, what }) => {
      const candidate = word.startsWith("--") ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c reeve -n "__reeve_at '${place.path}'" ${candidate} -d '${what}'`;
    }),
  );
  const paths = below(places).map((path) => `'${path}'`);
  return `# Completes reeve in fish.
function __reeve_at
  set -l place ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$place $word")
    contains -- "$next" ${paths.join(" ")}; and set place "$next"
  end
  test "$place" = "$argv[1]"
end
${lines.join("\n")}
`;
}

/** What prints the completion of each shell. */
export const SHELLS = { bash, zsh, fish } as const;
