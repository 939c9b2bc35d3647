// Its own types bring those of browsers into every package. The few that are used stand beside this file.
export { DOMParser } from "@xmldom/xmldom";
