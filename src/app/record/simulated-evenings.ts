import { Secret } from '../../domain/secret.ts';
import { integerBetween, seededRandom } from '../../lib/random.ts';
import { DAY_MS, momentOf } from '../../lib/time.ts';
import { silentLogger } from '../../ports/logger.ts';
import { noMetrics } from '../../ports/metrics.ts';
import type { RecordingRecord } from '../../recording/format.ts';
import { type Note, recordOf } from '../../recording/note.ts';
import type { RecordingWriter, SessionStart } from '../../recording/writer.ts';
import type { Feed, SimEventName } from '../../simulator/core/api.ts';
import type { EventResult } from '../../domain/bet-types/result.ts';
import { parseBetType } from '../../domain/bet-types/index.ts';
import { createExchange } from '../../simulator/core/exchange.ts';
import { observedFeed } from '../../simulator/core/observed-feed.ts';
import { createModelFeed } from '../../simulator/feeds/model/index.ts';
import { inProcessTransports } from '../../simulator/in-process/transports.ts';
import { createClient, type ExchangeClient } from '../../venue/index.ts';
import { VirtualClock } from '../adapters/virtual-clock.ts';
import { accountsOf } from '../simulated/simulation.ts';
import { recordedWires } from './wire.ts';

export interface EveningsChoice {
  readonly evenings: number;
  readonly seed: number;
  /** Length of each evening in market time. */
  readonly eveningMs: number;
  /** The number of events at any time. */
  readonly events: number;
  readonly version: string;
  /** Opens the recording with its first session. */
  readonly open: (session: SessionStart) => Promise<Pick<RecordingWriter, 'append' | 'begin' | 'close'>>;
  /** Called after each evening. */
  readonly onEvening?: (number: number) => void;
}

/** The first evening begins then. The others follow on the next days. */
const FIRST_EVENING_MS = Date.parse('2026-01-03T17:00:00Z');
const KEY = 'simulated-key';
const BALANCE_USDT = 10_000;
/**
 * The first event of an evening starts a quarter of an hour after the recording begins: so there is time before the start, and two
 * hours later the match is over.
 */
const LEAD_MINUTES = 75;
/** Payload bytes of a block, about. */
const BLOCK_BYTES = 1024 * 1024;

/**
 * Records evenings of the modelled market on virtual time, each as a session of its own with its own seed and its own day. The same
 * choice gives the same records. Rejects with RecordingError.
 */
export async function recordEvenings(choice: EveningsChoice): Promise<void> {
  const writer = await choice.open(sessionOf(choice, 1));
  try {
    for (let number = 1; number <= choice.evenings; number++) {
      if (number > 1) await writer.begin(sessionOf(choice, number));
      await recordEvening(choice, number, writer);
      choice.onEvening?.(number);
    }
  } finally {
    await writer.close();
  }
}

const startOf = (number: number): number => FIRST_EVENING_MS + (number - 1) * DAY_MS;

const seedOf = (seed: number, number: number): number =>
  integerBetween(seededRandom(seed, `evening ${number}`), 0, 2 ** 31 - 1);

const sessionOf = ({ seed, eveningMs, events, version }: EveningsChoice, evening: number): SessionStart => ({
  startedWallMs: startOf(evening),
  source: 'simulated',
  program: `touchline ${version}`,
  mode: 'simulated',
  exchange: '',
  convention: 'lay',
  about: { seed, evening, eveningSeed: seedOf(seed, evening), eveningMs, events },
});

async function recordEvening(
  { seed, eveningMs, events }: EveningsChoice,
  number: number,
  writer: Pick<RecordingWriter, 'append'>,
): Promise<void> {
  const startWallMs = startOf(number);
  const eveningSeed = seedOf(seed, number);
  const clock = new VirtualClock(startWallMs);
  const block = new Block(writer);
  const note = (each: Note): void =>
    block.add(recordOf({ channel: 0, at: momentOf(clock), ...each, payload: bytesOf(each.payload) }));
  const feed = createModelFeed({ seed: eveningSeed, startWallMs, events, leadMinutes: LEAD_MINUTES });
  const core = createExchange({
    accounts: accountsOf([KEY], BALANCE_USDT),
    feeds: [
      withResults(feed, (event, result) => note({ kind: 'result', payload: resultText(event, result) })),
    ],
    parseBetType,
    random: seededRandom(eveningSeed, 'ids'),
    startMs: startWallMs,
    // Backtests read these recordings, and their tapes hold prices of the selection.
    settings: { priceConvention: 'lay' },
  });
  const { host, ...wires } = inProcessTransports({ core, clock });
  const apiKey = new Secret(KEY);
  const client = createClient({
    ...recordedWires(wires, clock, apiKey, note),
    apiKey,
    clock,
    logger: silentLogger,
    metrics: noMetrics,
    random: seededRandom(eveningSeed, 'backoff'),
  });
  const failed = registerAll(client);
  while (await clock.runNext(eveningMs)) if (block.isFull) await block.write();
  failed();
  await client.close();
  host.close();
  await block.write();
}

const bytesOf = (payload: Note['payload']): Uint8Array =>
  typeof payload === 'string' ? Buffer.from(payload, 'utf8') : payload;

/** Registers every event while the exchange lists it. Returns a function that throws what went wrong. */
function registerAll(client: ExchangeClient): () => void {
  let failure: { readonly error: unknown } | null = null;
  client.stream$.subscribe({
    next: (signal) => {
      if (signal.kind !== 'frame') return;
      for (const entry of signal.entries) {
        if (entry.tag === 'event') client.registerEvent(entry.event.sport, entry.event.eventId);
        if (entry.tag === 'remove_event') client.unregisterEvent(entry.sport, entry.eventId);
      }
    },
    error: (error: unknown) => void (failure = { error }),
  });
  return () => {
    if (failure !== null) throw failure.error;
  };
}

/** Gathers records and writes them together. */
class Block {
  readonly #writer: Pick<RecordingWriter, 'append'>;
  #records: RecordingRecord[] = [];
  #bytes = 0;

  constructor(writer: Pick<RecordingWriter, 'append'>) {
    this.#writer = writer;
  }

  get isFull(): boolean {
    return this.#bytes >= BLOCK_BYTES;
  }

  add(record: RecordingRecord): void {
    this.#records.push(record);
    this.#bytes += record.payload.length;
  }

  async write(): Promise<void> {
    const records = this.#records;
    [this.#records, this.#bytes] = [[], 0];
    await this.#writer.append(records);
  }
}

/** The result in the form of a `result` record: null for an event that is void. The modelled market has no result without a score or places. */
function resultText({ sport, eventId }: SimEventName, result: EventResult | null): string {
  const name = { sport, event_id: eventId };
  if (result === null || result.kind === 'settled') return JSON.stringify({ ...name, result: null });
  if (result.kind === 'places')
    return JSON.stringify({ ...name, result: { kind: 'places', places: Object.fromEntries(result.places) } });
  const { kind, home, away, halfTimeHome, halfTimeAway } = result;
  const score = { kind, home, away, half_time_home: halfTimeHome, half_time_away: halfTimeAway };
  return JSON.stringify({ ...name, result: score });
}

type OnResult = (event: SimEventName, result: EventResult | null) => void;

/** The same feed; each result is reported before the market settles it. */
const withResults = (feed: Feed, onResult: OnResult): Feed =>
  observedFeed(feed, (market) => ({
    settle: (event, result, nowMs) => {
      onResult(event, result);
      market.settle(event, result, nowMs);
    },
    voidEvent: (event, nowMs) => {
      onResult(event, null);
      market.voidEvent(event, nowMs);
    },
  }));
