/** Imported markets in a recording. */
import { groupedByEvent } from '../../betfair/identity.ts';
import { payloadJson } from '../../recording/payload-json.ts';
import { RecordingError } from '../../domain/errors.ts';
import type { RecordingFolder } from '../../ports/recording-folder.ts';
import type { RecordingRecord } from '../../recording/format.ts';
import { RecordingReader } from '../../recording/reader.ts';
import type { RecordingWriter } from '../../recording/writer.ts';
import type { ImportSink } from '../import/betfair.ts';
import { eventOf, type ImportedEvent } from '../import/event-import.ts';
import { type GivenResult, keyOf as keyOfEvent, resultIn, settledBy } from '../import/given-results.ts';
import type { ImportedMarket } from '../import/market-import.ts';
import type { Updates } from '../tape.ts';
import { concatenated } from './in-memory.ts';
import { updatesIn, updatesPayload } from './updates-record.ts';

/** Payload bytes of a block, about: small markets share one. */
const BLOCK_BYTES = 1024 * 1024;
/** So many updates are in memory at once, unless one event has more: a hundred megabytes. */
const UPDATES_AT_ONCE = 5_000_000;

interface StoredMarket {
  readonly market: ImportedMarket;
  readonly updates: number;
}

/** Writes what an import reads into a recording. */
export class MarketStore implements ImportSink {
  readonly #writer: Pick<RecordingWriter, 'append'>;
  readonly #counts = new Map<string, number>();
  #waiting: RecordingRecord[] = [];
  #bytes = 0;

  constructor(writer: Pick<RecordingWriter, 'append'>) {
    this.#writer = writer;
  }

  async updates(source: number, marketId: string, updates: Updates): Promise<void> {
    const key = keyOf(source, marketId);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + updates.length);
    await this.#add('updates', source, marketId, updates.atMs[0] ?? 0, updatesPayload(marketId, updates));
  }

  async market(source: number, market: ImportedMarket): Promise<void> {
    const key = keyOf(source, market.marketId);
    const stored: StoredMarket = { market, updates: this.#counts.get(key) ?? 0 };
    this.#counts.delete(key);
    const payload = new TextEncoder().encode(JSON.stringify(stored));
    await this.#add('market', source, market.marketId, market.definition.startMs, payload);
  }

  /** Writes what waits. */
  async flush(): Promise<void> {
    const records = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    await this.#writer.append(records);
  }

  async #add(
    kind: RecordingRecord['kind'],
    channel: number,
    marketId: string,
    wallMs: number,
    payload: Uint8Array,
  ): Promise<void> {
    this.#waiting.push({ kind, wallMs, monotonicMs: 0, channel, events: [marketId], payload });
    this.#bytes += payload.length;
    if (this.#bytes >= BLOCK_BYTES) await this.flush();
  }
}

/** A market of a recording, with the place of its updates. */
interface PlacedMarket extends StoredMarket {
  readonly session: number;
  readonly source: number;
}

/** The imported markets of a recording. */
export class StoredMarkets {
  readonly #folder: RecordingFolder;
  readonly #groups: readonly (readonly PlacedMarket[])[];
  /** Results that were added later, by event; the last one counts. */
  readonly #results: ReadonlyMap<string, GivenResult>;

  private constructor(
    folder: RecordingFolder,
    groups: readonly (readonly PlacedMarket[])[],
    results: ReadonlyMap<string, GivenResult>,
  ) {
    this.#folder = folder;
    this.#groups = groups;
    this.#results = results;
  }

  /** Rejects with RecordingError if the folder is not a readable recording. */
  static async open(folder: RecordingFolder): Promise<StoredMarkets> {
    const reader = await RecordingReader.open(folder);
    const placed: PlacedMarket[] = [];
    const results = new Map<string, GivenResult>();
    for await (const { block, records } of reader.blocks({ kinds: ['market', 'result'] }))
      for (const record of records) {
        const result = record.kind === 'result' ? resultIn(record.payload) : null;
        if (result !== null) results.set(keyOfEvent(result.sport, result.eventId), result);
        if (record.kind === 'market')
          placed.push({ ...storedIn(record), session: block.index.session, source: record.channel });
      }
    const placedOf = new Map(placed.map((each) => [each.market, each]));
    const groups = groupedByEvent(placed.map(({ market }) => market)).map((group) =>
      group.flatMap((market) => placedOf.get(market) ?? []),
    );
    return new StoredMarkets(
      folder,
      groups.toSorted((a, b) => startOf(a) - startOf(b)),
      results,
    );
  }

  /** Where each market stands, by its id: it is imported once. */
  places(): Map<string, string> {
    return new Map(this.#groups.flat().map(({ market }) => [market.marketId, this.#folder.path]));
  }

  /** The events by their scheduled start. */
  async *events(): AsyncGenerator<ImportedEvent> {
    for (let from = 0; from < this.#groups.length;) {
      const until = this.#until(from);
      const batch = this.#groups.slice(from, until);
      const updates = await this.#updatesOf(batch.flat());
      for (const group of batch) {
        const event = eventOf(
          group.map((placed) => ({ ...placed.market, updates: concatenated(updates.get(placed) ?? []) })),
        );
        yield { ...event, tapes: event.tapes.map((tape) => settledBy(tape, this.#results)) };
      }
      from = until;
    }
  }

  /** The end of the batch that begins at a group. */
  #until(from: number): number {
    let sum = 0;
    let until = from;
    for (; until < this.#groups.length; until++) {
      for (const { updates } of this.#groups[until] ?? []) sum += updates;
      if (until > from && sum > UPDATES_AT_ONCE) break;
    }
    return until;
  }

  async #updatesOf(markets: readonly PlacedMarket[]): Promise<Map<PlacedMarket, Updates[]>> {
    const byKey = new Map(
      markets.map((placed) => [`${placed.session} ${keyOf(placed.source, placed.market.marketId)}`, placed]),
    );
    const found = new Map<PlacedMarket, Updates[]>(markets.map((placed) => [placed, []]));
    const reader = await RecordingReader.open(this.#folder);
    const events = markets.map(({ market }) => market.marketId);
    for await (const { block, records } of reader.blocks({ kinds: ['updates'], events }))
      for (const { channel, payload } of records) {
        const { marketId, updates } = updatesIn(payload);
        const placed = byKey.get(`${block.index.session} ${keyOf(channel, marketId)}`);
        if (placed !== undefined) found.get(placed)?.push(updates);
      }
    return found;
  }
}

const keyOf = (source: number, marketId: string): string => `${source}:${marketId}`;

const startOf = (group: readonly PlacedMarket[]): number =>
  Math.min(...group.map(({ market }) => market.definition.startMs));

function storedIn({ payload }: RecordingRecord): StoredMarket {
  const stored = payloadJson(payload) as Partial<StoredMarket> | null;
  if (typeof stored?.market?.marketId !== 'string' || typeof stored.updates !== 'number')
    throw new RecordingError('a record of a market has neither its id nor the number of its updates', {});
  return { ...(stored as StoredMarket), market: completed(stored.market as ImportedMarket) };
}

/** The fields that an earlier version did not write. */
interface EarlierMarket extends Omit<ImportedMarket, 'scheduledMs' | 'removals' | 'definition'> {
  readonly scheduledMs?: number;
  readonly removals?: ImportedMarket['removals'];
  readonly definition: Omit<ImportedMarket['definition'], 'betDelayModels'> & {
    readonly betDelayModels?: readonly string[];
  };
}

/** A recording of an earlier version says less of a market. */
const completed = (market: EarlierMarket): ImportedMarket => ({
  ...market,
  scheduledMs: market.scheduledMs ?? market.definition.startMs,
  removals: market.removals ?? [],
  definition: { ...market.definition, betDelayModels: market.definition.betDelayModels ?? [] },
});
