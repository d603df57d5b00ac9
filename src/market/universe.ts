import { eventKey, type EventName, eventNameOf } from '../domain/events.ts';
import type { EventKey, SelectionId } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import { Heap } from '../lib/heap.ts';
import type { Candidate, EventState } from './state.ts';

/** What to quote. An empty list allows everything; every bound is inclusive. */
export interface QuoteRules {
  readonly sports: readonly string[];
  /** Competition names or ids, as written in the configuration. */
  readonly competitions: readonly string[];
  readonly marketTypes: readonly string[];
  /** Only events that start within this time; null for any. Events with an unknown start count as too late. */
  readonly startsWithinMs: number | null;
  /** Events before the start are left this long before it, also where they are quoted again from then on. */
  readonly leaveBeforeStartMs: number;
  /** Whether events in running, or past their start, are quoted. */
  readonly inPlay: boolean;
  /** The least stake that takers find in each direction. */
  readonly minLiquidityMicros: Micros;
  readonly maxEvents: number;
  readonly maxSelections: number;
}

export type SelectionRejection =
  'market-type' | 'one-sided-bet-types' | 'not-fresh' | 'liquidity' | 'selection-cap';

/** What to register, what to quote, and why not the rest of what those events have. */
export interface Universe {
  /** To register on the stream, soonest start first. */
  readonly events: readonly EventName[];
  readonly selections: readonly SelectionId[];
  /** Of the chosen events alone: of others no markets are known. */
  readonly rejectedSelections: ReadonlyMap<SelectionId, SelectionRejection>;
}

export const EMPTY_UNIVERSE: Universe = {
  events: [],
  selections: [],
  rejectedSelections: new Map(),
};

/** A selection that is quoted stays until its liquidity is below this share of the minimum. */
const KEEP_LIQUIDITY = 0.5;
/** A new selection takes a quoted one's place under the cap when it has this many times its liquidity. */
const REPLACE_LIQUIDITY = 2;

/**
 * Chooses by the rules, and stays with what was chosen: a chosen event keeps its place under the cap while the rules
 * allow it, and a chosen selection needs less liquidity to stay than another to enter.
 */
export function chooseUniverse(
  rules: QuoteRules,
  events: Iterable<EventState>,
  candidatesOf: (event: EventName) => readonly Candidate[],
  nowMs: number,
  current: Universe,
): Universe {
  const chosen = chooseEvents(rules, events, nowMs, current);
  const candidates = chosen.flatMap((event) => candidatesOf(event));
  return { events: chosen, ...chooseSelections(rules, candidates, current) };
}

function chooseEvents(
  rules: QuoteRules,
  events: Iterable<EventState>,
  nowMs: number,
  current: Universe,
): readonly EventName[] {
  const held = new Set(current.events.map(eventKey));
  const allowed = Array.from(events).filter((state) =>
    isAllowed(rules, state, nowMs, held.has(eventKey(state.event))),
  );
  allowed.sort((a, b) => compareEvents(a, b, held));
  return allowed.slice(0, rules.maxEvents).map(({ event }) => eventNameOf(event));
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

/** Held ones first, then by start, then by name, so that the choice depends on nothing else. */
function compareEvents(a: EventState, b: EventState, held: ReadonlySet<EventKey>): number {
  const byHeld = Number(held.has(eventKey(b.event))) - Number(held.has(eventKey(a.event)));
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

function chooseSelections(
  rules: QuoteRules,
  candidates: readonly Candidate[],
  current: Universe,
): Pick<Universe, 'selections' | 'rejectedSelections'> {
  const rejectedSelections = new Map<SelectionId, SelectionRejection>();
  const held = new Set(current.selections);
  const best = new Heap<Ranked>((a, b) => compareRanks(a, b) > 0);
  for (const one of candidates) {
    const isHeld = held.has(one.selectionId);
    const liquidity = one.quotable ? liquidityOf(one) : null;
    const reason = rejectSelection(rules, one, liquidity, isHeld);
    if (reason !== null) rejectedSelections.set(one.selectionId, reason);
    else best.push({ id: one.selectionId, rank: rankOf(liquidity, isHeld) });
    if (best.size > rules.maxSelections) rejectedSelections.set((best.pop() as Ranked).id, 'selection-cap');
  }
  return { selections: drain(best), rejectedSelections };
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
  // Through a reconnect nothing is known for a moment: what is quoted keeps its place.
  if (liquidity === null) return isHeld ? null : 'not-fresh';
  return liquidity < rules.minLiquidityMicros * (isHeld ? KEEP_LIQUIDITY : 1) ? 'liquidity' : null;
}

/** The thinner direction's; null while it is not known of both. */
function liquidityOf(one: Candidate): Micros | null {
  const [forMicros, againstMicros] = [one.liquidityMicros('for'), one.liquidityMicros('against')];
  return forMicros === null || againstMicros === null ? null : Math.min(forMicros, againstMicros);
}
