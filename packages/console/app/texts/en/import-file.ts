const number = new Intl.NumberFormat("en");

/** The import of a file that is chosen in the browser. */
export const importFile = {
  title: "Import a file",
  hint: "The file is tried first: nothing is stored until you say so. An asset is known again by its type, provider, environment and external id, so that importing the same file again changes nothing.",
  file: "File",
  formats:
    "JSON lines, or a table whose columns have the names of properties, such as name, assetType, provider, owner and externalRef.id. Other columns are mapped by the command reeve import.",
  faults: {
    not_utf8: "The file is not in UTF-8.",
    open_quote: "A quotation mark is not closed, or stands in a cell without being doubled.",
    empty: "The file is empty.",
    no_identity: "No column is externalRef.id, by which a later import knows an asset again.",
    column_twice: "Two columns have the same name.",
  },
  mayNot: { title: "You may not import assets", detail: "It takes the right to change assets." },
  baseline: "What is found on new assets is the baseline, and ranks below new findings",
  progress: { check: "Lines tried", store: "Lines imported" },
  check: "Try it",
  checked:
    "Tried. Nothing is stored yet. A line that names an asset of another part of the file may be refused now and taken then.",
  store: "Import it",
  stored: "Imported. Importing the same file again changes nothing.",
  again: "Import it again",
  goOn: "Go on",
  stop: "Stop",
  counts: { created: "New", updated: "Changed", unchanged: "As before", failed: "Refused" },
  refused: "Refused lines",
  line: "Line",
  why: "Why",
  noRefusals: { title: "No line is refused", detail: "Lines that the server refuses stand here with their numbers." },
  unread: {
    no_json: "The line is no JSON.",
    no_object: "An item is a JSON object.",
    too_many_cells: "The row has more cells than the header names.",
  },
  leaves: "Leave while the import is under way?",
  leave: "Leave",
  left: (done: number, total: number) =>
    `${number.format(done)} of ${number.format(total)} lines are done and stay. Import the same file again to do the rest.`,
};
