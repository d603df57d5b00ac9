import { RecordingError } from '../../domain/errors.ts';
import type { SourceBatch } from '../../domain/source-price.ts';
import type { PriceConvention } from '../../domain/odds.ts';
import { Votes } from '../../engine/convention/votes.ts';
import { payloadJson } from '../../recording/payload-json.ts';
import type { RecordingFolder } from '../../ports/recording-folder.ts';
import type { RecordingRecord } from '../../recording/format.ts';
import { RecordingReader } from '../../recording/reader.ts';
import type { ImportedEvent } from '../../research/import/event-import.ts';
import { type GivenResult, keyOf, resultIn, settledBy } from '../../research/import/given-results.ts';
import { ExchangeTapes } from '../../research/tapes/from-exchange.ts';
import { readFrame } from '../../venue/index.ts';

const KINDS = ['connection', 'frame', 'gap', 'result', 'prices'] as const;
const nobodyCounts = { note: (): void => undefined };

/**
 * The events of a recording of the exchange, session by session, and by their start within one. `sessions`: only those. Rejects with
 * RecordingError.
 */
export async function* exchangeEvents(
  folder: RecordingFolder,
  sessions?: readonly number[],
): AsyncGenerator<ImportedEvent> {
  const reader = await RecordingReader.open(folder);
  let session: Session | null = null;
  for await (const { block, records } of reader.blocks({
    kinds: KINDS,
    ...(sessions === undefined ? {} : { sessions }),
  })) {
    if (session !== null && session.number !== block.index.session) {
      yield* session.events();
      session = null;
    }
    session ??= new Session(block.index.session, conventionIn(reader, block.index.session));
    for (const record of records) session.read(record);
  }
  if (session !== null) yield* session.events();
}

class Session {
  readonly number: number;
  readonly #tapes = new ExchangeTapes();
  readonly #results = new Map<string, GivenResult>();
  readonly #votes = new Votes();
  #convention: PriceConvention | null;
  #dropped = 0;

  /** `convention` is the recording's own word; null if it has none. */
  constructor(number: number, convention: PriceConvention | null) {
    [this.number, this.#convention] = [number, convention];
  }

  read({ kind, wallMs, payload }: RecordingRecord): void {
    if (kind === 'frame') {
      const entries = readFrame(payload, nobodyCounts).entries.filter((entry) => entry.tag !== 'response');
      for (const entry of entries) this.#tapes.entry(entry, wallMs);
      this.#votes.take(entries);
      this.#convention = this.#votes.tally.verdict ?? this.#convention;
    } else if (kind === 'connection' && isEnd(payload)) {
      this.#tapes.lost(wallMs);
      this.#votes.clear();
    } else if (kind === 'gap') this.#dropped++;
    else if (kind === 'prices') this.#tapes.prices(payloadJson(payload) as SourceBatch, wallMs);
    else if (kind === 'result') {
      const result = resultIn(payload);
      if (result !== null) this.#results.set(keyOf(result.sport, result.eventId), result);
    }
  }

  /** Rejects a session whose prices a tape cannot hold. */
  *events(): Generator<ImportedEvent> {
    if (this.#convention !== 'lay') throw notLay(this.number, this.#convention);
    const remarks = this.#remarks();
    for (const [at, tape] of this.#tapes.tapes().entries())
      yield {
        tapes: [settledBy(tape, this.#results)],
        leftOut: [],
        remarks: at === 0 ? remarks : [],
        counts: null,
      };
  }

  #remarks(): string[] {
    const { unknownBetTypes, offLadder } = this.#tapes.leftOut;
    const counted: readonly (readonly [number, string])[] = [
      [unknownBetTypes, 'offers of unknown bet types are left out'],
      [offLadder, 'prices between two ticks are left out'],
      [this.#dropped, 'gaps, in which the recording dropped what it could not write'],
    ];
    return counted.flatMap(([count, what]) =>
      count === 0 ? [] : [`session ${this.number}: ${count} ${what}`],
    );
  }
}

/** The convention of prices that the manifest of a session names. A recording from before the field holds lay prices. */
function conventionIn({ manifest }: RecordingReader, number: number): PriceConvention | null {
  const convention = manifest.sessions.find(({ session }) => session === number)?.convention;
  return convention === undefined ? 'lay' : convention;
}

/** A tape holds lay prices alone. */
export class NotLayPrices extends RecordingError {}

const notLay = (number: number, convention: PriceConvention | null): NotLayPrices =>
  new NotLayPrices(
    convention === null
      ? `session ${number} does not show whether its against prices are odds or lay prices: record again with exchange.againstPrices set`
      : `session ${number} has against prices that are odds, and a backtest reads lay prices: import Betfair's files, or record an exchange of lay prices ("touchline replay RECORDING" reads this one)`,
    { session: number },
  );

/** Whether a `connection` record tells that a connection is over. */
function isEnd(payload: Uint8Array): boolean {
  const { step } = payloadJson(payload) as { readonly step?: unknown };
  return step === 'closed' || step === 'terminated';
}
