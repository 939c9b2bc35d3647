import { newAcme } from "../acme.js";

const acme = await newAcme();
export const controlPlane = acme.controlPlane;
export const principal = acme.principal;
