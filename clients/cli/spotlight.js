#!/usr/bin/env node
// @ts-check
import process from "node:process";
import { run } from "./run.js";

// Whoever reads no further, such as head, has seen enough.
process.stdout.on("error", () => process.exit());
process.exitCode = await run(process.argv.slice(2));
