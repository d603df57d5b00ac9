import { JournalDamage, TouchlineError } from '../../domain/errors.ts';
import { fromMicros } from '../../domain/money.ts';
import type { StreamSignal } from '../../domain/stream.ts';
import { reasonOf } from '../../lib/reason.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import type { Config, LoadedConfig } from '../config/load.ts';
import { validateConfig } from '../config/validate.ts';
import { START_CHECKS } from '../run/start-checks.ts';
import {
  AuthError,
  type ExchangeClient,
  ProtocolError,
  type RequestPattern,
  TransportError,
  VenueRejection,
} from '../exchange/connect.ts';
import {
  betslipCap,
  betslipsOfTheDay,
  type CapsKnown,
  countOf,
  eventCap,
  paperCost,
  requestRates,
} from './caps.ts';
import { heartbeatBeats, Interrupted, type TakeSignals } from './heartbeat.ts';
import { whatJournal, whatSpace } from './journal.ts';
import { type RunningDaemon, whatLock } from './lock.ts';
import { whatPorts } from './ports.ts';
import { knownPrices } from './prices.ts';
import { sharedSecrets } from './secret-files.ts';

/** A line of the examination: the subject, the finding, and the remedy if there is a fault. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  /** What to do about a fault, or about what is well enough for a start; null if nothing is to be done. */
  readonly advice: string | null;
  /** The error, for the exit code. */
  readonly error: unknown;
}

export interface ExamineOptions {
  readonly known: CapsKnown;
  /** The daemon that trades this account now; null if there is none. What it uses is no fault. */
  readonly daemon: RunningDaemon | null;
  /** Whether to find the cap of registered events by reaching it. */
  readonly probe: boolean;
  /** Whether the account may be asked and acted on. A paper configuration may not. */
  readonly actsOnAccount: boolean;
  readonly takeSignals: TakeSignals;
}

interface Check {
  readonly name: string;
  readonly advice: string;
  /** Whether the check asks for the account, or acts on it. */
  readonly isOfAccount?: true;
  readonly run: () => Promise<string>;
}

/** Every request of an examination. The doctor's client can send no other, so it cannot place or close an order. */
export const doctorRequests = ({ probe }: Pick<ExamineOptions, 'probe'>): readonly RequestPattern[] => [
  'GET /v2/xrates/',
  'GET /v2/balance/',
  'GET /v2/heartbeats/',
  'POST /v2/heartbeats/',
  'POST /v2/heartbeats/{heartbeat_id}/refresh/',
  'DELETE /v2/heartbeats/{heartbeat_id}/',
  'GET /v2/betslips/',
  ...(probe ? (['GET /v2/events/'] as const) : []),
];

const SYNC_WITHIN_MS = 30_000;
const OFFSET_WITHIN_MS = 10_000;
const WORST_OFFSET_MS = 1_000;

/** Whether a start would accept the configuration, as far as that is known without a start. */
export const examineConfig = (loaded: LoadedConfig): Promise<Finding> =>
  examineOne({
    name: 'config',
    advice: 'mend it: a start ends with exit code 78',
    run: async () => (await validateConfig(loaded)).config.exchange.restUrl,
  });

/** Whether a start may use the files that it will open. */
export async function* examinePlaces(config: Config): AsyncGenerator<Finding, void, undefined> {
  for (const { name, advice, check } of START_CHECKS)
    yield await examineOne({ name, advice, run: () => Promise.resolve(check(config)) });
}

/** The files of secrets that others can read; null if there are none. A start goes on, so this is a warning. */
export function examineSecrets(config: Config): Finding | null {
  const shared = sharedSecrets(config);
  if (shared.length === 0) return null;
  const advice = 'do that, and make a new key if others use this machine: a start goes on';
  return { check: 'secrets', ok: true, found: shared.join('\n'), advice, error: null };
}

/** Whether a start could take the account. A daemon that has it is well: everything else is examined beside it. */
export const examineLock = (config: Config, daemon: RunningDaemon | null): Promise<Finding> =>
  examineOne({
    name: 'lock',
    advice: 'end that process first: a start ends with exit code 69, or 78 if the lock cannot be opened',
    run: () => Promise.resolve(whatLock(config, daemon)),
  });

/** Whether a start could serve metrics and commands at the configured ports. */
export const examinePorts = (config: Config, daemon: RunningDaemon | null): Promise<Finding> =>
  examineOne({
    name: 'ports',
    advice: 'end the program that has it, or choose another: a start ends with exit code 69',
    run: () => whatPorts(config, daemon),
  });

/** Whether the disk has room for what a run will keep. A start says the same in its log, and goes on. */
export const examineSpace = (config: Config, clock: Clock): Promise<Finding> =>
  examineOne({
    name: 'space',
    advice:
      'make room, or lower journal.retentionDays or record.maxMb: a start only warns, and a full disk stops new orders',
    run: () => Promise.resolve(whatSpace(config, clock)),
  });

/** Whether a start could take the journal, which may be in use, and would trade. Changes nothing. */
export const examineJournal = (config: Config, clock: Clock): Promise<Finding> =>
  examineOne({
    name: 'journal',
    advice: `see "touchline journal verify ${config.journal.path}", or name another one: a start ends with exit code 78`,
    run: () => Promise.resolve(whatJournal(config, clock)),
  });

/** What is known of the exchange's `against` prices. Fails only on a journal that cannot be read. */
export const examinePrices = (config: Config, clock: Clock): Promise<Finding> =>
  examineOne({
    name: 'prices',
    advice: `see "touchline journal verify ${config.journal.path}"`,
    run: () => Promise.resolve(knownPrices(config, clock)),
  });

/**
 * Examines the account and the path to the exchange, in an order in which each finding explains the next. Changes nothing, apart
 * from a short-lived heartbeat and, if it probes, short-lived registrations. Stops at a refused key, an unreachable exchange, or
 * a signal that arrived while the heartbeat existed.
 */
export async function* examine(
  exchange: ExchangeClient,
  clock: Clock,
  options: ExamineOptions,
): AsyncGenerator<Finding, void, undefined> {
  for (const check of checks(exchange, clock, options)) {
    if (check.isOfAccount === true && !options.actsOnAccount) continue;
    const finding = await examineOne(check);
    yield finding;
    if (isHopeless(finding.error)) return;
  }
}

const isHopeless = (error: unknown): boolean =>
  error instanceof AuthError ||
  (error instanceof TransportError && error.outcome === 'not-sent') ||
  error instanceof Interrupted;

async function examineOne({ name, advice, run }: Check): Promise<Finding> {
  try {
    return { check: name, ok: true, found: await run(), advice: null, error: null };
  } catch (error) {
    return { check: name, ok: false, found: reasonOf(error), advice: adviceFor(error) ?? advice, error };
  }
}

function adviceFor(error: unknown): string | null {
  const advice = error instanceof TouchlineError ? error.details['advice'] : undefined;
  if (typeof advice === 'string') return advice;
  if (error instanceof JournalDamage)
    return 'see "touchline journal verify FILE": a start would only close orders';
  if (error instanceof AuthError)
    return 'create a key on the website of the exchange’s operator, and put it where this one comes from: into the file that exchange.apiKeyFile names, else into TOUCHLINE_API_KEY';
  if (error instanceof TransportError)
    return 'see that exchange.restUrl and exchange.streamUrl are right and reachable';
  if (error instanceof ProtocolError) return 'see that exchange.restUrl names this exchange and ends in /v2/';
  if (error instanceof VenueRejection && error.status === 403)
    return 'see what the key and the account may do';
  return null;
}

function checks(exchange: ExchangeClient, clock: Clock, options: ExamineOptions): readonly Check[] {
  const { known, daemon, probe, takeSignals } = options;
  return [
    { name: 'key', advice: 'try again later', run: () => keyWorks(exchange) },
    {
      name: 'balance',
      advice: 'deposit: API access needs 10 USDT at least',
      isOfAccount: true,
      run: () => balance(exchange),
    },
    {
      name: 'stream',
      advice: 'see that exchange.streamUrl is right',
      run: () => streamSyncs(exchange, clock),
    },
    { name: 'clock', advice: 'let NTP keep this machine’s clock', run: () => clockAgrees(exchange, clock) },
    {
      name: 'heartbeat',
      isOfAccount: true,
      advice:
        'look at "touchline exchange heartbeats" and delete what is left: its expiry closes every order',
      run: () => heartbeatBeats(exchange, clock, takeSignals),
    },
    {
      name: 'betslips',
      isOfAccount: true,
      advice: 'let open ones expire or delete them; a daemon needs some for itself',
      run: () => betslipCap(exchange, known, daemon),
    },
    {
      name: 'day',
      // A paper run counts in its own journal.
      ...(known.paperShare === null ? { isOfAccount: true } : {}),
      advice: 'wait: only quotes that stand can be kept until then',
      run: () => Promise.resolve(dayOf(known, daemon)),
    },
    {
      name: 'events',
      advice: 'lower universe.maxEvents, or end what else is connected',
      run: () => eventCap(exchange, clock, known, probe),
    },
    {
      name: 'rates',
      advice: 'see what else uses this account: all keys share its budgets',
      run: () => Promise.resolve(requestRates(exchange, known)),
    },
  ];
}

function dayOf(known: CapsKnown, daemon: RunningDaemon | null): string {
  const left = betslipsOfTheDay(known, daemon);
  return known.paperShare === null ? left : `${left}\n${paperCost(known, known.paperShare)}`;
}

async function keyWorks(exchange: ExchangeClient): Promise<string> {
  const rates = await exchange.account.xrates();
  return `accepted (${rates.length} exchange rates)`;
}

const LEAST_USDT = 10;

async function balance(exchange: ExchangeClient): Promise<string> {
  const { balanceMicros, openStakeMicros } = await exchange.account.balance();
  const usdt = fromMicros(balanceMicros);
  if (usdt < LEAST_USDT) throw new Error(`${usdt.toFixed(2)} USDT`);
  return `${usdt.toFixed(2)} USDT, ${fromMicros(openStakeMicros).toFixed(2)} of it at stake`;
}

/** Connects and waits for `sync`; later checks use the same connection. */
async function streamSyncs(exchange: ExchangeClient, clock: Clock): Promise<string> {
  const fromMs = clock.monotonicMs();
  let events = 0;
  const synced = new Promise<string>((resolve, reject) => {
    const next = (signal: StreamSignal): void => {
      if (signal.kind === 'frame') events += signal.entries.filter(({ tag }) => tag === 'event').length;
      if (signal.kind === 'synced') resolve(`synced in ${(clock.monotonicMs() - fromMs).toFixed(0)} ms`);
      if (signal.kind === 'closed') reject(new Error(signal.reason));
    };
    exchange.stream$.subscribe({ next, error: reject });
  });
  const found = await within(clock, synced, SYNC_WITHIN_MS, 'no sync in time');
  return `${found}, ${countOf(events, 'event')} with prices`;
}

async function clockAgrees(exchange: ExchangeClient, clock: Clock): Promise<string> {
  const untilMs = clock.monotonicMs() + OFFSET_WITHIN_MS;
  let estimate = exchange.clockOffset();
  while (estimate === null && clock.monotonicMs() < untilMs) {
    await sleep(clock, 100);
    estimate = exchange.clockOffset();
  }
  if (estimate === null) throw new Error('the exchange answered no echo');
  const found = `${estimate.offsetMs.toFixed(0)} ms off, give or take ${estimate.errorMs.toFixed(0)} ms`;
  if (Math.abs(estimate.offsetMs) - estimate.errorMs > WORST_OFFSET_MS) throw new Error(found);
  return found;
}

async function within<T>(clock: Clock, promise: Promise<T>, ms: number, otherwise: string): Promise<T> {
  const aborter = new AbortController();
  const late = sleep(clock, ms, aborter.signal).then(() => {
    throw new Error(otherwise);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    aborter.abort(new Error('no longer needed'));
  }
}
