/**
 * Loaded into the daemon of the soak: collects its heap once a minute and writes what is then in use into a file, whose path is in
 * `SOAK_COLLECTED`. Left alone, V8 collects the old part of the heap every few minutes, and a slope over half an hour would show where
 * in that cycle the run began and ended; seconds after a collection, the garbage of the load is larger than any leak. The collection
 * also compacts the heap and gives its free pages back: V8 does so by itself only once in a while, and until then keeps as many free
 * pages as it has full ones, in one step of the resident memory. Needs `--expose-gc`.
 */
import { writeFileSync } from 'node:fs';
import process from 'node:process';

const EVERY_MS = 60_000;
const file = process.env['SOAK_COLLECTED'] ?? '';

setInterval(() => {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  if (file !== '') writeFileSync(file, String(process.memoryUsage().heapUsed));
}, EVERY_MS).unref();
