import { age, odds, TERMINAL, timeOfDay } from '../../../lib/formats.ts';
import { MODES } from '../../../domain/mode.ts';
import { plainText } from '../../../lib/plain-text.ts';
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
} from '../../../read-model/status.ts';
import { causesInWords, type FillRange, rangeInWords } from '../../../read-model/fill-range.ts';
import { shortageInWords } from '../../../read-model/readiness.ts';
import { reasonWithDetail } from '../../../read-model/reason-words.ts';
import { labelOnExchange, onExchange } from '../../../read-model/bet-terms.ts';
import { beside, besideOf, type Block, stacked, tableBlock } from './blocks.ts';
import {
  BACK,
  BOLD,
  clip,
  coloured,
  colourOf,
  DIM,
  fittedName,
  INVERSE,
  LAY,
  LOOK,
  LOSS,
  RESET,
} from './styles.ts';

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The frame of the dashboard has the same colours. */
const MODE_COLOURS = { grey: '', violet: '\x1b[35m', orange: '\x1b[33m' } as const;

/** What a terminal with room shows besides: something above the rows of selections, and something right of them. */
export interface Besides {
  /** In so many columns. */
  readonly above: ((columns: number) => Block) | null;
  readonly right: { readonly columns: number; readonly block: Block } | null;
}

const NOTHING_BESIDES: Besides = { above: null, right: null };

/** The rows of selections take so many columns. */
export const TABLE_COLUMNS = 80;

/**
 * The live view, for 80 columns or more: who we are and what stops us, money and limits, then a row for each selection in a
 * fixed place, the last fills, and the last log lines. `events` are shown in the order given.
 */
export function renderStatus(
  status: Status,
  recent: readonly string[],
  size: TerminalSize,
  events: readonly EventStatus[] = status.events,
  besides: Besides = NOTHING_BESIDES,
): string[] {
  const isLow = size.rows < ROWS_FOR_ALL;
  const top = [...banner(status, isLow), ''];
  const main = mainOf(events, size.columns, besides);
  const waiting = isLow ? [] : missing(events);
  const room = size.rows - top.length - waiting.length - 2;
  const logs = recent.map((line) => coloured(plainText(line), DIM));
  const told = historyOf(lastFills(status), logs, Math.max(leastHistory(size.rows), room - main.height));
  return [...top, ...main.lines(room - told.length), '', ...waiting, ...told]
    .slice(0, size.rows)
    .map((line) => clip(line, size.columns));
}

function mainOf(events: readonly EventStatus[], columns: number, { above, right }: Besides): Block {
  const left = right === null ? columns : besideOf(columns, right.columns);
  const table = selectionTable(events, left);
  const stack = above === null ? table : stacked(above(left), table);
  return right === null ? stack : beside(stack, left, right.block);
}

function selectionTable(events: readonly EventStatus[], columns: number): Block {
  const width = nameWidth(events, columns);
  const rows = events.filter(hasRows).flatMap((event) => renderEvent(event, width));
  return tableBlock(heading(width), [...rows, ...withoutRows(events)]);
}

/** On a small terminal the table matters more than what has happened. */
const leastHistory = (rows: number): number =>
  rows < ROWS_FOR_ALL ? 0 : Math.max(2, Math.floor((rows - 20) / 4));

/** In fewer rows, only what people need to act stands above the table, and nothing below. */
const ROWS_FOR_ALL = 20;

/** The last fills, and the newest lines of the log. */
function historyOf(fills: readonly string[], logs: readonly string[], rows: number): readonly string[] {
  const shown = fills.slice(0, Math.max(Math.ceil(rows / 2), rows - logs.length));
  return [...shown, ...logs.slice(Math.max(0, logs.length - (rows - shown.length)))];
}

const hasRows = ({ selections, strategyThrows, refusedQuotes }: EventStatus): boolean =>
  selections.length > 0 || strategyThrows !== null || refusedQuotes.length > 0;

function withoutRows(events: readonly EventStatus[]): readonly string[] {
  const others = events.filter((event) => !hasRows(event)).length;
  if (others === 0) return [];
  return [`${DIM}${others} more ${others === 1 ? 'event' : 'events'} without a chosen selection${RESET}`];
}

function banner(status: Status, isLow: boolean): string[] {
  const { ordersNow, betslipsNow, betslipsToday } = status.budgets;
  const heartbeat =
    status.heartbeatRemainingS === null ? 'off' : `${TERMINAL.whole(status.heartbeatRemainingS)} s left`;
  const { wanted, quoted, isShort } = status.quoting.readiness;
  const { banner: text, colour } = MODES[status.mode];
  const quotes = `quotes ${quoted} of ${wanted}`;
  const stopping = status.stopping === null ? '' : `  ${BOLD}stopping: ${status.stopping}${RESET}`;
  return [
    `${BOLD}TOUCHLINE${RESET}  ${MODE_COLOURS[colour]}${INVERSE} ${text} ${RESET}  ${status.strategy}  ` +
      `${isShort ? `${LOOK}${quotes}${RESET}` : quotes}  ${age(1_000 * status.runningS)}${stopping}`,
    `stream ${status.stream}  heartbeat ${heartbeat}  orders now ${TERMINAL.whole(ordersNow)}  betslips ` +
      `${TERMINAL.whole(betslipsNow)}, ${TERMINAL.whole(betslipsToday)} today`,
    `orders open ${status.ordersOpen}  placed ${status.ordersPlaced}  refused ${status.ordersRefused}  ` +
      `fills ${status.fills}  both sides ${TERMINAL.percent(status.twoSidedQuoteRatio)}  throttled ${status.throttledResponses}`,
    `profit ${inWords(status.profit.run)}`,
    ...(isLow ? [] : bannerDetails(status)),
    ...troubles(status),
  ];
}

const bannerDetails = ({ profit, paperFills, limits }: Status): readonly string[] => [
  ...(profit.today === null ? [] : [`today  ${inWords(profit.today)}`]),
  ...(profit.run.notClosable === undefined
    ? []
    : [plainText(`no price to close at: ${profit.run.notClosable.join(', ')}`)]),
  ...(paperFills === undefined ? [] : paperLines(paperFills)),
  `limits ${nearest(limits)}`,
];

const paperLines = (range: FillRange): readonly string[] => [
  `paper  ${rangeInWords(range, TERMINAL)}`,
  `causes ${causesInWords(range)}`,
];

const inWords = ({ settled, locked, expected, closeNow, notClosable }: ProfitWords): string =>
  `settled ${money(settled)}  locked ${money(locked)}  expected ${money(expected)}  ` +
  `close now ${money(closeNow)}${withoutInWords(notClosable)}`;

const withoutInWords = (events: ProfitWords['notClosable'] = []): string =>
  events.length === 0 ? '' : ` without ${events.length} ${events.length === 1 ? 'event' : 'events'}`;

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
  const unknown = `an order has been unknown for ${age(1_000 * (oldestUnknownOrderS ?? 0))}`;
  return [
    ...(blocked === null ? [] : [`${BOLD}${LOSS}no orders: ${plainText(reasonWithDetail(blocked))}${RESET}`]),
    ...(oldestUnknownOrderS === null ? [] : [`${LOOK}${unknown}${RESET}`]),
    ...(quoting.readiness.isShort
      ? [`${LOOK}${plainText(shortageInWords(quoting.readiness, betslipCap.carries))}${RESET}`]
      : []),
    ...(quoting.notQuotingS === null
      ? []
      : [`${LOOK}nothing has been quoted for ${age(1_000 * quoting.notQuotingS)}${RESET}`]),
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
  `${BOLD}${LOOK}${plainText(strategy)} is off until touchline resume --reason "…": ${plainText(why)}${RESET}`;

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
    [TERMINAL.gain(ifWin), colourOf(ifWin)],
    [TERMINAL.gain(ifLose), colourOf(ifLose)],
  ];
  const row = cells.map(([text, colour], i) => coloured(text.padStart(WIDTHS[i] as number), colour)).join('');
  const name = fittedName(plainText(outcome), width - 2);
  return ` ${name}`.padEnd(width) + row + there(selection);
}

/** What our quotes are called and priced on the exchange, right of the 80 columns. */
function there({ exchange = {} }: SelectionStatus): string {
  const words = [exchange.against, exchange.for].flatMap((terms) =>
    terms === undefined ? [] : labelOnExchange(terms),
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
    const time = timeOfDay(atMs);
    const side = coloured(direction, direction === 'for' ? BACK : LAY);
    return `${time} fill ${side} ${TERMINAL.money(stake)} at ${odds(at)}${onExchange(exchange, TERMINAL)} ${plainText(outcome)}, ${plainText(event)} ${DIM}${role}${RESET}`;
  });

const price = (value: number | null): string => (value === null ? TERMINAL.nothing : odds(value));
const openStake = (value: number): string => amount(value === 0 ? null : value);
const money = (value: number | null): string => coloured(TERMINAL.gain(value), colourOf(value ?? 0));

const amount = (value: number | null): string => (value === null ? TERMINAL.nothing : TERMINAL.short(value));
