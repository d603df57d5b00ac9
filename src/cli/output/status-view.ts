import { MODES } from '../../domain/mode.ts';
import { plainText } from '../../lib/plain-text.ts';
import {
  type EventStatus,
  type SelectionStatus,
  type Status,
  type StrategyOff,
  type StrategyStatus,
  throwInWords,
} from '../../read-model/status.ts';
import type { RunSummary } from '../../read-model/summary.ts';

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

const BOLD = '\x1b[1m';
const DIM = '\x1b[2m';
const INVERSE = '\x1b[7m';
const RESET = '\x1b[0m';

/** The live view: a banner, the account's line, a table of our quotes beside the market, and the last log lines. */
export function renderStatus(status: Status, recent: readonly string[], size: TerminalSize): string[] {
  const head = [...banner(status), '', heading()];
  const table = status.events.flatMap((event) => renderEvent(event));
  const shown = fitted(table, size.rows - head.length - recent.length - 2);
  return [...head, ...shown, '', ...recent.map((line) => DIM + plainText(line) + RESET)]
    .slice(0, size.rows)
    .map((line) => clip(line, size.columns));
}

/** The lines that fit; the last one gives the number of the others. */
function fitted(lines: readonly string[], room: number): readonly string[] {
  if (lines.length <= room) return lines;
  if (room <= 0) return [];
  return [...lines.slice(0, room - 1), `${DIM}… ${lines.length - room + 1} more${RESET}`];
}

function banner(status: Status): string[] {
  const heartbeat =
    status.heartbeatRemainingS === null ? 'off' : `${status.heartbeatRemainingS.toFixed(0)} s left`;
  const stopping = status.stopping === null ? '' : `  ${BOLD}stopping: ${status.stopping}${RESET}`;
  const { ordersNow, betslipsNow, betslipsToday } = status.budgets;
  const blocked = status.blocked === null ? [] : [`${BOLD}no orders: ${plainText(status.blocked)}${RESET}`];
  return [
    `${BOLD}TOUCHLINE${RESET}  ${INVERSE} ${MODES[status.mode].banner} ${RESET}  ${status.strategy}  ${status.runningS.toFixed(0)} s${stopping}`,
    `stream ${status.stream}   heartbeat ${heartbeat}   budgets: orders ${ordersNow.toFixed(0)}  betslips ` +
      `${betslipsNow.toFixed(0)}, ${betslipsToday.toFixed(0)} today   throttled ${status.throttledResponses}`,
    `orders open ${status.ordersOpen}  placed ${status.ordersPlaced}  refused ${status.ordersRefused}   ` +
      `fills ${status.fills}  matched ${status.stakeMatched.toFixed(2)}   ` +
      `profit ${signed(status.profitLoss)}   both sides quoted ${(100 * status.twoSidedQuoteRatio).toFixed(1)} %`,
    ...blocked,
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
    return [`${BOLD}${plainText(strategy)} throws: ${concerned} no quotes${RESET}`];
  });
}

/** An error this old may be over. */
const RECENT_S = 60;

/** Errors other than throws, which are shown with their events. */
function recentError({ name, errors, lastError }: StrategyStatus): readonly string[] {
  if (lastError === null || lastError.kind === 'threw' || lastError.ageS > RECENT_S) return [];
  const { kind, message } = lastError;
  const times = errors[kind as keyof typeof errors] ?? 0;
  return [`${BOLD}${plainText(name)}: ${kind}: ${plainText(message)} (${times}x)${RESET}`];
}

/** The account's profit by strategy, if there are several. */
function profits({ strategies }: Status): readonly string[] {
  if (strategies.length < 2) return [];
  return [strategies.map(({ name, profitLoss }) => `${plainText(name)} ${signed(profitLoss)}`).join('   ')];
}

const offInWords = ({ strategy, why }: StrategyOff): string =>
  `${BOLD}${plainText(strategy)} is off until touchline resume: ${plainText(why)}${RESET}`;

const COLUMNS = ['market for', 'our against', 'our for', 'market against', 'if win', 'if lose'];
const WIDTHS = [11, 12, 9, 15, 10, 10];
const NAME_WIDTH = 26;

const heading = (): string =>
  DIM +
  ''.padEnd(NAME_WIDTH) +
  COLUMNS.map((title, i) => title.padStart(WIDTHS[i] as number)).join('') +
  RESET;

function renderEvent(event: EventStatus): string[] {
  const { strategyThrows, quoted } = event;
  const held = quoted ? '' : ', not quoted: shown for what is held';
  const title = `${BOLD}${plainText(event.name)}${RESET} ${DIM}${plainText(event.sport)} ${whenOf(event)}${held}${RESET}`;
  const thrown =
    strategyThrows === null ? [] : [`  ${BOLD}${plainText(throwInWords(strategyThrows))}${RESET}`];
  return [title, ...thrown, ...event.selections.map(renderSelection)];
}

function whenOf(event: EventStatus): string {
  if (event.inRunning) return `in play ${event.score ?? ''}`.trimEnd();
  if (event.startsInMs === null) return 'start not known';
  return `starts in ${Math.max(0, Math.round(event.startsInMs / 60_000))} min`;
}

function renderSelection(selection: SelectionStatus): string {
  const { market, quoted } = selection;
  const cells = [price(market.for), price(quoted.against), price(quoted.for), price(market.against)];
  const money = [signed(selection.ifWin), signed(selection.ifLose)];
  const row = [...cells, ...money].map((cell, i) => cell.padStart(WIDTHS[i] as number)).join('');
  const missing = selection.missing === null ? '' : `  ${DIM}${plainText(selection.missing)}${RESET}`;
  return `  ${plainText(selection.outcome)}`.padEnd(NAME_WIDTH).slice(0, NAME_WIDTH) + row + missing;
}

const price = (value: number | null): string => (value === null ? '-' : value.toFixed(2));
const signed = (value: number): string => (value > 0 ? '+' : '') + value.toFixed(2);

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
  return fields.map(([key, value]) => `${key.replaceAll('_', ' ').padEnd(30)} ${inWords(value)}`);
}

/** Errors as `mine: threw 3, slow 1`. */
function inWords(value: RunSummary[keyof RunSummary]): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const errors = Object.entries(value).map(([strategy, kinds]) => {
    const counts = Object.entries(kinds).map(([kind, times]) => `${kind} ${times}`);
    return `${plainText(strategy)}: ${counts.join(', ')}`;
  });
  return errors.length === 0 ? 'none' : errors.join('; ');
}
