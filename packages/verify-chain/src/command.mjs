#!/usr/bin/env node
// The command `reeve-verify-chain`: of an export as verify-chain.mjs alone, and of a slice.

import { main as slice } from "./slice-command.mjs";
import { main as chain, run } from "./verify-chain.mjs";

const [first, ...others] = process.argv.slice(2);
run(first === "slice" ? slice(others) : chain(process.argv.slice(2)));
