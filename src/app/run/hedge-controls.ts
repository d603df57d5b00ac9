import { TouchlineError } from '../../domain/errors.ts';
import { eventKey, type EventName } from '../../domain/events.ts';
import type { HedgeGoal } from '../../domain/hedge-intent.ts';
import type { SelectionId } from '../../domain/ids.ts';
import { priceOf } from '../../domain/ladder.ts';
import { type Micros, toMicros } from '../../domain/money.ts';
import { GRID_SIZE } from '../../domain/payoff.ts';
import { betId, type BetProgress, type HedgeProgress, orderOf } from '../../engine/hedging/hedges.ts';
import { hedgeStopOf } from '../../engine/hedging/hedge-stops.ts';
import type { HedgeBet, PlannedHedge } from '../../engine/hedging/terms.ts';
import { worstMicros } from '../../hedge/book.ts';
import { type GroupPreview, type HedgePreview, previewOf } from '../../hedge/preview.ts';
import type { HedgeControls, HedgeQuestion } from '../../ops/commands/controls.ts';
import { shownStake, shownTerms } from '../../read-model/bet-terms.ts';
import { type HaltCode, reasonCode } from '../../orders/send-gate.ts';
import { usdt } from '../../read-model/usdt.ts';
import { reasonWithDetail } from '../../read-model/reason-words.ts';
import { eventScope, type OutcomeGroup, scopeOfSelection } from '../../risk/index.ts';
import type { Composed } from '../compose.ts';
import { exchangePricesOf } from '../read-model-feed.ts';
import { eventsNamed, selectionNamed } from './meaning.ts';

/** Halts that end only once a person acts, beside a kill: no order is sent until then. */
const LASTING: ReadonlySet<HaltCode> = new Set<HaltCode>([
  'stopped',
  'latched',
  'invariant_broken',
  'journal_failed',
  'draining',
  'key_refused',
  'kill_unfinished',
]);

interface Previewed {
  readonly planned: PlannedHedge;
  readonly untilMs: number;
}

/** A hedge that was made, as far as the engine's progress does not tell it. */
interface Made {
  readonly boundUsdt?: number;
  /** The last reason for which each bet waited, by its index. */
  readonly waited: Map<number, string>;
}

/** A person has so long to confirm. */
const CONFIRM_WITHIN_MS = 120_000;
const MOST_REMEMBERED = 50;
/** A betslip has its quote after about two seconds. */
const BETSLIP_MS = 2_000;
const ORDER_MS = 500;
/** Nobody tells the delay of bets in play: about as long as an order of ours counts as delayed there. */
const BET_DELAY_IN_PLAY_MS = 1_500;

/** The daemon's answers about hedges. A preview is remembered until it is confirmed, or for two minutes. */
export class HedgeDesk implements HedgeControls {
  readonly #composed: Composed;
  readonly #previewed = new Map<string, Previewed>();
  readonly #made = new Map<string, Made>();
  #count = 0;

  constructor(composed: Composed) {
    this.#composed = composed;
  }

  preview(question: HedgeQuestion): unknown {
    const event = this.#eventNamed(question.event);
    const goal = event && this.#goalOf(event, question);
    if (event === null || goal === null) return null;
    const way = question.offer === true ? 'offer' : 'take';
    this.#checkSends(event, goal.kind === 'flatten' ? [goal.selectionId] : []);
    const answer = this.#composed.core.hedging.plan({
      event,
      goal,
      way,
      without: this.#haltedOf(event, goal),
    });
    if (answer.kind === 'refused') {
      const around = answer.isNeedless === true ? this.#beyondMatched(event) : '';
      throw new TouchlineError('refused', `${answer.why}${around}`);
    }
    this.#checkSends(event, selectionsOf(answer));
    return { plan: this.#remember(answer), ...this.#shown(answer) };
  }

  make(plan: string, reason: string, by: string): unknown {
    const { core, parts } = this.#composed;
    const previewed = this.#previewed.get(plan);
    if (previewed === undefined || parts.clock.monotonicMs() > previewed.untilMs) return null;
    const { planned } = previewed;
    this.#checkSends(planned.event, selectionsOf(planned));
    const fault = core.hedging.faultOf(planned);
    if (fault !== null) throw new TouchlineError('refused', fault);
    this.#previewed.delete(plan);
    this.#made.set(plan, { ...boundOf(planned), waited: new Map() });
    forgetOldest(this.#made);
    core.apply({ kind: 'hedge', order: orderOf(planned, plan), by, why: reason });
    return this.progress(plan);
  }

  progress(plan: string): unknown {
    const { core, parts } = this.#composed;
    const hedge = core.hedges.progressOf(plan);
    if (hedge === null) return null;
    const leftMs = hedge.untilMs - parts.clock.monotonicMs();
    const isSent = hedge.bets.some(({ state }) => state === 'sent');
    const { waited = new Map<number, string>(), ...made } = this.#made.get(plan) ?? {};
    return {
      plan,
      event: this.#composed.names.event(hedge.event),
      ...made,
      bets: hedge.bets.map((each, at) => this.#shownBet(each, this.#whyUnmatched(hedge, at, waited))),
      worstUsdt: usdt(this.#matchedWorst(hedge.event)),
      ...this.#around(hedge.event),
      // A bet that was sent may be matched until its order has ended.
      isOver: (leftMs <= 0 && !isSent) || hedge.bets.every(({ state }) => state === 'ended'),
      secondsLeft: Math.max(0, Math.ceil(leftMs / 1_000)),
    };
  }

  /** Throws TouchlineError `refused` if no bet on these selections of an event can be sent until a person acts. */
  #checkSends(event: EventName, selections: readonly SelectionId[]): void {
    const { core, names, parts } = this.#composed;
    const stop = hedgeStopOf(core, event, selections, names);
    if (stop !== null) throw new TouchlineError('refused', stop);
    const { blocked } = parts.orders.status();
    if (blocked !== null && LASTING.has(blocked.split(':')[0] as HaltCode))
      throw new TouchlineError(
        'refused',
        `no order can be sent: ${reasonWithDetail(blocked)}: touchline risk tells what releases it`,
      );
  }

  /** The selections that a bound leaves out: others may bound the event as well. */
  #haltedOf(event: EventName, { kind }: HedgeGoal): ReadonlySet<SelectionId> {
    if (kind !== 'bound') return new Set();
    const { market, risk } = this.#composed.core;
    const isHalted = (id: SelectionId): boolean =>
      risk.effectiveState(scopeOfSelection(id)).state === 'halted';
    return new Set(
      market
        .candidates(event)
        .map(({ selectionId }) => selectionId)
        .filter(isHalted),
    );
  }

  /** The worst case of the matched bets. */
  #matchedWorst(event: EventName): Micros {
    return worstMicros(this.#composed.core.risk.outcomePositions(event, [])?.groups ?? []);
  }

  /** A hedge leaves out the orders that rest, and those that may follow. */
  #around(event: EventName) {
    const { risk } = this.#composed.core;
    return {
      withOpenUsdt: usdt(risk.eventRisk(event)?.worstMicros ?? 0),
      tradingState: risk.effectiveState(eventScope(event)).state,
    };
  }

  /** The same in words; empty if no order can make the worst case worse. */
  #beyondMatched(event: EventName): string {
    const { withOpenUsdt, tradingState } = this.#around(event);
    const isWorse = withOpenUsdt < usdt(this.#matchedWorst(event));
    const resting = isWorse ? `; with the orders that rest the worst case is ${withOpenUsdt} USDT` : '';
    return `${resting}${tradingState === 'active' ? '; quoting goes on' : ''}`;
  }

  #eventNamed(text: string): EventName | null {
    const { core } = this.#composed;
    const meant = eventsNamed(this.#composed, text);
    const held = new Set(core.risk.heldEvents().map(eventKey));
    const holding = meant.filter((event) => held.has(eventKey(event)));
    if (holding.length > 1)
      throw new TouchlineError('ambiguous', `"${text}" has bets in several sports: write SPORT/ before it`);
    return holding[0] ?? meant[0] ?? null;
  }

  #goalOf(event: EventName, { boundUsdt, equalise, flatten }: HedgeQuestion): HedgeGoal | null {
    if (boundUsdt !== undefined) return { kind: 'bound', boundMicros: toMicros(boundUsdt) };
    if (flatten === undefined)
      return { kind: 'equalise', marketType: equalise === undefined || equalise === '' ? null : equalise };
    const { core } = this.#composed;
    const known = [
      ...core.market.candidates(event).map(({ selectionId }) => selectionId),
      ...core.ledger.selectionsOn(event),
    ];
    const selectionId = selectionNamed(this.#composed, flatten, [...new Set(known)]);
    return selectionId === null ? null : { kind: 'flatten', selectionId };
  }

  #remember(planned: PlannedHedge): string {
    const { clock } = this.#composed.parts;
    // A preview of an earlier run must not be taken for one of this run.
    const plan = `${clock.wallMs().toString(36)}-${++this.#count}`;
    this.#previewed.set(plan, { planned, untilMs: clock.monotonicMs() + CONFIRM_WITHIN_MS });
    forgetOldest(this.#previewed);
    return plan;
  }

  #shown(planned: PlannedHedge) {
    const { core, names, readModel } = this.#composed;
    const { event, book, legs, way, goal } = planned;
    const betDelayMs = core.market.event(event)?.inRunning === true ? BET_DELAY_IN_PLAY_MS : 0;
    const times = { betslipMs: BETSLIP_MS, orderMs: ORDER_MS, betDelayMs };
    const preview = previewOf(book, legs, readModel.commissionRate, times);
    const { before, after, ifHalf, least } = preview.worst;
    return {
      event: names.event(event),
      goal: goal.kind,
      ...boundOf(planned),
      way,
      bets: legs.map(({ leg, stakeMicros }) => ({
        ...this.#shownTerms({ ...leg, stakeMicros }),
        hasBetslip: leg.hasBetslip,
      })),
      worstUsdt: { before: usdt(before), after: usdt(after), ifHalf: usdt(ifHalf), least: usdt(least) },
      ...this.#around(event),
      outcomes: this.#outcomes(book, preview),
      expectedLossUsdt: preview.expectedLossMicros === null ? null : usdt(preview.expectedLossMicros),
      commissionUsdt: usdt(preview.commissionMicros),
      betslips: preview.betslips,
      seconds: preview.seconds,
      confirmWithinS: CONFIRM_WITHIN_MS / 1_000,
    };
  }

  #shownTerms(bet: Omit<HedgeBet, 'way'>) {
    const { selectionId, direction, tick } = bet;
    const prices = exchangePricesOf(this.#composed.parts);
    const { price, stake, exchange } = shownTerms({ ...bet, price: priceOf(tick) }, prices);
    const name = this.#composed.names.selection(selectionId);
    return { selectionId, name, direction, price, stakeUsdt: stake, ...(exchange && { exchange }) };
  }

  #shownBet({ bet, state, filledMicros }: BetProgress, why: string | null) {
    const filledUsdt = shownStake({ ...bet, price: priceOf(bet.tick) }, filledMicros);
    return { ...this.#shownTerms(bet), state, filledUsdt, ...(why !== null && { why }) };
  }

  /** Why nothing of a bet is matched, as far as it is known; null if some of it is, or if it may be by now. */
  #whyUnmatched(hedge: HedgeProgress, at: number, waited: Map<number, string>): string | null {
    const { state, filledMicros, why } = hedge.bets[at] as BetProgress;
    const isLate = hedge.untilMs <= this.#composed.parts.clock.monotonicMs();
    if (filledMicros > 0) return null;
    if (state === 'ended') return why ?? 'its order found no stake at its price';
    if (state === 'sent') return isLate ? 'what became of its order is not known yet' : null;
    if (isLate) return `never sent: ${hedge.endedBy ?? waited.get(at) ?? 'its time was over'}`;
    const now = this.#waitsFor(hedge, at);
    if (now !== null) waited.set(at, now);
    return now;
  }

  /** The reason that keeps a bet from being sent now, in words; null if none is known. */
  #waitsFor({ id, bets }: HedgeProgress, at: number): string | null {
    const { core, parts } = this.#composed;
    const { selectionId, direction } = (bets[at] as BetProgress).bet;
    const waiting = parts.orders.status().waiting.find(({ intent }) => intent.take === betId(id, at));
    if (waiting !== undefined) return reasonWithDetail(reasonCode(waiting));
    const stopped = core.risk.stoppedBy(selectionId)[direction];
    return stopped === null ? null : reasonWithDetail(stopped);
  }

  /** The least that the event pays in each final score, or with each winner, before and after. */
  #outcomes(book: readonly OutcomeGroup[], { groups }: HedgePreview) {
    return book.flatMap((group, of) => {
      const { before, after, ifHalf } = groups[of] as GroupPreview;
      return this.#stateNames(group).map((name, at) => ({
        name,
        beforeUsdt: usdt(before[at] as Micros),
        afterUsdt: usdt(after[at] as Micros),
        ifHalfUsdt: usdt(ifHalf[at] as Micros),
      }));
    });
  }

  #stateNames(group: OutcomeGroup): readonly string[] {
    if (group.kind === 'scores')
      return [
        ...group.reachable.map((cell) => `${Math.floor(cell / GRID_SIZE)}-${cell % GRID_SIZE}`),
        'void',
      ];
    const names = group.selections.map((id: SelectionId) => this.#composed.names.selection(id));
    return [...names, names.length === 1 ? `not ${names[0]}` : 'none of them'];
  }
}

const selectionsOf = ({ legs }: PlannedHedge): readonly SelectionId[] =>
  legs.map(({ leg }) => leg.selectionId);

const boundOf = ({ goal }: PlannedHedge): { readonly boundUsdt?: number } =>
  goal.kind === 'bound' ? { boundUsdt: usdt(goal.boundMicros) } : {};

function forgetOldest(known: Map<string, unknown>): void {
  for (const old of known.keys()) if (known.size > MOST_REMEMBERED) known.delete(old);
}
