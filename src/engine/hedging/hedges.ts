import { type Observable, Subject } from 'rxjs';
import type { AccountChange } from '../../account/changes.ts';
import { eventKey, type EventName } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import { isTerminal } from '../../domain/lifecycle.ts';
import type { Micros } from '../../domain/money.ts';
import { limitsCross, type PricedTick } from '../../domain/odds.ts';
import { kindOfIntent, type QuoteIntent } from '../../domain/quote-intent.ts';
import type { HedgeBet, HedgeOrder, PlannedHedge } from './terms.ts';

/** What is not matched by then is given up, and hedged anew by whoever still wants it. */
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

/** What became of a bet of a hedge. */
export interface BetProgress {
  readonly bet: HedgeBet;
  /** `wanted`: it waits for its betslip, its turn or a check. `sent`: the exchange may match it. */
  readonly state: 'wanted' | 'sent' | 'ended';
  readonly filledMicros: Micros;
}

/** A hedge and what became of its bets. */
export interface HedgeProgress {
  readonly id: string;
  readonly event: EventName;
  readonly bets: readonly BetProgress[];
  readonly lifeS: number;
  /** Monotonic milliseconds; its bets are not wanted afterwards. */
  readonly untilMs: number;
}

/** This many hedges are remembered once they are over. */
const MOST_REMEMBERED = 100;

/**
 * The hedges that were commanded in this run. Their bets are quotes like those of the strategy whose event it is, beside its own: admission,
 * gate and limits judge them alike. A hedge in progress ends with the run: what remains to be hedged is planned again from its fills.
 */
export class Hedges {
  readonly #hedges = new Map<string, HedgeProgress>();
  readonly #wake$ = new Subject<EventName>();

  /** Events that have a new hedge. */
  get wake$(): Observable<EventName> {
    return this.#wake$;
  }

  take({ id, event, bets, lifeMs, isBeside = false }: HedgeOrder, nowMs: number): void {
    if (!isBeside) this.#endOn(event, nowMs);
    const progress = bets.map((bet) => ({ bet, state: 'wanted' as const, filledMicros: 0 }));
    const lifeS = Math.ceil(lifeMs / 1_000);
    this.#hedges.set(id, { id, event, bets: progress, lifeS, untilMs: nowMs + lifeMs });
    for (const old of this.#hedges.keys()) if (this.#hedges.size > MOST_REMEMBERED) this.#hedges.delete(old);
    this.#wake$.next(event);
  }

  #endOn(event: EventName, nowMs: number): void {
    const key = eventKey(event);
    for (const hedge of this.#hedges.values())
      if (isOn(hedge, key)) this.#hedges.set(hedge.id, { ...hedge, untilMs: Math.min(hedge.untilMs, nowMs) });
  }

  /** The bets that are wanted on an event. */
  intentsOn(event: EventName, nowMs: number): readonly QuoteIntent[] {
    const key = eventKey(event);
    return [...this.#hedges.values()]
      .filter((each) => isOn(each, key) && nowMs < each.untilMs)
      .flatMap(intentsOf);
  }

  onChange(change: AccountChange): void {
    if (change.kind !== 'order' || change.order.take === undefined) return;
    const { take, filledMicros, state } = change.order;
    for (const hedge of this.#hedges.values()) {
      const at = hedge.bets.findIndex((_, index) => betId(hedge.id, index) === take.id);
      if (at < 0) continue;
      const bets = hedge.bets.with(at, {
        bet: (hedge.bets[at] as BetProgress).bet,
        state: isTerminal(state) ? 'ended' : 'sent',
        filledMicros,
      });
      this.#hedges.set(hedge.id, { ...hedge, bets });
    }
  }

  /** Whether bets of a hedge may still be matched, or wait to be placed. */
  isAtWorkOn(event: EventName, nowMs: number): boolean {
    const key = eventKey(event);
    return [...this.#hedges.values()].some(
      (each) =>
        isOn(each, key) &&
        each.bets.some(({ state }) => state === 'sent' || (state === 'wanted' && nowMs < each.untilMs)),
    );
  }

  /** Null for a hedge that this run does not remember. */
  progressOf(id: string): HedgeProgress | null {
    return this.#hedges.get(id) ?? null;
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

const betId = (hedge: string, at: number): string => `${hedge}/${at}`;

const intentsOf = ({ id, bets, lifeS }: HedgeProgress): readonly QuoteIntent[] =>
  bets.flatMap(({ bet: { way, ...terms }, state }, at) =>
    state === 'ended'
      ? []
      : [
          {
            ...terms,
            level: 0,
            take: betId(id, at),
            // An offer rests, and yet there is one order for it alone.
            ...(way === 'offer' && { mode: 'make_and_take' as const, lifetimeS: lifeS }),
            reason: `hedge ${id}`,
          },
        ],
  );
