import { type Observable, Subject } from 'rxjs';
import { eventKey, type EventName } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import { isTerminal } from '../../domain/lifecycle.ts';
import type { Fill, LiveOrder } from '../../domain/live-order.ts';
import type { Micros } from '../../domain/money.ts';
import { limitsCross, type PricedTick } from '../../domain/odds.ts';
import { kindOfIntent, type QuoteIntent } from '../../domain/quote-intent.ts';
import type { HedgeBet, HedgeOrder, PlannedHedge } from './terms.ts';

/** The lives of bets. Stake that is not matched by then is given up, and hedged anew by whoever still wants it. */
const LIFE_MS = { take: 30_000, offer: 600_000 };

/** The command that makes a planned hedge. */
export const orderOf = ({ event, way, legs }: PlannedHedge, id: string): HedgeOrder => ({
  id,
  event,
  lifeMs: LIFE_MS[way],
  bets: legs.map(({ leg: { selectionId, direction, priceKind, tick }, stakeMicros }) => ({
    selectionId,
    direction,
    priceKind,
    tick,
    way,
    stakeMicros,
  })),
});

/** A bet of a hedge, and how far it is. */
export interface BetProgress {
  readonly bet: HedgeBet;
  /** `wanted`: it waits for its betslip, its turn or a check. `sent`: the exchange may match it. */
  readonly state: 'wanted' | 'sent' | 'ended';
  readonly filledMicros: Micros;
  /** Why its order ended, in the exchange's own words; null while that is not so, or not told. */
  readonly why: string | null;
}

/** A hedge and what became of its bets. */
export interface HedgeProgress {
  readonly id: string;
  readonly event: EventName;
  readonly bets: readonly BetProgress[];
  readonly lifeS: number;
  /** Why, for people. */
  readonly reason: string;
  /** A strategy asked for it: it ends once the strategy wants it no more. */
  readonly isOfStrategy: boolean;
  /** Monotonic milliseconds; its bets are not wanted afterwards. */
  readonly untilMs: number;
  /** The reason that ended it before its time, for people; absent if nothing did. */
  readonly endedBy?: string;
}

/** This many hedges are remembered once they are over. */
const MOST_REMEMBERED = 100;

/**
 * The hedges that were commanded in this run. Their bets are quotes like those of the strategy whose event it is, beside its own: admission,
 * gate and limits judge them alike. A hedge in progress ends with the run: what remains to be hedged is planned again from its fills.
 */
export class Hedges {
  readonly #hedges = new Map<string, HedgeProgress>();
  /** The ids of all hedges that were ever made on an event, as far as this run knows. */
  readonly #made = new Map<EventKey, Set<string>>();
  readonly #wake$ = new Subject<EventName>();

  /** Events that have a new hedge. */
  get wake$(): Observable<EventName> {
    return this.#wake$;
  }

  /** Makes a hedge that a person or a rule commands. */
  take(order: HedgeOrder, nowMs: number): void {
    if (order.isBeside !== true) this.#endOn(order.event, nowMs, 'a newer hedge of the event took its place');
    this.#put(order, nowMs, false);
    this.#wake$.next(order.event);
  }

  /** Makes a hedge that a strategy asks for, while its event is decided. */
  takeOfStrategy(order: HedgeOrder, nowMs: number): void {
    this.#put(order, nowMs, true);
  }

  /** Ends the hedges of an event that its strategy wants no more. */
  keepWanted(event: EventName, wanted: ReadonlySet<string>, nowMs: number): void {
    for (const hedge of this.#on(event))
      if (hedge.isOfStrategy && !wanted.has(hedge.id))
        this.#end(hedge, nowMs, 'its strategy wants it no more');
  }

  /** A kill ends what persons and rules commanded: who resumes decides anew. A strategy's hedges follow what it wants then. */
  endCommanded(nowMs: number): void {
    for (const hedge of this.#hedges.values())
      if (!hedge.isOfStrategy) this.#end(hedge, nowMs, 'a kill ended the hedge');
  }

  /** Whether an id has had its hedge: in this run, or in an earlier one that matched any of it. */
  wasMade(event: EventName, id: string): boolean {
    return this.#made.get(eventKey(event))?.has(id) === true;
  }

  /** The event is over. */
  forget(event: EventName): void {
    this.#made.delete(eventKey(event));
  }

  #put(
    { id, event, bets, lifeMs, reason = `hedge ${id}` }: HedgeOrder,
    nowMs: number,
    isOfStrategy: boolean,
  ) {
    const progress = bets.map((bet) => ({ bet, state: 'wanted' as const, filledMicros: 0, why: null }));
    const lifeS = Math.ceil(lifeMs / 1_000);
    const untilMs = nowMs + lifeMs;
    this.#hedges.set(keyOf(event, id), { id, event, bets: progress, lifeS, reason, isOfStrategy, untilMs });
    this.#note(event, id);
    for (const old of this.#hedges.keys()) if (this.#hedges.size > MOST_REMEMBERED) this.#hedges.delete(old);
  }

  #note(event: EventName, id: string): void {
    const key = eventKey(event);
    const made = this.#made.get(key) ?? new Set();
    this.#made.set(key, made.add(id));
  }

  /** The hedges of an event that are remembered. */
  #on(event: EventName): readonly HedgeProgress[] {
    const key = eventKey(event);
    return [...this.#hedges.values()].filter((hedge) => isOn(hedge, key));
  }

  #end(hedge: HedgeProgress, nowMs: number, endedBy: string): void {
    if (nowMs >= hedge.untilMs) return;
    this.#hedges.set(keyOf(hedge.event, hedge.id), { ...hedge, untilMs: nowMs, endedBy });
  }

  #endOn(event: EventName, nowMs: number, endedBy: string): void {
    for (const hedge of this.#on(event)) this.#end(hedge, nowMs, endedBy);
  }

  /** The bets that are wanted on an event. */
  intentsOn(event: EventName, nowMs: number): readonly QuoteIntent[] {
    if (this.#hedges.size === 0) return NO_INTENTS;
    return this.#on(event)
      .filter(({ untilMs }) => nowMs < untilMs)
      .flatMap(intentsOf);
  }

  /** An order of ours has changed. */
  onOrder(
    order: Pick<LiveOrder, 'sport' | 'eventId' | 'take' | 'filledMicros' | 'state' | 'closeReason'>,
  ): void {
    const { take, filledMicros, state, closeReason } = order;
    if (take?.hedge === undefined) return;
    for (const hedge of this.#on(order)) {
      const at = hedge.bets.findIndex((_, index) => betId(hedge.id, index) === take.id);
      if (at < 0) continue;
      const bets = hedge.bets.with(at, {
        bet: (hedge.bets[at] as BetProgress).bet,
        state: isTerminal(state) ? 'ended' : 'sent',
        filledMicros,
        why: state === 'absent' ? 'it never reached the exchange' : closeReason,
      });
      this.#hedges.set(keyOf(hedge.event, hedge.id), { ...hedge, bets });
    }
  }

  /** A fill of ours was booked. After a restart earlier ones are booked again. */
  onFill({ take, ...event }: Pick<Fill, 'sport' | 'eventId' | 'take'>): void {
    if (take?.hedge !== undefined) this.#note(event, take.hedge);
  }

  /** Whether bets of a hedge may still be matched, or wait to be placed. */
  isAtWorkOn(event: EventName, nowMs: number): boolean {
    return this.#on(event).some(({ bets, untilMs }) =>
      bets.some(({ state }) => state === 'sent' || (state === 'wanted' && nowMs < untilMs)),
    );
  }

  /** Null for a hedge that this run does not remember. */
  progressOf(id: string): HedgeProgress | null {
    return [...this.#hedges.values()].find((hedge) => hedge.id === id) ?? null;
  }
}

/** The quotes that a hedge would not match: an order of ours may not match another, and the hedge comes first. */
export const quotesBeside = (
  hedging: readonly QuoteIntent[],
  quotes: readonly QuoteIntent[],
): readonly QuoteIntent[] => quotes.filter((quote) => !hedging.some((bet) => wouldMatch(bet, quote)));

function wouldMatch(bet: QuoteIntent, quote: QuoteIntent): boolean {
  if (bet.selectionId !== quote.selectionId || bet.direction === quote.direction) return false;
  const [forSide, againstSide] = bet.direction === 'for' ? [bet, quote] : [quote, bet];
  return limitsCross(pricedTickOf(forSide), pricedTickOf(againstSide));
}

const pricedTickOf = (intent: QuoteIntent): PricedTick => ({
  priceKind: kindOfIntent(intent),
  tick: intent.tick,
});

const isOn = ({ event }: HedgeProgress, key: EventKey): boolean => eventKey(event) === key;

const keyOf = (event: EventName, id: string): string => `${eventKey(event)} ${id}`;

const NO_INTENTS: readonly QuoteIntent[] = [];

/** The id of the take that carries out a bet. */
export const betId = (hedge: string, at: number): string => `${hedge}/${at}`;

const intentsOf = ({ id, bets, lifeS, reason }: HedgeProgress): readonly QuoteIntent[] =>
  bets.flatMap(({ bet: { way, ...terms }, state }, at) =>
    state === 'ended'
      ? []
      : [
          {
            ...terms,
            level: 0,
            take: betId(id, at),
            hedge: id,
            // An offer rests, and yet there is one order for it alone.
            ...(way === 'offer' && { mode: 'make_and_take' as const, lifetimeS: lifeS }),
            reason,
          },
        ],
  );
