import { newAcme } from "../acme.js";

const acme = await newAcme();
export const controlPlane = acme.controlPlane;
export const baseUrl = acme.base;
export const token = acme.owner.token;
export const env = acme.env;
export const username = acme.owner.username;
export const password = acme.owner.password;
