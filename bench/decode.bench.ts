/**
 * The cost of decoding and joining the socket's bytes into selection state, beside a bare JSON.parse of the same frames
 * (200 offers of 3 levels); the time from a frame's bytes to checked intents; and the memory of 10,000 selections,
 * decoder and state together. `node --expose-gc bench/decode.bench.ts`.
 */
import { NEVER, Subject } from 'rxjs';
import { systemClock } from '../src/app/adapters/system-clock.ts';
import { type SelectionId, sport } from '../src/domain/ids.ts';
import type { StreamEntry, StreamSignal } from '../src/domain/stream.ts';
import { createMarket, type Market } from '../src/market/index.ts';
import { silentLogger } from '../src/ports/logger.ts';
import { noMetrics } from '../src/ports/metrics.ts';
import { hostedBy } from '../test/support/strategy-host.ts';
import { parseParameters } from '../src/strategy/loader.ts';
import { FrameDecoder } from '../src/venue/frames/frame-decoder.ts';
import { readFrame } from '../src/venue/wire/frame.ts';
import { silentSurvey } from '../src/venue/wire/survey.ts';
import symmetric from '../strategies/symmetric.ts';
import { figure, percentile } from './figures.ts';
import { benchRandom, countOf, eventIdOf, frameText, nextBroadcast, offersOf } from './frames.ts';

const OFFERS = 200;
const FRAMES = 400;
const ROUNDS = 9;
const QUOTED = 20;
const FLAT = { ifWinMicros: 0, ifLoseMicros: 0 };
const ACCOUNT = { position: () => FLAT, held: [], realisedMicros: 0, budgets: null };
const utf8 = new TextEncoder();
const text = new TextDecoder();

/** Bytes of successive broadcasts of one event, each with a share of its offers changed. */
function framesWith(share: number): Uint8Array[] {
  const random = benchRandom(`share ${share}`);
  let offers = offersOf(eventIdOf(0), OFFERS, random);
  return Array.from({ length: FRAMES }, () => {
    offers = nextBroadcast(offers, share, random);
    return utf8.encode(frameText(offers));
  });
}

const now = () => ({ monotonicMs: systemClock.monotonicMs(), wallMs: systemClock.wallMs() });

interface Rig {
  readonly market: Market;
  readonly decoder: FrameDecoder;
  receive(bytes: Uint8Array): void;
}

/** The daemon's path of a frame, without the socket. */
function rig(): Rig {
  const options = { staleAfterMs: 3_600_000 };
  const market = createMarket(options, systemClock, silentLogger, noMetrics);
  const signals$ = new Subject<StreamSignal>();
  const none = { account$: NEVER, sourcePrices$: NEVER };
  market.changes$({ signals$, ...none }).subscribe(() => undefined);
  const decoder = new FrameDecoder(silentSurvey);
  const receive = (bytes: Uint8Array): void => {
    const { sentMs, entries } = decoder.decode(bytes);
    signals$.next({
      kind: 'frame',
      epoch: 1,
      sentMs,
      receivedMonotonicMs: systemClock.monotonicMs(),
      entries: entries.filter((entry): entry is StreamEntry => entry.tag !== 'response'),
    });
  };
  return { market, decoder, receive };
}

/** Microseconds of each run, ascending. */
function times<T>(inputs: readonly T[], run: (input: T) => void): number[] {
  const all = inputs.map((input) => {
    const from = performance.now();
    run(input);
    return (performance.now() - from) * 1000;
  });
  return all.sort((a, b) => a - b);
}

interface Contest {
  readonly name: string;
  readonly run: (bytes: Uint8Array) => void;
}

/** Medians of the contestants on the same frames. They take turns, so that a busy moment affects all of them. */
function contest(frames: readonly Uint8Array[], contestants: readonly Contest[]): Map<string, number> {
  const medians = contestants.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, { run }] of contestants.entries()) medians[i]?.push(percentile(times(frames, run), 0.5));
  }
  // The first two rounds warm up; the median of the others counts.
  const settled = medians.map((all) =>
    percentile(
      all.slice(2).sort((a, b) => a - b),
      0.5,
    ),
  );
  return new Map(contestants.map(({ name }, i) => [name, settled[i] as number]));
}

function benchDecode(share: number): void {
  const frames = framesWith(share);
  const joined = rig();
  const decoder = new FrameDecoder(silentSurvey);
  const results = contest(frames, [
    { name: 'JSON.parse', run: (bytes) => void JSON.parse(text.decode(bytes)) },
    { name: 'general reader', run: (bytes) => void readFrame(bytes, silentSurvey) },
    { name: 'decode', run: (bytes) => void decoder.decode(bytes) },
    { name: 'decode and join', run: (bytes) => joined.receive(bytes) },
  ]);
  const bare = results.get('JSON.parse') as number;
  const line = [...results].map(([name, us]) => `${name} ${us.toFixed(0)} µs (${(us / bare).toFixed(3)})`);
  console.log(`${String(share * 100).padStart(3)} % of ${OFFERS} offers changed: ${line.join(', ')}`);
  // JSON.parse is the reference: no change of the project moves it.
  for (const [name, us] of results)
    if (name !== 'JSON.parse') figure(`${name}, ${share * 100} % changed, p50`, us, 'µs');
}

/** Bytes in, checked intents out: decode, join, view of 20 selections, strategy, host. */
function benchIntents(): void {
  const frames = framesWith(0.05);
  const { market, receive } = rig();
  const host = hostedBy(symmetric, parseParameters(symmetric, {}));
  const id = eventIdOf(0);
  const described = {
    sport: 'fb',
    event_id: id,
    event_type: 'normal',
    ir_status: 'pre_event',
    home: 'A',
    away: 'B',
  };
  receive(utf8.encode(JSON.stringify({ ts: 0, data: [['event', { ...described, start_time: 2e9 }]] })));
  receive(frames[0] as Uint8Array);
  const event = { sport: sport('fb'), eventId: id };
  const chosen: SelectionId[] = market
    .candidates(event)
    .slice(0, QUOTED)
    .map(({ selectionId }) => selectionId);
  if (market.view(event, chosen, ACCOUNT, now()) === null)
    return console.log('frame to intents: not measured, the market has no view of the event');
  let intents = 0;
  const quote = (bytes: Uint8Array): void => {
    receive(bytes);
    const view = market.view(event, chosen, ACCOUNT, now());
    if (view !== null) intents = countOf(host.quote(view));
  };
  const rounds = Array.from({ length: ROUNDS }, () => times(frames, quote)).slice(2);
  const [p50, p99] = [0.5, 0.99].map((share) =>
    Math.min(...rounds.map((round) => percentile(round, share))),
  ) as [number, number];
  console.log(
    `frame to ${intents} intents on ${QUOTED} selections: p50 ${p50.toFixed(0)} µs, p99 ${p99.toFixed(0)} µs`,
  );
  figure('frame to intents, p50', p50, 'µs');
  figure('frame to intents, p99', p99, 'µs', 'tail');
}

/** Each selection has two directions, so there are twice as many markets. */
const SELECTIONS = 10_000;
const PER_EVENT = 150;

/** Heap and array buffers, in bytes. */
function held(gc: () => void): number {
  // Buffers are freed some collections after the objects that held them.
  for (let i = 0; i < 5; i++) gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function benchMemory(): void {
  const { gc } = globalThis;
  if (gc === undefined) return console.log('memory: run node with --expose-gc');
  const random = benchRandom('memory');
  const { decoder, receive } = rig();
  const before = held(() => gc());
  for (let i = 0; i < (2 * SELECTIONS) / PER_EVENT; i++) {
    receive(utf8.encode(frameText(offersOf(eventIdOf(i), PER_EVENT, random))));
  }
  const grown = held(() => gc()) - before;
  const markets = decoder.size;
  const each = grown / markets;
  console.log(
    `memory of ${markets / 2} selections, for and against of 3 levels each: ${(grown / 1e6).toFixed(1)} MB, ` +
      `${(2 * each).toFixed(0)} B a selection; ${markets} markets, so ${each.toFixed(0)} B a market and ` +
      `${((each * SELECTIONS) / 1e6).toFixed(1)} MB for ${SELECTIONS} quoted in one direction`,
  );
  figure('memory of a selection, decoder and state', 2 * each, 'B');
  // Uses the decoder once more, so that the measured objects are not collected earlier.
  receive(utf8.encode('{"ts": 0, "data": [["clear_events", null]]}'));
}

for (const share of [0.05, 0.5, 1]) benchDecode(share);
benchIntents();
benchMemory();
