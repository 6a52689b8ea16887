#!/usr/bin/env node
import { start } from './command.ts';

await start();
