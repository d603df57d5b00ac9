import type { Config } from '../../src/app/config/load.ts';
import { riskLimitsOf } from '../../src/app/config/part-options.ts';
import { runningOf } from '../../src/app/running-strategies.ts';
import { configuredPriceSources } from '../../src/app/config/price-sources.ts';
import type { FrameRecord } from '../../src/app/research/replay/recorded-frames.ts';
import { strategyLimitsOf } from '../../src/app/config/strategy-options.ts';
import { configuredStrategies } from '../../src/app/config/validate.ts';
import { Core } from '../../src/engine/core.ts';
import { type Difference, NO_TIME, Replay, timersOf } from '../../src/engine/replay.ts';
import type { EventId, SelectionId } from '../../src/domain/ids.ts';
import { selectionOf } from '../../src/domain/selection.ts';
import type { SourcePrice } from '../../src/domain/source-price.ts';
import type { Quote } from '../../src/domain/stream.ts';
import { Strategies } from '../../src/engine/strategies.ts';
import { TurnClock } from '../../src/engine/turn-clock.ts';
import { ChangedRecord, lineOf, recordIn, type TurnRecord } from '../../src/engine/turn-record.ts';

import type { Clock } from '../../src/ports/clock.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { noMetrics } from '../../src/ports/metrics.ts';
import type { SimEventName } from '../../src/simulator/core/api.ts';
import { faultSchema } from '../../src/simulator/faults/schema.ts';
import type { DaemonPlan, SimPlan } from '../sim/plan.ts';
import type { Planted } from '../sim/planted/planted.ts';
import { World } from '../sim/world.ts';
import { type FakeInputs, fakeInputs } from './fake-source-inputs.ts';

/** A run of the daemon on the embedded exchange, turn by turn. */
export interface RecordedDay {
  readonly config: Config;
  /** A line for each turn. */
  readonly lines: readonly string[];
  /** Each message of the stream, as it would be recorded. */
  readonly frames: readonly FrameRecord[];
  /** The records of the journal, as JSON. */
  readonly journal: string;
  readonly fills: number;
  readonly reconnects: number;
  readonly kills: number;
  /** The owners of events, as they were claimed. */
  readonly owners: readonly string[];
}

const STEP_MS = 1_000;

const planOf = (seed: number, activeS: number, daemon: Partial<DaemonPlan>): SimPlan => ({
  seed,
  activeS,
  acts: [],
  world: { events: 4, speed: 1, latencyMs: [10, 60], openBetslips: 30, betslipsPerDay: 2_000 },
  daemon: {
    strategy: 'inventory',
    durationS: 30,
    heartbeatS: 30,
    maxSelections: 3,
    inPlay: true,
    eventLimitUsdt: 4_000,
    ...daemon,
  },
  faults: [faultSchema.parse({ target: 'stream', fault: 'raw_close', at: activeS / 3 })],
});

/** A day whose strategy reads a price source quotes whole three-way markets. */
const withSource = (plan: SimPlan, source: DaySource | undefined): SimPlan =>
  source === undefined
    ? plan
    : {
        ...plan,
        daemon: { ...plan.daemon, strategy: source.strategy, maxSelections: 6, marketTypes: ['wdw'] },
      };

/** Time passes while the daemon works, as in the real world: a little at each reading of the clock. */
function creeping(clock: Clock): Clock {
  let lookedAt = 0;
  const creptMs = (): number => ++lookedAt * 1e-5;
  return {
    monotonicMs: () => clock.monotonicMs() + creptMs(),
    wallMs: () => clock.wallMs() + creptMs(),
    after: (delayMs, run) => clock.after(delayMs, run),
  };
}

/** A price source of a recorded day: its settings, and the lines that it reads each second. */
export interface DaySource {
  readonly strategy: string;
  /** A file of settings. */
  readonly file: string;
  /** Text for the file that the source reads. */
  readonly linesAt: (second: number, events: readonly SimEventName[]) => string;
}

/** The path of the file that the source of a recorded day reads. */
export const DAY_PRICES = '/prices.jsonl';

/** What differs from a day of one strategy without price sources. */
export interface DayChanges {
  readonly daemon?: Partial<DaemonPlan>;
  readonly source?: DaySource;
}

/** Runs a day: the stream is lost after a third of it. After a half a person kills, and resumes a minute later. */
export async function recordDay(
  seed: number,
  activeS: number,
  { daemon = {}, source }: DayChanges = {},
): Promise<RecordedDay> {
  let fake: FakeInputs | null = null;
  const ofSource: Partial<Planted> =
    source === undefined
      ? {}
      : { file: source.file, sourceInputs: (clock) => (fake = fakeInputs(clock)).inputs };
  const planted = { name: 'none', clock: creeping, ...ofSource };
  const world = new World(withSource(planOf(seed, activeS, daemon), source), planted);
  const lines: string[] = [];
  world.onTurn = (line) => lines.push(line);
  const frames: FrameRecord[] = [];
  world.onFrame = ({ connection, monotonicMs, ...step }) => {
    if (step.kind === 'received') frames.push({ channel: connection, monotonicMs, payload: step.data });
  };
  await world.begin();
  const pass = async (seconds: number): Promise<void> => {
    for (let atS = 0; atS < seconds; atS++) {
      const second = Math.round(world.clock.monotonicMs() / STEP_MS);
      fake?.append(DAY_PRICES, source?.linesAt(second, world.inspectEvents()) ?? '');
      await world.clock.advance(STEP_MS);
    }
  };
  await pass(activeS / 2);
  const { run } = world;
  if (!run?.started) throw new Error('the daemon did not start');
  run.daemon.controls().kill('a drill', 'a person');
  await pass(60);
  run.daemon.controls().resume('the drill is over', 'a person');
  await pass(activeS / 2 - 60);
  const { reconnects } = run.composed.readModel;
  const stopped = run.daemon.stop('the end', 10_000);
  await pass(15);
  await stopped;
  const fills = world.orders.all().reduce((sum, order) => sum + order.fills.length, 0);
  const owned = world.disk.store.records.filter(({ kind }) => kind === 'event_owned');
  const owners = owned.map(({ data }) => (data as { readonly owner: string }).owner);
  const journal = JSON.stringify(world.disk.store.records);
  return { config: run.config, lines, frames, journal, fills, reconnects, kills: 1, owners };
}

/** The result of deciding a second time. */
export interface Verdict {
  readonly turns: number;
  readonly decisions: number;
  /** The first turn whose line differs from the written one; null for none. */
  readonly changed: number | null;
  readonly differences: readonly Difference[];
}

/**
 * Decides all turns again with deciders that know nothing else. Ends at the first turn that was changed, or that gives
 * another result.
 */
export async function decideAgain({
  config,
  lines,
}: Pick<RecordedDay, 'config' | 'lines'>): Promise<Verdict> {
  const configured = await configuredStrategies(config);
  const sources = await configuredPriceSources(config);
  const limits = riskLimitsOf(config);
  const running = configured.map(runningOf);
  const clock = new TurnClock(NO_TIME);
  const core = new Core({
    limits,
    staleAfterMs: config.market.staleAfterS * 1000,
    clock,
    priceSources: sources.map(({ rules }) => rules),
    strategyLimits: strategyLimitsOf(configured, limits),
    strategies: (isOff) => new Strategies(running, { timers: timersOf(clock), log: () => undefined, isOff }),
    logger: silentLogger,
    metrics: noMetrics,
    onNotice: () => undefined,
  });
  const replay = new Replay(core, clock);
  let decisions = 0;
  for (const [index, line] of lines.entries()) {
    const turns = index + 1;
    try {
      const record = recordIn(line);
      decisions += record.decided.length;
      const differences = replay.turn(record);
      if (differences.length > 0) return { turns, decisions, changed: null, differences };
    } catch (error) {
      if (!(error instanceof ChangedRecord)) throw error;
      return { turns, decisions, changed: turns, differences: [] };
    }
  }
  return { turns: lines.length, decisions, changed: null, differences: [] };
}

/** The line with one digit of its inputs changed. */
export function withByte(line: string): string {
  const at =
    line.indexOf('"inputs":[') + Math.floor((line.indexOf('],"decided"') - line.indexOf('"inputs":[')) / 2);
  const digit = /\d/.exec(line.slice(at));
  if (digit === null) throw new Error('the turn has no digit in its inputs');
  const place = at + digit.index;
  return `${line.slice(0, place)}${digit[0] === '9' ? '8' : '9'}${line.slice(place + 1)}`;
}

/** The lines with a private quote changed in a turn that quotes its selection, and with that turn's checksum renewed. */
export function withPrice(lines: readonly string[]) {
  for (const [index, line] of lines.entries()) {
    const record = recordIn(line);
    if (record.turn.seq < lines.length / 2) continue;
    for (const { event, targets } of record.decided) {
      const quoted = targets?.map(({ selectionId }) => selectionId) ?? [];
      const inputs = record.turn.inputs.map((input) => repriced(input, quoted));
      if (inputs.every((input, at) => input === record.turn.inputs[at])) continue;
      const changed = lineOf({ ...record, turn: { ...record.turn, inputs } });
      return { lines: lines.with(index, changed), seq: record.turn.seq, event };
    }
  }
  throw new Error('no turn has a private quote of what it views');
}

/** The same input, or with the prices of one private quote of these selections half as high again. */
function repriced<I extends TurnRecord['turn']['inputs'][number]>(
  input: I,
  selections: readonly SelectionId[],
): I {
  if (input.kind !== 'signal' || input.signal.kind !== 'frame') return input;
  const { entries } = input.signal;
  const at = entries.findIndex((entry) => entry.tag === 'pmm' && isQuoteOf(entry.quote, selections));
  const entry = entries[at];
  if (entry?.tag !== 'pmm') return input;
  const { quote } = entry;
  const priceList = quote.priceList.map((value, place) => (place % 3 === 0 ? value * 1.5 : value));
  const changed = { ...entry, quote: { ...quote, priceList } };
  return { ...input, signal: { ...input.signal, entries: entries.with(at, changed) } };
}

function isQuoteOf(
  { sport, eventId, betType, priceList }: Quote,
  selections: readonly SelectionId[],
): boolean {
  const name = selectionOf(sport, eventId, betType);
  return name !== null && selections.includes(name.id) && priceList.length > 0;
}

/** The lines with one price of a source changed, in a turn that decides by it, and with that turn's checksum renewed. */
export function withSourcePrice(lines: readonly string[]) {
  for (const [index, line] of lines.entries()) {
    const { turn, decided } = recordIn(line);
    if (turn.seq < lines.length / 2) continue;
    for (const { event, targets } of decided) {
      if (targets === null || targets.length === 0) continue;
      const inputs = turn.inputs.map((input) =>
        input.kind === 'source_prices'
          ? { ...input, prices: input.prices.map((each) => raised(each, event.eventId)) }
          : input,
      );
      if (JSON.stringify(inputs) === JSON.stringify(turn.inputs)) continue;
      const changed = lineOf({ turn: { ...turn, inputs }, decided });
      return { lines: lines.with(index, changed), seq: turn.seq, event };
    }
  }
  throw new Error('no turn has a source’s price of what it quotes');
}

/** The price of a home win of the event, 2 % higher. */
const raised = (each: SourcePrice, event: EventId): SourcePrice =>
  each.price !== null && each.key === `${event}|wdw|h` ? { ...each, price: each.price * 1.02 } : each;
