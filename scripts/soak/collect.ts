/**
 * Loaded into the daemon of the soak: collects its heap once a minute and writes what is then in use into a file, whose path is in
 * `SOAK_COLLECTED`. Left alone, V8 collects the old part of the heap every few minutes, and a slope over half an hour would show where
 * in that cycle the run began and ended; seconds after a collection, the garbage of the load is larger than any leak. Needs
 * `--expose-gc`.
 */
import { writeFileSync } from 'node:fs';
import process from 'node:process';

const EVERY_MS = 60_000;
const file = process.env['SOAK_COLLECTED'] ?? '';

setInterval(() => {
  globalThis.gc?.();
  if (file !== '') writeFileSync(file, String(process.memoryUsage().heapUsed));
}, EVERY_MS).unref();
