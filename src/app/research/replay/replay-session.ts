/** Decides a recorded session again, with its own settings or with others, and values what differs. */
import { Replay, NO_TIME, timersOf } from '../../../engine/replay.ts';
import { ConfigError, RecordingError } from '../../../domain/errors.ts';
import { eventKey, type EventName, eventNameOf } from '../../../domain/events.ts';
import type { SelectionId } from '../../../domain/ids.ts';
import type { Micros } from '../../../domain/money.ts';
import type { Tick } from '../../../domain/ladder.ts';
import { intentKey, type IntentKey } from '../../../domain/quote-intent.ts';
import { fullSelectionName, selectionName } from '../../../domain/selection-name.ts';
import type { Direction } from '../../../domain/selection.ts';
import { Strategies } from '../../../engine/strategies.ts';
import { TurnClock } from '../../../engine/turn-clock.ts';
import { ChangedRecord, recordIn, TURN_FORMAT, type TurnRecord } from '../../../engine/turn-record.ts';
import { tradingDays } from '../../../lib/trading-day.ts';
import { silentLogger } from '../../../ports/logger.ts';
import { noMetrics } from '../../../ports/metrics.ts';
import type { RecordingFolder } from '../../../ports/recording-folder.ts';
import { RecordingReader } from '../../../recording/reader.ts';
import { QuoteLines } from '../../../research/replay/quote-lines.ts';
import type { EventTape } from '../../../research/tape.ts';
import { type BothWays, type Worth, worthOf } from '../../../research/replay/worth.ts';
import type { RiskLimits } from '../../../risk/index.ts';
import type { Config } from '../../config/load.ts';
import { riskLimitsOf } from '../../config/part-options.ts';
import { configuredPriceSources } from '../../config/price-sources.ts';
import { strategyLimitsOf } from '../../config/strategy-options.ts';
import { configuredStrategies } from '../../config/validate.ts';
import { Core } from '../../../engine/core.ts';
import type { DecidingSettings } from '../../record/deciding.ts';
import { runningOf } from '../../running-strategies.ts';
import { exchangeEvents, NotLayPrices } from '../exchange-tapes.ts';
import { RecordedFrames } from './recorded-frames.ts';

export interface ReplayChoice {
  readonly folder: RecordingFolder;
  /** Null: the last session of a run. */
  readonly session: number | null;
  /** Another strategy, by name or file; null: the recorded one. */
  readonly strategy: string | null;
  /** Parameters that replace recorded ones, or those of the other strategy. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The settings of the run, where the recording does not have all of them; null: those of the recording. */
  readonly config: Config | null;
}

/** A quote of one of the two ways to decide. */
export interface ReplayedQuote {
  readonly tick: Tick;
  readonly stakeMicros: Micros;
}

/** A decision that differs, in one quote. */
export interface ReplayDifference {
  readonly seq: number;
  /** Wall-clock milliseconds. */
  readonly atMs: number;
  readonly event: EventName;
  readonly selectionId: SelectionId;
  /** The name of the selection and its event for people; its id where the recording lacks the market. */
  readonly name: string;
  readonly direction: Direction;
  readonly level: number;
  /** Null: no quote. */
  readonly recorded: ReplayedQuote | null;
  readonly now: ReplayedQuote | null;
  /** Null where the recording lacks the market. */
  readonly worth: Worth | null;
}

export interface ReplayReport {
  readonly session: number;
  readonly program: string;
  readonly turns: number;
  readonly decisions: number;
  /** Decisions that differ in anything that a turn records; each has quotes that differ, or other reasons for the same quotes. */
  readonly differing: number;
  readonly differences: readonly ReplayDifference[];
  readonly recorded: Worth;
  readonly now: Worth;
  readonly remarks: readonly string[];
  /** The strategy of the session with its terms, for its report. */
  readonly settings: { readonly strategy: string; readonly parameters: object; readonly limits: RiskLimits };
}

/** Rejects with RecordingError if the session cannot be decided again, and with ConfigError for strategy and parameters. */
export async function replaySession(choice: ReplayChoice): Promise<ReplayReport> {
  const reader = await RecordingReader.open(choice.folder);
  const { session, program, deciding } = sessionOf(reader, choice.session);
  const config = configOf(deciding, choice);
  const frames = new RecordedFrames();
  const redecided = new Redecided(await replayOn(config, frames));
  const remarks: string[] = [];
  for await (const record of reader.records({ sessions: [session], kinds: ['frame', 'turn', 'gap'] })) {
    if (record.kind === 'gap')
      remarks.push('the recording dropped records: decisions after the gap can differ by that alone');
    else if (record.kind === 'frame') frames.take(record);
    else redecided.turn(turnIn(record.payload));
  }
  if (frames.missing > 0)
    remarks.push(
      `turns refer to ${frames.missing} frames that the recording lacks: decisions after them can differ by that alone`,
    );
  if (redecided.turns === 0)
    throw new RecordingError(
      `session ${session} has no turns, so it cannot be decided again: record with record.turns = true`,
      { path: choice.folder.path },
    );
  const tapes = await tapesOf(choice.folder, session, remarks);
  const { differences } = redecided;
  const names = namesIn(tapes);
  const worth = worthOf(
    tapes,
    redecided.lines(),
    differences.map(({ event, selectionId, direction, level, atMs }) => ({
      event,
      key: intentKey({ selectionId, direction, level }),
      atMs,
    })),
  );
  if (worth.unseen > 0)
    remarks.push(
      `${worth.unseen} quotes stand on selections that no recorded offer named: they count nothing`,
    );
  if (reader.notes.torn !== null)
    remarks.push('the recording ends in an unfinished block, which is left out');
  return {
    session,
    program,
    turns: redecided.turns,
    decisions: redecided.decisions,
    remarks: [...new Set(remarks)],
    differing: redecided.differing,
    differences: differences.map((difference, at) => ({
      ...difference,
      worth: worth.changes[at] ?? null,
      name: names.get(difference.selectionId) ?? difference.selectionId,
    })),
    recorded: worth.recorded,
    now: worth.now,
    settings: settingsOf(config),
  };
}

/** The whole names of the recorded selections. A tape of the exchange has their outcomes alone. */
export const namesIn = (
  tapes: readonly Pick<EventTape, 'eventName' | 'home' | 'away' | 'selections'>[],
): ReadonlyMap<SelectionId, string> =>
  new Map(
    tapes.flatMap(({ eventName, home, away, selections }) => {
      const who = { home: home ?? '', away: away ?? '', teams: [] };
      return selections.map(({ selectionId, outcome, name }) => {
        const shown = name === outcome ? selectionName(outcome, who) : name;
        return [selectionId, fullSelectionName(eventName, shown)] as const;
      });
    }),
  );

/** The market of the session, by which quotes are valued; empty, with a remark, if tapes cannot hold its prices. */
async function tapesOf(folder: RecordingFolder, session: number, remarks: string[]): Promise<EventTape[]> {
  const tapes: EventTape[] = [];
  try {
    for await (const event of exchangeEvents(folder, [session])) tapes.push(...event.tapes);
  } catch (error) {
    if (!(error instanceof NotLayPrices)) throw error;
    remarks.push(`${error.message}; so quotes are decided again and not valued`);
    return [];
  }
  return tapes;
}

function settingsOf(config: Config): ReplayReport['settings'] {
  const { strategy, tables } = config;
  const [first = strategy] = tables.strategy;
  const names = (tables.strategy.length === 0 ? [strategy] : tables.strategy).map(({ name }) => name);
  return {
    strategy: names.join(', '),
    parameters: first.parameters as object,
    limits: riskLimitsOf(config),
  };
}

interface RunSession {
  readonly session: number;
  readonly program: string;
  readonly deciding: DecidingSettings | null;
}

function sessionOf({ manifest }: RecordingReader, wanted: number | null): RunSession {
  const runs = manifest.sessions.filter(({ source }) => source === 'run');
  const found = wanted === null ? runs.at(-1) : runs.find(({ session }) => session === wanted);
  if (found === undefined) {
    const known = runs.map(({ session }) => session).join(', ');
    const which = wanted === null ? 'no session' : `no session ${wanted}`;
    throw new RecordingError(
      `the recording has ${which} of a run that trades; ${known === '' ? 'record one with record.path' : `sessions of runs: ${known}`}`,
      {},
    );
  }
  const format = Number(found.about['turnFormat'] ?? 1);
  if (format !== TURN_FORMAT)
    throw new RecordingError(
      `session ${found.session} was recorded by ${found.program}, whose turns this program cannot read (format ${format}; it reads ${TURN_FORMAT}): replay it with that program`,
      {},
    );
  const deciding = found.about['deciding'] as DecidingSettings | undefined;
  return { session: found.session, program: found.program, deciding: deciding ?? null };
}

/** The settings of the run, with the changes that are asked for. */
function configOf(deciding: DecidingSettings | null, choice: ReplayChoice): Config {
  const base = choice.config ?? (deciding === null ? null : recordedConfig(deciding));
  if (base === null)
    throw new ConfigError('the recording does not have the settings of its run: name them with --config');
  if (choice.config === null && (deciding?.priceSources ?? 0) > 0)
    throw new ConfigError(
      'the run had price sources, whose settings may hold secrets and are not recorded: name the configuration with --config',
    );
  if (choice.strategy === null && Object.keys(choice.parameters).length === 0) return base;
  return changed(base, choice);
}

/** Only what `replayOn` reads. */
const recordedConfig = ({
  strategies,
  priceSources: _,
  exchangePrices: _prices,
  ...settings
}: DecidingSettings): Config =>
  ({ ...settings, tables: { strategy: strategies, priceSource: [] } }) as Partial<Config> as Config;

function changed(config: Config, { strategy, parameters }: ReplayChoice): Config {
  const { tables } = config;
  const [only, ...others] = tables.strategy.length === 0 ? [config.strategy] : tables.strategy;
  if (only === undefined || others.length > 0)
    throw new ConfigError(
      '--strategy and --param change a run of one strategy; this one had several: change its configuration instead, and name it with --config',
    );
  const isOther = strategy !== null;
  const before = isOther ? {} : (only.parameters as object);
  const name = strategy ?? only.name;
  const settings = { ...only, name, parameters: { ...before, ...parameters } };
  return { ...config, strategy: settings, tables: { ...tables, strategy: [] } };
}

async function replayOn(config: Config, frames: RecordedFrames): Promise<Replay> {
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
    days: tradingDays(config.tradingDay),
    strategies: (isOff) => new Strategies(running, { timers: timersOf(clock), log: () => undefined, isOff }),
    logger: silentLogger,
    metrics: noMetrics,
    onNotice: () => undefined,
  });
  return new Replay(core, clock, frames.find);
}

function turnIn(payload: Uint8Array): TurnRecord {
  try {
    return recordIn(new TextDecoder().decode(payload));
  } catch (error) {
    if (!(error instanceof ChangedRecord)) throw error;
    throw new RecordingError('a turn is not what was recorded: its checksum is another one', {}, error);
  }
}

type Undecided = Omit<ReplayDifference, 'worth' | 'name'>;

/** Follows both ways to decide, turn by turn. */
class Redecided {
  /** Also the moments at which both ways want the same again: they end what a difference is worth. */
  readonly differences: Undecided[] = [];
  turns = 0;
  decisions = 0;
  differing = 0;
  readonly #replay: Replay;
  readonly #recorded = new QuoteLines();
  readonly #now = new QuoteLines();
  /** The quotes that differ, with both forms. */
  readonly #apart = new Map<string, string>();
  #lastMs = 0;

  constructor(replay: Replay) {
    this.#replay = replay;
  }

  turn(record: TurnRecord): void {
    const { seq, wallMs } = record.turn;
    this.turns++;
    this.decisions += record.decided.length;
    const differing = new Map(this.#replay.turn(record).map((each) => [each.event, each]));
    this.differing += differing.size;
    for (const { event, targets } of record.decided) {
      if (targets === null) continue;
      const name = eventNameOf(event);
      this.#recorded.note(name, targets, wallMs);
      this.#now.note(name, differing.get(eventKey(name))?.now ?? targets, wallMs);
      this.#compare(seq, wallMs, name);
    }
    this.#lastMs = wallMs;
  }

  lines(): BothWays {
    return { recorded: this.#recorded.lines(this.#lastMs), now: this.#now.lines(this.#lastMs) };
  }

  #compare(seq: number, atMs: number, event: EventName): void {
    const [recorded, now] = [this.#recorded.standing(event), this.#now.standing(event)];
    for (const key of new Set([...recorded.keys(), ...now.keys(), ...this.#keysApart(event)])) {
      const [before, after] = [quoteOf(recorded.get(key)), quoteOf(now.get(key))];
      const place = `${eventKey(event)} ${key}`;
      const pair = JSON.stringify([before, after]);
      const isSame = JSON.stringify(before) === JSON.stringify(after);
      if (isSame ? !this.#apart.has(place) : this.#apart.get(place) === pair) continue;
      if (isSame) this.#apart.delete(place);
      else this.#apart.set(place, pair);
      const { selectionId, direction, level } = partsOf(key);
      this.differences.push({
        seq,
        atMs,
        event,
        selectionId,
        direction,
        level,
        recorded: before,
        now: after,
      });
    }
  }

  #keysApart(event: EventName): IntentKey[] {
    const start = `${eventKey(event)} `;
    return [...this.#apart.keys()].flatMap((place) =>
      place.startsWith(start) ? [place.slice(start.length) as IntentKey] : [],
    );
  }
}

function partsOf(key: IntentKey): Pick<ReplayDifference, 'selectionId' | 'direction' | 'level'> {
  const [level = '', direction, ...selection] = key.split('#').toReversed();
  return {
    selectionId: selection.toReversed().join('#') as SelectionId,
    direction: direction as Direction,
    // The key of a take has its id here.
    level: level.startsWith('take ') ? 0 : Number(level),
  };
}

const quoteOf = (line: ReplayedQuote | undefined): ReplayedQuote | null =>
  line === undefined ? null : { tick: line.tick, stakeMicros: line.stakeMicros };
