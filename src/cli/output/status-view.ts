import { MODES } from '../../domain/mode.ts';
import { plainText } from '../../lib/plain-text.ts';
import {
  type EventStatus,
  type LimitUse,
  type ProfitWords,
  type SelectionStatus,
  type Status,
  type StrategyOff,
  type StrategyStatus,
  refusedInWords,
  throwInWords,
} from '../../read-model/status.ts';
import type { RunSummary } from '../../read-model/summary.ts';
import { causesInWords, type FillRange, rangeInWords } from '../../read-model/fill-range.ts';
import { shortageInWords } from '../../read-model/readiness.ts';
import { reasonWithDetail } from '../../read-model/reason-words.ts';
import { onExchange, priceInColumn, priceInWords } from './prices.ts';

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

const BOLD = '\x1b[1m';
const DIM = '\x1b[2m';
const INVERSE = '\x1b[7m';
const RESET = '\x1b[0m';
/** Colours mean the same everywhere: gains, losses, what needs a look, and the two sides as betting sites show them. */
const GAIN = '\x1b[32m';
const LOSS = '\x1b[31m';
const LOOK = '\x1b[33m';
const BACK = '\x1b[36m';
const LAY = '\x1b[35m';
/** The frame of the dashboard has the same colours. */
const MODE_COLOURS = { grey: '', violet: '\x1b[35m', orange: '\x1b[33m' } as const;

/**
 * The live view, for 80 columns or more: who we are and what stops us, money and limits, then a row for each selection in a
 * fixed place, the last fills, and the last log lines. `events` are shown in the order given.
 */
export function renderStatus(
  status: Status,
  recent: readonly string[],
  size: TerminalSize,
  events: readonly EventStatus[] = status.events,
): string[] {
  const width = nameWidth(events, size.columns);
  const top = [...banner(status), '', heading(width)];
  const rows = events.filter(hasRows).flatMap((event) => renderEvent(event, width));
  const table = [...rows, ...withoutRows(events)];
  const waiting = missing(events);
  const room = size.rows - top.length - waiting.length - 2;
  const history = [...lastFills(status), ...recent.map((line) => DIM + plainText(line) + RESET)];
  const told = newest(history, room - table.length);
  const shown = fitted(table, room - told.length);
  return [...top, ...shown, '', ...waiting, ...told]
    .slice(0, size.rows)
    .map((line) => clip(line, size.columns));
}

/** On a small terminal the table matters more than what has happened. */
const LEAST_HISTORY = 2;

/** The first lines, which are the last fills, and the last ones, which are the newest of the log. */
function newest(history: readonly string[], room: number): readonly string[] {
  const most = Math.max(LEAST_HISTORY, room);
  if (history.length <= most) return history;
  const logs = Math.floor(most / 2);
  return [...history.slice(0, most - logs), ...history.slice(history.length - logs)];
}

const hasRows = ({ selections, strategyThrows, refusedQuotes }: EventStatus): boolean =>
  selections.length > 0 || strategyThrows !== null || refusedQuotes.length > 0;

function withoutRows(events: readonly EventStatus[]): readonly string[] {
  const others = events.filter((event) => !hasRows(event)).length;
  if (others === 0) return [];
  return [`${DIM}${others} more ${others === 1 ? 'event' : 'events'} without a chosen selection${RESET}`];
}

/** The lines that fit; the last one gives the number of the others. */
function fitted(lines: readonly string[], room: number): readonly string[] {
  if (lines.length <= room) return lines;
  if (room <= 0) return [];
  return [...lines.slice(0, room - 1), `${DIM}… ${lines.length - room + 1} more${RESET}`];
}

function banner(status: Status): string[] {
  const { ordersNow, betslipsNow, betslipsToday } = status.budgets;
  const heartbeat =
    status.heartbeatRemainingS === null ? 'off' : `${status.heartbeatRemainingS.toFixed(0)} s left`;
  const { wanted, quoted, isShort } = status.quoting.readiness;
  const { banner: text, colour } = MODES[status.mode];
  const quotes = `quotes ${quoted} of ${wanted}`;
  const stopping = status.stopping === null ? '' : `  ${BOLD}stopping: ${status.stopping}${RESET}`;
  return [
    `${BOLD}TOUCHLINE${RESET}  ${MODE_COLOURS[colour]}${INVERSE} ${text} ${RESET}  ${status.strategy}  ` +
      `${isShort ? `${LOOK}${quotes}${RESET}` : quotes}  ${status.runningS.toFixed(0)} s${stopping}`,
    `stream ${status.stream}  heartbeat ${heartbeat}  orders now ${ordersNow.toFixed(0)}  betslips ` +
      `${betslipsNow.toFixed(0)}, ${betslipsToday.toFixed(0)} today`,
    `orders open ${status.ordersOpen}  placed ${status.ordersPlaced}  refused ${status.ordersRefused}  ` +
      `fills ${status.fills}  both sides ${(100 * status.twoSidedQuoteRatio).toFixed(1)} %  throttled ${status.throttledResponses}`,
    `profit ${inWords(status.profit.run)}`,
    ...(status.profit.today === null ? [] : [`today  ${inWords(status.profit.today)}`]),
    ...(status.paperFills === undefined ? [] : paperLines(status.paperFills)),
    `limits ${nearest(status.limits)}`,
    ...troubles(status),
  ];
}

const paperLines = (range: FillRange): readonly string[] => [
  `paper  ${rangeInWords(range)}`,
  `causes ${causesInWords(range)}`,
];

const inWords = ({ settled, locked, expected, closeNow }: ProfitWords): string =>
  `settled ${money(settled)}  locked ${money(locked)}  expected ${money(expected)}  ` +
  `close now ${closeNow === null ? '-' : money(closeNow)}`;

const LIMITS_SHOWN = 2;

/** The limits with the largest part in use. */
function nearest(limits: readonly LimitUse[]): string {
  const share = ({ use, limit }: LimitUse): number => (limit === 0 ? 1 : use / limit);
  const used = limits.toSorted((a, b) => share(b) - share(a)).slice(0, LIMITS_SHOWN);
  const shown = used.map((each) => {
    const text = `${each.name} ${amount(each.use)}/${amount(each.limit)}`;
    return share(each) > 0.8 ? `${LOOK}${text}${RESET}` : text;
  });
  return shown.join('  ') || '-';
}

/** What a person should look at. */
function troubles(status: Status): readonly string[] {
  const { blocked, oldestUnknownOrderS, quoting, betslipCap } = status;
  const unknown = `an order has been unknown for ${oldestUnknownOrderS?.toFixed(0)} s`;
  return [
    ...(blocked === null ? [] : [`${BOLD}${LOSS}no orders: ${plainText(reasonWithDetail(blocked))}${RESET}`]),
    ...(oldestUnknownOrderS === null ? [] : [`${LOOK}${unknown}${RESET}`]),
    ...(quoting.readiness.isShort
      ? [`${LOOK}${plainText(shortageInWords(quoting.readiness, betslipCap.carries))}${RESET}`]
      : []),
    ...(quoting.notQuotingS === null
      ? []
      : [`${LOOK}nothing has been quoted for ${quoting.notQuotingS.toFixed(0)} s${RESET}`]),
    ...status.strategiesOff.map(offInWords),
    ...throwing(status),
    ...status.strategies.flatMap(recentError),
    ...profits(status),
  ];
}

/** Counted in the header, because the events may be among the lines that do not fit. */
function throwing({ events }: Status): readonly string[] {
  const thrown = Map.groupBy(events, ({ strategyThrows }) => strategyThrows?.strategy);
  return [...thrown].flatMap(([strategy, { length }]) => {
    if (strategy === undefined) return [];
    const concerned = length === 1 ? '1 event has' : `${length} events have`;
    return [`${BOLD}${LOOK}${plainText(strategy)} throws: ${concerned} no quotes${RESET}`];
  });
}

/** An error this old may be over. */
const RECENT_S = 60;

/** Errors other than throws, which are shown with their events. */
function recentError({ name, errors, lastError }: StrategyStatus): readonly string[] {
  if (lastError === null || lastError.kind === 'threw' || lastError.ageS > RECENT_S) return [];
  const { kind, message } = lastError;
  const times = errors[kind as keyof typeof errors] ?? 0;
  return [`${BOLD}${LOOK}${plainText(name)}: ${kind}: ${plainText(message)} (${times}x)${RESET}`];
}

/** The account's profit by strategy, if there are several. */
function profits({ strategies }: Status): readonly string[] {
  if (strategies.length < 2) return [];
  return [strategies.map(({ name, profitLoss }) => `${plainText(name)} ${money(profitLoss)}`).join('   ')];
}

const offInWords = ({ strategy, why }: StrategyOff): string =>
  `${BOLD}${LOOK}${plainText(strategy)} is off until touchline resume: ${plainText(why)}${RESET}`;

/**
 * The market's best `for` price with its stake, our `against` quote, our `for` quote, the market's best `against` price: prices
 * rise from left to right while the market is sound. All are prices of the selection. Beside our quotes stands the stake that is still
 * unfilled.
 */
const COLUMNS = ['depth', 'for', 'stake', 'our ag', 'our for', 'stake', 'ag', 'depth', 'if win', 'if lose'];
const WIDTHS = [6, 6, 6, 7, 8, 6, 6, 6, 8, 8];
/** Names get what the numbers leave, at least this. */
const LEAST_NAME_WIDTH = 13;
const LONGEST_NAME_WIDTH = 40;

/** The width of the names: that of the longest one, as far as the terminal has room. */
function nameWidth(events: readonly EventStatus[], columns: number): number {
  const longest = Math.max(
    0,
    ...events.flatMap(({ selections }) => selections.map(({ outcome }) => outcome.length)),
  );
  const room = columns - WIDTHS.reduce((sum, width) => sum + width, 0);
  return Math.max(LEAST_NAME_WIDTH, Math.min(longest + 2, room, LONGEST_NAME_WIDTH));
}

/** A name that is too long loses its middle: what tells lines apart stands at the end. */
function fittedName(name: string, width: number): string {
  if (name.length <= width) return name;
  const end = name.slice(name.lastIndexOf(' ') + 1).slice(-Math.floor(width / 2));
  return `${name.slice(0, width - end.length - 1)}…${end}`;
}

const heading = (width: number): string =>
  DIM + ''.padEnd(width) + COLUMNS.map((title, i) => title.padStart(WIDTHS[i] as number)).join('') + RESET;

/** Refused quotes of an event that are named. */
const REFUSED_SHOWN = 3;

function renderEvent(event: EventStatus, width: number): string[] {
  const { strategyThrows, refusedQuotes, quoted } = event;
  const held = quoted ? '' : ', not quoted: shown for what is held';
  const title = `${BOLD}${plainText(event.name)}${RESET} ${DIM}${plainText(event.sport)} ${whenOf(event)}${held}${RESET}`;
  const thrown =
    strategyThrows === null ? [] : [`  ${BOLD}${LOOK}${plainText(throwInWords(strategyThrows))}${RESET}`];
  const refused = refusedQuotes
    .slice(0, REFUSED_SHOWN)
    .map((each) => `  ${LOOK}${plainText(refusedInWords(each))}${RESET}`);
  const others = refusedQuotes.length - refused.length;
  if (others > 0) refused.push(`  ${LOOK}${others} more refused${RESET}`);
  return [title, ...thrown, ...refused, ...event.selections.map((each) => renderSelection(each, width))];
}

function whenOf(event: EventStatus): string {
  if (event.inRunning) return `in play ${event.score ?? ''}`.trimEnd();
  if (event.startsInMs === null) return 'start not known';
  return `starts in ${Math.max(0, Math.round(event.startsInMs / 60_000))} min`;
}

function renderSelection(selection: SelectionStatus, width: number): string {
  const { outcome, market, depth, quoted, stake, ifWin, ifLose } = selection;
  const cells: readonly (readonly [text: string, colour: string])[] = [
    [amount(depth.for), DIM],
    [price(market.for), BACK],
    [openStake(stake.against), ''],
    [price(quoted.against), BOLD],
    [price(quoted.for), BOLD],
    [openStake(stake.for), ''],
    [price(market.against), LAY],
    [amount(depth.against), DIM],
    [signed(ifWin), colourOf(ifWin)],
    [signed(ifLose), colourOf(ifLose)],
  ];
  const row = cells.map(([text, colour], i) => coloured(text.padStart(WIDTHS[i] as number), colour)).join('');
  const name = fittedName(plainText(outcome), width - 2);
  return ` ${name}`.padEnd(width) + row + there(selection);
}

/** What our quotes are called and priced on the exchange, right of the 80 columns. */
function there({ exchange = {} }: SelectionStatus): string {
  const words = [exchange.against, exchange.for].flatMap((terms) =>
    terms === undefined ? [] : `${terms.label} ${priceInWords(terms.price)}`,
  );
  return words.length === 0 ? '' : `  ${DIM}${words.join(', ')}${RESET}`;
}

const MISSING_SHOWN = 3;

/** Below the table, so that a reason that comes or goes moves no row. */
function missing(events: readonly EventStatus[]): string[] {
  const all = events.flatMap(({ selections }) => selections.filter((each) => each.missing !== null));
  const lines = all
    .slice(0, MISSING_SHOWN)
    .map(
      (each) =>
        `${LOOK}${plainText(each.outcome)} waits: ${plainText(reasonWithDetail(each.missing ?? ''))}${RESET}`,
    );
  return all.length > MISSING_SHOWN
    ? [...lines, `${LOOK}… ${all.length - MISSING_SHOWN} more wait${RESET}`]
    : lines;
}

const FILLS_SHOWN = 3;

const lastFills = ({ recentFills }: Status): string[] =>
  recentFills.slice(0, FILLS_SHOWN).map((fill) => {
    const { atMs, direction, outcome, event, stake, price: at, exchange, role } = fill;
    const time = new Date(atMs).toISOString().slice(11, 19);
    const side = coloured(direction, direction === 'for' ? BACK : LAY);
    return `${time} fill ${side} ${stake.toFixed(2)} at ${priceInWords(at)}${onExchange(exchange)} ${plainText(outcome)}, ${plainText(event)} ${DIM}${role}${RESET}`;
  });

const coloured = (text: string, colour: string): string => (colour === '' ? text : colour + text + RESET);
const colourOf = (value: number): string => (value > 0 ? GAIN : value < 0 ? LOSS : '');
const price = (value: number | null): string => (value === null ? '-' : priceInColumn(value));
const openStake = (value: number): string => (value === 0 ? '-' : amount(value));
const signed = (value: number): string => (value > 0 ? '+' : '') + value.toFixed(2);
const money = (value: number): string => coloured(signed(value), colourOf(value));

/** A number of at most five characters below 10 billion. */
function amount(value: number | null): string {
  if (value === null) return '-';
  if (value < 100) return String(Number(value.toFixed(1)));
  if (value < 10_000) return value.toFixed(0);
  return value < 1e7 ? `${(value / 1e3).toFixed(0)}k` : `${(value / 1e6).toFixed(0)}M`;
}

/** Cuts a line to the terminal's width; escape sequences have no width. */
function clip(line: string, columns: number): string {
  let room = columns;
  let clipped = '';
  for (const part of line.split(/(\x1b\[[0-9;]*m)/)) {
    const isEscape = part.startsWith('\x1b[');
    clipped += isEscape ? part : part.slice(0, room);
    if (!isEscape) room = Math.max(0, room - part.length);
  }
  return clipped;
}

/** The summary of a run, for people. */
export function renderSummary(summary: RunSummary): string[] {
  const fields = Object.entries(summary) as [string, RunSummary[keyof RunSummary]][];
  return fields.map(([key, value]) => `${key.replaceAll('_', ' ').padEnd(30)} ${shownField(value)}`);
}

/** Errors as `mine: threw 3, slow 1`, paper fills as `touch: fills 3, stake_matched 30, profit_loss 1.5`. */
function shownField(value: RunSummary[keyof RunSummary]): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const parts = Object.entries(value) as [string, number | Readonly<Record<string, number>>][];
  const errors = parts.map(([strategy, kinds]) => {
    if (typeof kinds === 'number') return `${strategy} ${kinds}`;
    const counts = Object.entries(kinds).map(([kind, times]) => `${kind} ${times}`);
    return `${plainText(strategy)}: ${counts.join(', ')}`;
  });
  return errors.length === 0 ? 'none' : errors.join('; ');
}
