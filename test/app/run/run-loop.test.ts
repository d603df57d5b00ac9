import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import type { Daemon } from '../../../src/app/run/daemon.ts';
import { runToEnd } from '../../../src/app/run/run-loop.ts';
import type { RunConsole, ShownRun } from '../../../src/app/run/run-signals.ts';
import { exitCodeOf } from '../../../src/app/run/exit-codes.ts';
import { TouchlineError, TransportError } from '../../../src/domain/errors.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import type { Status } from '../../../src/read-model/status.ts';
import type { RunSummary } from '../../../src/read-model/summary.ts';

const never = new Promise<never>(() => undefined);
const nothing = (): void => undefined;

const CONSOLE: RunConsole = {
  logger: silentLogger,
  isTerminal: false,
  outputLost: never,
  setLogLevel: nothing,
  bindLog: nothing,
  banner: nothing,
  show: nothing,
  command: nothing,
  dashboard: nothing,
  finish: nothing,
  failed: nothing,
  logTail: () => [],
  findInLog: () => [],
  logLines: { debug: 0, info: 0, warn: 0, error: 0, fatal: 0, dropped: 0 },
};

const RUN = {
  clock: new VirtualClock(),
  console: CONSOLE,
  durationMs: null,
  drainTimeoutMs: 20_000,
  signals: { stop: never, force: never },
  exchangeEnded: null,
};

/** The failure of a run whose daemon cannot reach the exchange at its start. */
async function failureOf(unlatched: TouchlineError | null): Promise<unknown> {
  const start = () => Promise.reject(new TransportError('not-sent', 'cannot reach the exchange'));
  const daemon: Partial<Daemon> = { start, unlatched, fatal: never, abandon: async () => undefined };
  return runToEnd({ ...RUN, daemon: daemon as Daemon, force: nothing }).catch((error: unknown) => error);
}

const UNLATCHED = new TouchlineError('unlatched', 'killed, and latched nowhere');

it('allows another start after a daemon could not start, unless an unrecorded kill ended it', async () => {
  expect(exitCodeOf(await failureOf(null))).toBe(69);
  expect(exitCodeOf(await failureOf(UNLATCHED))).toBe(74);
});

it('reports other failures beside a kill that is not recorded', async () => {
  const failure = await failureOf(UNLATCHED);
  expect(failure).toMatchObject({
    message: 'killed, and latched nowhere; besides: cannot reach the exchange',
    cause: { code: 'transport' },
  });
});

it('closes open orders when a daemon cannot go on, even while it starts', async () => {
  const stops: string[] = [];
  const failure = new TouchlineError('broken', 'an invariant is broken');
  const daemon: Partial<Daemon> = {
    start: () => never,
    fatal: Promise.resolve(failure),
    unlatched: null,
    abandon: async () => undefined,
    stop: async (reason) => (stops.push(reason), {} as RunSummary),
  };
  const run = runToEnd({ ...RUN, daemon: daemon as Daemon, force: nothing });
  const late = new Promise((resolve) => setImmediate(() => resolve('it still starts')));
  expect(await Promise.race([run.catch((error: unknown) => error), late])).toBe(failure);
  expect(stops).toEqual(['a failure']);
});

it('ends without waiting for closes when the exchange is gone, and reports that', async () => {
  const stops: [reason: string, withinMs: number][] = [];
  const gone = new TouchlineError('exchange_ended', 'the embedded exchange ended: a bug');
  const daemon: Partial<Daemon> = {
    start: async () => true,
    abandon: async () => undefined,
    fatal: never,
    unlatched: null,
    stop: async (reason, withinMs) => (stops.push([reason, withinMs]), {} as RunSummary),
  };
  const exchangeEnded = Promise.resolve(gone);
  const run = runToEnd({ ...RUN, daemon: daemon as Daemon, exchangeEnded, force: nothing });
  await expect(run).rejects.toBe(gone);
  expect(stops).toEqual([['the exchange ended', 0]]);
  expect(exitCodeOf(gone)).toBe(1);
});

it('reports the end of the exchange, not the request that failed because of it, when the start fails', async () => {
  const gone = new TouchlineError('exchange_ended', 'the embedded exchange ended: a bug');
  const ended = Promise.withResolvers<TouchlineError>();
  const daemon: Partial<Daemon> = {
    start: () => Promise.reject(new TransportError('not-sent', 'cannot reach the exchange')),
    fatal: never,
    unlatched: null,
    abandon: async () => ended.resolve(gone),
  };
  const run = { ...RUN, daemon: daemon as Daemon, exchangeEnded: ended.promise, force: nothing };
  await expect(runToEnd(run)).rejects.toBe(gone);
});

it.each([
  ['1', null, 1],
  ['74 when a kill is recorded nowhere', UNLATCHED, 74],
])('ends the process with %s at a second signal', async (_, unlatched, code) => {
  const daemon: Partial<Daemon> = { start: () => never, stop: () => never, unlatched, fatal: never };
  const signals = { stop: Promise.resolve('SIGTERM'), force: Promise.resolve() };
  const forced = new Promise((force) => {
    void runToEnd({ ...RUN, daemon: daemon as Daemon, signals, force });
  });
  expect(await forced).toBe(code);
  expect(unlatched === null ? 1 : exitCodeOf(unlatched)).toBe(code);
});

it.each([true, false])('builds a status to show only for a terminal: %s', async (isTerminal) => {
  const clock = new VirtualClock();
  const shown: unknown[] = [];
  let built = 0;
  const daemon: Partial<Daemon> = {
    start: () => never,
    fatal: never,
    unlatched: null,
    status: () => (built++, {} as Status),
  };
  const console = { ...CONSOLE, isTerminal, show: (run: ShownRun) => void shown.push(run.status()) };
  void runToEnd({ ...RUN, clock, console, daemon: daemon as Daemon, force: nothing });
  await clock.advance(1_000);
  expect([built, shown.length]).toEqual(isTerminal ? [2, 2] : [0, 0]);
});

describe('a run with nothing open at its end', () => {
  const SUMMARY: Partial<RunSummary> = { orders_open_at_exit: 0, exchange_orders_open_at_exit: 0 };
  const stopWith = (facts: Partial<RunSummary>) => async () => ({ ...SUMMARY, ...facts }) as RunSummary;
  const waiting = [
    { why: 'wait for betslips', count: 2 },
    { why: 'below the least stake', count: 1 },
  ];
  const UNQUOTED = {
    stream: 'synced',
    quoting: {
      wanted: 3,
      quoted: 0,
      twoSided: 0,
      notQuotingS: 60,
      readiness: { wanted: 3, quoted: 0, waiting, isShort: true },
    },
  } as Partial<Status> as Status;

  /** A run that ends after a minute. Calls `whileStopping` before its orders are closed. */
  function begin(facts: Partial<Daemon> = {}, whileStopping: () => void = nothing, mustQuote = false) {
    const clock = new VirtualClock();
    const output = Promise.withResolvers<unknown>();
    const stops: string[] = [];
    const daemon: Partial<Daemon> = {
      start: async () => true,
      abandon: async () => undefined,
      status: () => ({}) as never,
      unlatched: null,
      fatal: never,
      stop: async (reason) => {
        stops.push(reason);
        whileStopping();
        await clock.advance(1_000);
        return SUMMARY as RunSummary;
      },
      ...facts,
    };
    const run = runToEnd({
      ...RUN,
      clock,
      daemon: daemon as Daemon,
      force: nothing,
      durationMs: 60_000,
      mustQuote,
      console: { ...CONSOLE, outputLost: output.promise },
    });
    const ended = run.catch((error: unknown) => error);
    return { clock, stops, ended, loseOutput: () => output.resolve(new Error('write EPIPE')) };
  }

  it('fails when it lost its log earlier', async () => {
    const { clock, stops, ended, loseOutput } = begin();
    await clock.advance(1_000);
    loseOutput();
    const failure = await ended;
    expect(stops).toEqual(['the log cannot be written']);
    expect(failure).toMatchObject({ code: 'output_lost', cause: { message: 'write EPIPE' } });
    expect(exitCodeOf(failure)).toBe(1);
  });

  it('succeeds when its log reader left during the stop', async () => {
    const { clock, stops, ended, loseOutput } = begin({}, () => loseOutput());
    await clock.advance(60_000);
    expect(await ended).toBe(0);
    expect(stops).toEqual(['the time is over']);
  });

  it.each([
    ['an order was placed', { orders_placed: 1, selections_quoted: 0 }, 0],
    ['a selection was quoted', { orders_placed: 2, selections_quoted: 1 }, 0],
    ['an order may be open', { orders_placed: 0, selections_quoted: 0, orders_open_at_exit: 1 }, 1],
  ])('with --must-quote ends as usual if %s', async (_, facts, code) => {
    const { clock, ended } = begin({ status: () => UNQUOTED, stop: stopWith(facts) }, nothing, true);
    await clock.advance(60_000);
    expect(await ended).toBe(code);
  });

  it('with --must-quote fails if nothing was quoted, and says why', async () => {
    const facts = { orders_placed: 0, selections_quoted: 0 };
    const { clock, ended } = begin({ status: () => UNQUOTED, stop: stopWith(facts) }, nothing, true);
    await clock.advance(60_000);
    const failure = await ended;
    expect(failure).toMatchObject({
      message: 'nothing was quoted: 3 wanted → 0 quoted: 2 wait for betslips, 1 below the least stake',
    });
    expect(exitCodeOf(failure)).toBe(3);
    const unasked = begin({ status: () => UNQUOTED, stop: stopWith(facts) });
    await unasked.clock.advance(60_000);
    expect(await unasked.ended).toBe(0);
  });

  it('reports an unrecorded kill once', async () => {
    const { clock, ended } = begin({ unlatched: UNLATCHED });
    await clock.advance(60_000);
    expect(await ended).toBe(UNLATCHED);
  });

  it('reports why it could not go on when it was also killed', async () => {
    const fatal = Promise.resolve(new Error('a broken invariant'));
    const failure = await begin({ unlatched: UNLATCHED, fatal }).ended;
    expect(failure).toMatchObject({ message: 'killed, and latched nowhere; besides: a broken invariant' });
    expect(exitCodeOf(failure)).toBe(74);
  });
});
