import type { Language } from "../../preferences/fields.js";
import { de } from "./de.js";
import { type Catalogue, en } from "./en.js";

const CATALOGUES: Readonly<Record<Language, Catalogue>> = { en, de };

/** The texts of a language. */
export const textsOf = (language: Language): Catalogue => CATALOGUES[language];
