import process from 'node:process';

/** Where the configuration of the tests leaves the measured patience for the processes that run them. */
export const PATIENCE_VARIABLE = 'TEST_PATIENCE';

/** A command starts in so much time on a machine that does nothing else. */
const USUAL_START_MS = 250;

/** A machine that is slower than this tests nothing. */
const MOST = 40;

/** How many times longer than usual to wait on a machine that starts a command in this time, at least once. */
export const patienceOf = (startMs: number): number => Math.min(MOST, Math.max(1, startMs / USUAL_START_MS));

const PATIENCE = Math.max(1, Number(process.env[PATIENCE_VARIABLE] ?? 1) || 1);

/**
 * A bound for an event that a test waits for, in milliseconds: the given time on an idle machine, more on a slow one. A test waits for the
 * event, and never for the bound.
 */
export const patient = (ms: number): number => Math.round(ms * PATIENCE);
