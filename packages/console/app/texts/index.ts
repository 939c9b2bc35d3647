import { en } from "./en.js";

/** Every text a person reads. A second language is a second catalogue of this type. */
export type Catalogue = typeof en;

const CATALOGUES: Readonly<Record<string, Catalogue>> = { en };

const language = navigator.languages.map((name) => name.slice(0, 2)).find((name) => name in CATALOGUES) ?? "en";

export const t: Catalogue = CATALOGUES[language] ?? en;
