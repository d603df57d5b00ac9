/**
 * Loaded into the daemon of the soak: collects its heap once a minute. Left alone, V8 collects the old part of the heap every
 * few minutes, and a slope over half an hour would show where in that cycle the run began and ended. Needs `--expose-gc`.
 */
const EVERY_MS = 60_000;

setInterval(() => globalThis.gc?.(), EVERY_MS).unref();
