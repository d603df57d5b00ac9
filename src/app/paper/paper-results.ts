/**
 * Results that a person told of events with paper bets. No request that a paper run may send tells one. They are records of the journal: the
 * run that is told one settles by it, and so does each later run. The last one of an event counts.
 */
import { parseBetType } from '../../domain/bet-types/index.ts';
import type { EventResult, ToldResult } from '../../domain/bet-types/result.ts';
import { JournalError, TouchlineError } from '../../domain/errors.ts';
import type { EventName } from '../../domain/events.ts';
import type { Micros } from '../../domain/money.ts';
import { profitMicros } from '../../domain/odds.ts';
import type { Fill } from '../../domain/live-order.ts';
import { minute } from '../../lib/formats.ts';
import type { Journal } from '../../ports/journal.ts';
import type { KeptOrder } from '../../simulator/core/api.ts';

/** Journal record of a result. */
export const PAPER_RESULT = 'paper_result';

export interface PaperResult extends EventName {
  readonly told: ToldResult;
}

/** Behind every field: the runner was beaten. */
const BEATEN = 1_000_000;

/** The results of a journal. None of a damaged one: its orders are not read either, and nothing is placed with it. */
export function resultsIn(journal: Pick<Journal, 'ofKind'>): readonly PaperResult[] {
  const last = new Map<string, PaperResult>();
  try {
    for (const { data } of journal.ofKind(PAPER_RESULT)) {
      // Safe because the journal verifies its checksums, and only `writeResult` writes this kind.
      const result = data as object as PaperResult;
      last.set(`${result.sport}/${result.eventId}`, result);
    }
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return [];
  }
  return [...last.values()];
}

/** Durable on return. Throws JournalError. */
export function writeResult({ sport, eventId, told }: PaperResult, journal: Pick<Journal, 'append'>): void {
  journal.append([{ kind: PAPER_RESULT, uuid: null, data: { sport, eventId, told: { ...told } } }]);
}

/** The bet types with fills on an event, under any fill model. */
export function betTypesOn(
  event: EventName,
  orders: readonly KeptOrder[],
  fills: readonly Fill[],
): readonly string[] {
  const all = [...orders.filter(({ bets }) => bets.length > 0), ...fills];
  const on = all.filter(({ sport, eventId }) => sport === event.sport && eventId === event.eventId);
  return [...new Set(on.map(({ betType }) => betType))].sort();
}

/** What settles bets of these bet types; null voids them all. */
export function eventResultOf(told: ToldResult, betTypes: readonly string[]): EventResult | null {
  if (told.kind === 'void') return null;
  if (told.kind === 'score') {
    const { home, away } = told;
    // An event has one score: a half is an event of a sport of its own.
    return { kind: 'score', home, away, halfTimeHome: home, halfTimeAway: away };
  }
  const beaten = betTypes.flatMap((betType) => runnerOf(betType)?.teamId ?? []);
  const places = [...new Set(beaten)].map((teamId) => [teamId, BEATEN] as const);
  return { kind: 'places', places: new Map([...places, [told.teamId, 1]]) };
}

/** Throws TouchlineError `usage` if the result does not decide each of these bet types. */
export function checkDecides(told: ToldResult, betTypes: readonly string[]): void {
  if (told.kind === 'void') return;
  const undecided = betTypes.filter((betType) => {
    const runner = runnerOf(betType);
    if (told.kind === 'score') return runner !== null;
    return runner === null || (runner.last > 1 && runner.teamId !== told.teamId);
  });
  if (undecided.length === 0) return;
  const what = told.kind === 'score' ? 'a score' : 'a winner';
  throw new TouchlineError('usage', `${what} does not decide the bets on ${undecided.join(' and ')}`);
}

/**
 * Throws TouchlineError `usage` for a result of an event that has not started, by the start that the exchange announced last; null is not known.
 * An event that is called off is void before its start, too.
 */
export function checkHasStarted(told: ToldResult, name: string, startMs: number | null, nowMs: number): void {
  if (told.kind === 'void' || startMs === null || startMs <= nowMs) return;
  throw new TouchlineError(
    'usage',
    `${name} starts at ${minute(startMs)}, so it has no result yet: tell it with --before-start if that start is wrong`,
  );
}

/** What a fill pays. */
export function paidMicros(fill: Fill, result: EventResult | null): Micros {
  const { sport, betType, priceKind, stakeMicros, price } = fill;
  const settlement = result === null ? null : (parseBetType(sport, betType)?.settle(result) ?? null);
  return settlement === null ? 0 : profitMicros(priceKind, stakeMicros, price, settlement);
}

/** The runner of an outright's bet type and the last place that wins; null for any other. */
function runnerOf(betType: string): { readonly teamId: number; readonly last: number } | null {
  const [, last = '1', teamId] = /^\w+,(?:win|top,(\d+)),(\d+)$/.exec(betType) ?? [];
  return teamId === undefined ? null : { teamId: Number(teamId), last: Number(last) };
}
