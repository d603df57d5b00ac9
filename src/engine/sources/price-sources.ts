import {
  buffer,
  concatWith,
  connect,
  defer,
  filter,
  isObservable,
  map,
  merge,
  type MonoTypeOperatorFunction,
  type Observable,
  retry,
  type SchedulerLike,
  tap,
  throttleTime,
  throwError,
  timer,
} from 'rxjs';
import type { SourceBatch, SourcePrice } from '../../domain/source-price.ts';
import { backoffMs } from '../../lib/backoff.ts';
import type { Random } from '../../lib/random.ts';
import { reasonOf } from '../../lib/reason.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Logger, logPluginText } from '../../ports/logger.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { PriceSource, SourceInputs } from '../../strategy/price-source.ts';
import { timeOperators } from '../../strategy/time.ts';
import { clockScheduler } from '../clock-scheduler.ts';
import { seldom } from '../../lib/line-limit.ts';

/** A price source with its name and options in the configuration. */
export interface ConfiguredSource {
  /** Unique. */
  readonly name: string;
  readonly source: PriceSource;
  /** As the source's schema returned them. */
  readonly options: unknown;
}

export interface PriceSourcesDeps {
  readonly inputs: SourceInputs;
  readonly clock: Clock;
  /** For the jitter of reconnects. */
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Within this time only the last price of each key counts, so that a source causes at most twenty turns a second. */
const CONFLATE_MS = 50;
/** A source that sends more messages within that time floods. */
const MOST_MESSAGES = 1_000;
/** The rest of a larger message is dropped. */
const MOST_PRICES = 5_000;
const LONGEST_KEY = 200;
const LINES_A_MINUTE = 100;
const TOO_MANY_LINES = `it writes more than ${LINES_A_MINUTE} log lines a minute; the rest of the minute is dropped`;
const RECONNECT = { firstMs: 1_000, longestMs: 60_000 };

const FAULT_KINDS = [
  /** The source failed, and is connected again. */
  'failed',
  /** The source completed, and is connected again. */
  'ended',
  /** A message is no list, or an entry is no price. It was dropped. */
  'invalid',
  /** A message has too many prices. The rest was dropped. */
  'too-many',
  /** The source writes too much to the log. The line was dropped. */
  'too-many-lines',
] as const;

type FaultKind = (typeof FAULT_KINDS)[number];

/**
 * The prices of every source, each source on its own. Never fails: a source that fails, ends or floods is connected again after a
 * pause, and what is no price is dropped. All of it is counted, and logged at most once a minute.
 */
export function priceSources(
  sources: readonly ConfiguredSource[],
  deps: PriceSourcesDeps,
): Observable<SourceBatch> {
  return merge(...sources.map((source) => pricesOf(source, deps)));
}

function pricesOf(
  { name, source, options }: ConfiguredSource,
  deps: PriceSourcesDeps,
): Observable<SourceBatch> {
  const { inputs, clock, random, logger } = deps;
  const scheduler = clockScheduler(clock);
  const report = reporter(name, deps);
  const mayWrite = lineLimit(clock);
  const context = {
    ...inputs,
    options,
    scheduler,
    time: timeOperators(scheduler),
    log: (message: string, fields = {}) => {
      if (mayWrite()) logPluginText(logger, 'price_source_line', message, { ...fields, priceSource: name });
      else report.fault('too-many-lines', TOO_MANY_LINES);
    },
  };
  return defer(() => mustBeObservable(source.connect(context))).pipe(
    map((message) => validPrices(message, report.fault)),
    tap((prices) => report.received(prices.length)),
    conflatePrices(scheduler),
    concatWith(throwError(() => new Ended())),
    retry({
      resetOnSuccess: true,
      delay: (error, attempt) => {
        const pauseMs = backoffMs(RECONNECT, attempt - 1, random);
        report.reconnect(error, pauseMs);
        return timer(pauseMs, scheduler);
      },
    }),
    map((prices) => ({ source: name, prices })),
  );
}

/** The source completed; prices of the world do not end. */
class Ended extends Error {}

/**
 * The last price of each key: at once after a pause, and then at most every 50 ms. Fails if more messages arrive in that time than
 * a source may send; that also ends a source that never returns to the event loop.
 */
export const conflatePrices =
  (scheduler: SchedulerLike): MonoTypeOperatorFunction<readonly SourcePrice[]> =>
  (message$) =>
    defer(() => {
      let messages = 0;
      const counted$ = message$.pipe(
        tap(() => {
          messages++;
          if (messages > MOST_MESSAGES)
            throw new Error(`sent more than ${MOST_MESSAGES} messages within ${CONFLATE_MS} ms`);
        }),
      );
      return counted$.pipe(
        connect((shared$) =>
          shared$.pipe(
            buffer(shared$.pipe(throttleTime(CONFLATE_MS, scheduler, { leading: true, trailing: true }))),
          ),
        ),
        tap(() => (messages = 0)),
        map(lastOfEachKey),
        filter((prices) => prices.length > 0),
      );
    });

function lastOfEachKey(messages: readonly (readonly SourcePrice[])[]): readonly SourcePrice[] {
  const [first = []] = messages;
  if (messages.length < 2) return first;
  return [...new Map(messages.flat().map((price) => [price.key, price])).values()];
}

type ReportFault = (kind: FaultKind, message: string) => void;

/** Counts and logs what a source does. */
function reporter(source: string, { clock, logger, metrics }: PriceSourcesDeps) {
  const prices = metrics.counter('touchline_source_prices_total', 'Prices received of price sources', [
    'source',
  ]);
  const reconnects = metrics.counter('touchline_source_reconnects_total', 'Reconnects of price sources', [
    'source',
  ]);
  const faults = metrics.counter('touchline_source_faults_total', 'Faults of price sources', [
    'source',
    'kind',
  ]);
  for (const kind of FAULT_KINDS) faults.inc({ source, kind }, 0);
  prices.inc({ source }, 0);
  reconnects.inc({ source }, 0);
  const isDue = seldom(clock);
  const fault = (kind: FaultKind, message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    faults.inc({ source, kind });
    if (isDue(kind))
      logger.warn(`price source ${source}: ${message}`, { priceSource: source, kind, ...fields });
  };
  return {
    received: (count: number): void => prices.inc({ source }, count),
    fault: ((kind, message) => fault(kind, message)) satisfies ReportFault,
    reconnect: (error: unknown, pauseMs: number): void => {
      reconnects.inc({ source });
      const retryS = Math.round(pauseMs / 100) / 10;
      if (error instanceof Ended) fault('ended', 'its stream ended; it is connected again', { retryS });
      else fault('failed', `it failed (${reasonOf(error)}); it is connected again`, { retryS });
    },
  };
}

/** Returns a function that is true for the first hundred calls of each minute. */
function lineLimit(clock: Clock): () => boolean {
  let [sinceMs, lines] = [-Infinity, 0];
  return () => {
    const nowMs = clock.monotonicMs();
    if (nowMs - sinceMs >= 60_000) [sinceMs, lines] = [nowMs, 0];
    lines++;
    return lines <= LINES_A_MINUTE;
  };
}

/** Copies the valid prices of a message, because its objects belong to the source. */
function validPrices(message: unknown, fault: ReportFault): readonly SourcePrice[] {
  if (!Array.isArray(message)) {
    fault('invalid', 'a message is no list of prices; it was dropped');
    return [];
  }
  if (message.length > MOST_PRICES)
    fault('too-many', `a message has ${message.length} prices; those beyond ${MOST_PRICES} were dropped`);
  const entries: readonly unknown[] = message.slice(0, MOST_PRICES);
  const prices = entries.flatMap((entry) => priceIn(entry) ?? []);
  if (prices.length < entries.length)
    fault(
      'invalid',
      `${entries.length - prices.length} of ${entries.length} prices were dropped: a price needs a key of 1 to ${LONGEST_KEY} characters and a decimal price above 1 (or null), and atMs is a number if it is there`,
    );
  return prices;
}

function priceIn(entry: unknown): SourcePrice | null {
  if (typeof entry !== 'object' || entry === null) return null;
  const { key, price, atMs } = entry as Readonly<Record<string, unknown>>;
  if (typeof key !== 'string' || key === '' || key.length > LONGEST_KEY) return null;
  if (price !== null && !(isFiniteNumber(price) && price > 1)) return null;
  if (atMs === undefined) return { key, price };
  return isFiniteNumber(atMs) ? { key, price, atMs } : null;
}

const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value);

function mustBeObservable(prices: unknown): Observable<unknown> {
  if (isObservable(prices)) return prices;
  throw new TypeError('connect must return an observable of lists of prices');
}
