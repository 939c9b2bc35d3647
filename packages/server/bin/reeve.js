#!/usr/bin/env node
// An installer links a command only to a file that is there, and a clone has no dist before its first build.
import "../dist/reeve.js";
