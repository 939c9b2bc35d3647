import express from "express";
import { newAcme } from "../acme.js";

export const controlPlane = (await newAcme()).controlPlane;
export const app = express();
