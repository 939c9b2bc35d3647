import { newAcme } from "../acme.js";

export const controlPlane = (await newAcme()).controlPlane;
