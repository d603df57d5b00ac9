import { eventKey, type EventName, eventNameOf, type SportEvent } from '../domain/events.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import { Heap } from '../lib/heap.ts';
import type { Candidate, EventState } from './state.ts';

/** The rules of what to quote. An empty list allows everything; every bound is inclusive. */
export interface QuoteRules {
  readonly sports: readonly string[];
  /** Competition names or ids, as written in the configuration. */
  readonly competitions: readonly string[];
  readonly marketTypes: readonly string[];
  /** Only events that start within this time; null for any. An event with an unknown start counts as too late. */
  readonly startsWithinMs: number | null;
  /** Events that have not started are dropped this long before the start, even if they are quoted again afterwards. */
  readonly leaveBeforeStartMs: number;
  /** Whether events in running, or past their start, are quoted. */
  readonly inPlay: boolean;
  /** Minimum stake available to takers in each direction. */
  readonly minLiquidityMicros: Micros;
  readonly maxEvents: number;
  readonly maxSelections: number;
}

export type SelectionRejection =
  | 'market-type'
  | 'one-sided-bet-types'
  | 'not-fresh'
  | 'liquidity'
  | 'selection-cap';

/** The events to register, the selections to quote, and why the other selections of these events are rejected. */
export interface Universe {
  /** The events to register on the stream, soonest start first. */
  readonly events: readonly EventName[];
  readonly selections: readonly SelectionId[];
  /** Whatever was quoted, a selection with less for takers of one direction had no place. */
  readonly leastMicros: Micros;
  /** Only for the chosen events: the markets of other events are not known. Judged when it is read. */
  readonly rejectedSelections: ReadonlyMap<SelectionId, SelectionRejection>;
}

export const EMPTY_UNIVERSE: Universe = {
  events: [],
  selections: [],
  leastMicros: -Infinity,
  rejectedSelections: new Map(),
};

/** A quoted selection stays until its liquidity falls below this share of the minimum. */
export const KEEP_LIQUIDITY = 0.5;
/** Under the cap, a new selection replaces a quoted one only with this many times its liquidity. */
const REPLACE_LIQUIDITY = 2;

/** The candidates of an event. Those that are known to have less than `leastMicros` for takers of one direction may be left out. */
type CandidatesOf = (event: EventName, leastMicros?: Micros) => readonly Candidate[];

/**
 * Chooses by the rules and prefers the previous choice. A chosen event keeps its place under the cap while the rules allow it. A
 * chosen selection needs less liquidity to stay than another needs to enter.
 */
export function chooseUniverse(
  rules: QuoteRules,
  events: Iterable<EventState>,
  candidatesOf: CandidatesOf,
  nowMs: number,
  current: Universe,
): Universe {
  const chosen = chooseEvents(rules, events, nowMs, current);
  const { selections, leastMicros } = chooseSelections(rules, chosen, candidatesOf, current);
  return {
    events: chosen,
    selections,
    leastMicros,
    get rejectedSelections() {
      return rejectionsAmong(
        rules,
        chosen.flatMap((event) => candidatesOf(event)),
        new Set(selections),
      );
    },
  };
}

function chooseEvents(
  rules: QuoteRules,
  events: Iterable<EventState>,
  nowMs: number,
  current: Universe,
): readonly EventName[] {
  const held = new Set(current.events.map(eventKey));
  const allowed: RankedEvent[] = [];
  for (const state of events) {
    const isHeld = held.has(eventKey(state.event));
    if (isAllowed(rules, state, nowMs, isHeld)) allowed.push({ event: state.event, isHeld });
  }
  allowed.sort(compareEvents);
  return allowed.slice(0, rules.maxEvents).map(({ event }) => eventNameOf(event));
}

interface RankedEvent {
  readonly event: SportEvent;
  readonly isHeld: boolean;
}

function isAllowed(rules: QuoteRules, state: EventState, nowMs: number, isHeld: boolean): boolean {
  const { event } = state;
  if (!isListed(rules.sports, event.sport)) return false;
  const competition = [event.competitionName, String(event.competitionId)];
  if (!competition.some((name) => isListed(rules.competitions, name))) return false;
  // A held event keeps its registration through a reconnect; quoting waits for fresh data anyway.
  return (state.current || isHeld) && startsInTime(rules, state, nowMs);
}

function startsInTime(rules: QuoteRules, state: EventState, nowMs: number): boolean {
  const { startTimeMs } = state.event;
  if (state.inRunning) return rules.inPlay;
  if (startTimeMs === null) return rules.startsWithinMs === null;
  const startsInMs = startTimeMs - nowMs;
  if (startsInMs < 0 ? !rules.inPlay : startsInMs < rules.leaveBeforeStartMs) return false;
  return rules.startsWithinMs === null || startsInMs <= rules.startsWithinMs;
}

const isListed = (list: readonly string[], name: string): boolean => list.length === 0 || list.includes(name);

/** Held events first, then by start, then by name, so that the order is deterministic. */
function compareEvents(a: RankedEvent, b: RankedEvent): number {
  const byHeld = Number(b.isHeld) - Number(a.isHeld);
  if (byHeld !== 0) return byHeld;
  const byStart = compareNumbers(a.event.startTimeMs ?? Infinity, b.event.startTimeMs ?? Infinity);
  return (
    byStart || compareText(a.event.sport, b.event.sport) || compareText(a.event.eventId, b.event.eventId)
  );
}

const compareNumbers = (a: number, b: number): number => (a < b ? -1 : Number(a > b));

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

interface Ranked {
  readonly id: SelectionId;
  readonly rank: number;
}

type ChosenSelections = Pick<Universe, 'selections' | 'leastMicros'>;

/** The least that had a place moves little from one choice to the next. */
const ABOUT_AS_BEFORE = 0.9;

/** The best candidates, the best first. Most have far less than what had a place at the last choice, and are not looked at. */
function chooseSelections(
  rules: QuoteRules,
  events: readonly EventName[],
  candidatesOf: CandidatesOf,
  current: Universe,
): ChosenSelections {
  const held = new Set(current.selections);
  const bestFrom = (micros: Micros): ChosenSelections =>
    bestSelections(rules, events, candidatesOf, held, micros);
  const guess = ABOUT_AS_BEFORE * current.leastMicros;
  const chosen = bestFrom(guess);
  return chosen.leastMicros >= guess ? chosen : bestFrom(-Infinity);
}

/** The best of the candidates with at least `fromMicros`. They are the best of all if the returned least is no less. */
function bestSelections(
  rules: QuoteRules,
  events: readonly EventName[],
  candidatesOf: CandidatesOf,
  held: ReadonlySet<SelectionId>,
  fromMicros: Micros,
): ChosenSelections {
  const worstFirst = new Heap<Ranked>((a, b) => compareRanks(a, b) > 0);
  let leastMicros = leastUsefulMicros(worstFirst, rules);
  for (const event of events) {
    for (const one of candidatesOf(event, Math.max(fromMicros, leastMicros))) {
      if (isThinnerThan(one, leastMicros)) continue;
      const liquidity = one.quotable ? liquidityOf(one) : null;
      const id = one.selectionId;
      const isHeld = held.has(id);
      if (rejectSelection(rules, one, liquidity, isHeld) !== null) continue;
      const rank = rankOf(liquidity, isHeld);
      const isFull = worstFirst.size >= rules.maxSelections;
      if (isFull && !isBetter(id, rank, worstFirst.peek())) continue;
      if (isFull) worstFirst.pop();
      worstFirst.push({ id, rank });
      leastMicros = leastUsefulMicros(worstFirst, rules);
    }
  }
  return { selections: drain(worstFirst), leastMicros };
}

/** With less liquidity a selection is rejected, or worse than the worst of those that fill the choice, even if it is quoted. */
function leastUsefulMicros(chosen: Heap<Ranked>, { maxSelections, minLiquidityMicros }: QuoteRules): Micros {
  const allowedMicros = minLiquidityMicros * KEEP_LIQUIDITY;
  if (chosen.size < maxSelections) return allowedMicros;
  return Math.max(allowedMicros, (chosen.peek()?.rank ?? -Infinity) / REPLACE_LIQUIDITY);
}

/** Whether the liquidity of both directions is known, and that of one of them is less. */
function isThinnerThan(one: Candidate, leastMicros: Micros): boolean {
  const forMicros = one.liquidityMicros('for');
  const againstMicros = one.liquidityMicros('against');
  if (forMicros === null || againstMicros === null || !one.quotable) return false;
  return forMicros < leastMicros || againstMicros < leastMicros;
}

/** Nothing is better than nothing: then none is to be chosen. */
const isBetter = (id: SelectionId, rank: number, worst: Ranked | undefined): boolean =>
  worst !== undefined && (rank > worst.rank || (rank === worst.rank && compareText(id, worst.id) < 0));

/** Why each candidate that was not chosen is not. */
function rejectionsAmong(
  rules: QuoteRules,
  candidates: readonly Candidate[],
  chosen: ReadonlySet<SelectionId>,
): ReadonlyMap<SelectionId, SelectionRejection> {
  const others = candidates.filter(({ selectionId }) => !chosen.has(selectionId));
  return new Map(
    others.map((one) => {
      const liquidity = one.quotable ? liquidityOf(one) : null;
      return [one.selectionId, rejectSelection(rules, one, liquidity, false) ?? 'selection-cap'];
    }),
  );
}

/** The best first. */
function drain(worstFirst: Heap<Ranked>): SelectionId[] {
  const ids: SelectionId[] = [];
  for (let next = worstFirst.pop(); next !== undefined; next = worstFirst.pop()) ids.push(next.id);
  return ids.reverse();
}

const compareRanks = (a: Ranked, b: Ranked): number =>
  compareNumbers(b.rank, a.rank) || compareText(a.id, b.id);

const rankOf = (liquidity: Micros | null, isHeld: boolean): number =>
  isHeld ? (liquidity ?? Infinity) * REPLACE_LIQUIDITY : (liquidity ?? 0);

function rejectSelection(
  rules: QuoteRules,
  one: Candidate,
  liquidity: Micros | null,
  isHeld: boolean,
): SelectionRejection | null {
  if (!isListed(rules.marketTypes, one.marketType)) return 'market-type';
  if (!one.quotable) return 'one-sided-bet-types';
  // During a reconnect liquidity is briefly unknown; quoted selections keep their place.
  if (liquidity === null) return isHeld ? null : 'not-fresh';
  return liquidity < rules.minLiquidityMicros * (isHeld ? KEEP_LIQUIDITY : 1) ? 'liquidity' : null;
}

/** The liquidity of the thinner direction; null unless it is known for both. */
function liquidityOf(one: Candidate): Micros | null {
  const [forMicros, againstMicros] = [one.liquidityMicros('for'), one.liquidityMicros('against')];
  return forMicros === null || againstMicros === null ? null : Math.min(forMicros, againstMicros);
}
