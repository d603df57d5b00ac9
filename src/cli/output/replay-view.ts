import { instant, TERMINAL } from '../../lib/formats.ts';
import { eventKey } from '../../domain/events.ts';
import { fromMicros, type Micros, usdtOf } from '../../domain/money.ts';
import { priceOf } from '../../domain/ladder.ts';
import type {
  ReplayDifference,
  ReplayedQuote,
  ReplayReport,
} from '../../app/research/replay/replay-session.ts';
import type { Worth } from '../../research/replay/worth.ts';
import { SCENARIOS } from '../../fills/fill-model.ts';
import { renderTable, type Row } from './output.ts';

/** Differences that a terminal shows; `--json` has all of them. */
const SHOWN = 50;

/** A replay for people. `ids`: with the ids of selections. */
export function replayLines(report: ReplayReport, ids = false): string[] {
  const { session, program, turns, decisions, differing, remarks } = report;
  const listed = report.differences.filter(isDifference);
  return [
    `session ${session} of ${program}: ${turns} turns, ${decisions} decisions, ${differing} differ`,
    ...(listed.length === 0 ? noQuotes(differing) : ['', ...tableOf(listed, ids), '', ...totalsOf(report)]),
    ...remarks.map((remark) => `Data: ${remark}`),
  ];
}

const noQuotes = (differing: number): string[] =>
  differing === 0 ? [] : ['No quote differs: only views, reasons or plans do.'];

/** Both ways may want the same again: such a row ends a difference. */
const isDifference = ({ recorded, now }: ReplayDifference): boolean =>
  recorded?.tick !== now?.tick || recorded?.stakeMicros !== now?.stakeMicros;

function tableOf(differences: readonly ReplayDifference[], ids: boolean): string[] {
  const more = differences.length - SHOWN;
  return [
    ...renderTable(differences.slice(0, SHOWN).map((each) => rowOf(each, ids))),
    ...(more > 0 ? [`and ${more} more: --json has all of them`] : []),
  ];
}

const rowOf = (
  { seq, atMs, name, selectionId, direction, level, recorded, now, worth }: ReplayDifference,
  ids: boolean,
): Row => ({
  time: instant(atMs).slice('2026-01-31 '.length),
  turn: String(seq),
  selection: name,
  ...(ids ? { selection_id: selectionId } : {}),
  side: level === 0 ? direction : `${direction} ${level}`,
  recorded: quoteText(recorded),
  now: quoteText(now),
  ...Object.fromEntries(
    SCENARIOS.map((scenario) => [scenario, money(worth === null ? null : worth[scenario])]),
  ),
});

const quoteText = (quote: ReplayedQuote | null): string =>
  quote === null ? '-' : `${fromMicros(quote.stakeMicros)} at ${priceOf(quote.tick)}`;

const money = (micros: Micros | null): string => TERMINAL.cents(usdtOf(micros));

function totalsOf({ recorded, now }: ReplayReport): string[] {
  const line = (name: string, of: (scenario: (typeof SCENARIOS)[number]) => Micros): Row => ({
    worth: name,
    ...Object.fromEntries(SCENARIOS.map((scenario) => [scenario, money(of(scenario))])),
  });
  return [
    ...renderTable([
      line('recorded quotes', (scenario) => recorded[scenario]),
      line('other quotes', (scenario) => now[scenario]),
      line('difference', (scenario) => now[scenario] - recorded[scenario]),
    ]),
    '',
    'Each way to quote is played against the recorded market by itself. A fill that only the other quotes would have got changes no',
    'later decision here, so this is a first step: a backtest tells what a strategy would have done from the start.',
  ];
}

/** The last line of `--json`. */
export function replayJson(report: ReplayReport): object {
  const { session, program, turns, decisions, differing, differences, recorded, now, remarks } = report;
  return {
    format: 'touchline-replay',
    version: 1,
    session,
    program,
    turns,
    decisions,
    differing,
    differences: differences.filter(isDifference).map((difference) => ({
      turn: difference.seq,
      at: new Date(difference.atMs).toISOString(),
      event: eventKey(difference.event),
      selection: difference.selectionId,
      name: difference.name,
      direction: difference.direction,
      level: difference.level,
      recorded: quoteJson(difference.recorded),
      now: quoteJson(difference.now),
      worth: difference.worth === null ? null : worthJson(difference.worth),
    })),
    worth: { recorded: worthJson(recorded), now: worthJson(now) },
    remarks,
  };
}

const quoteJson = (quote: ReplayedQuote | null): object | null =>
  quote && { price: priceOf(quote.tick), stake: fromMicros(quote.stakeMicros) };

const worthJson = (worth: Worth): object =>
  Object.fromEntries(SCENARIOS.map((name) => [name, fromMicros(worth[name])]));
