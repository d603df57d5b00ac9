import type { EventName } from '../../domain/events.ts';
import type { Fill } from '../../domain/live-order.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { eventScope, type Scope } from '../states/trading-states.ts';
import { type ActiveAlarm, type Alarm, AlarmBoard, pull } from './alarm.ts';
import { redCard, scoreChange } from './changed.ts';
import { clockOffset } from './clock-offset.ts';
import { divergence } from './divergence.ts';
import { toxicity, unintendedTaking } from './fills.ts';
import { feedCleared } from './feed-cleared.ts';
import { loopLag } from './loop-lag.ts';
import { orderErrors } from './order-errors.ts';
import { scoreAge } from './score-age.ts';
import { priceJump } from './price-jump.ts';
import type {
  AgeSighting,
  EventSighting,
  OrderOutcome,
  SelectionSighting,
  ScoreSighting,
} from './sightings.ts';
import { staleData } from './stale-data.ts';
import { start } from './start.ts';
import { suspension } from './suspension.ts';

/**
 * An alarm came into force or became stronger, so the quotes of its scope must be judged again now; or it is over.
 */
export interface AlarmNotice {
  readonly kind: 'alarm' | 'alarm_over';
  readonly alarm: ActiveAlarm;
}

/** Watches for dangers to our quotes, and pulls or widens the quotes for a while. */
export class Guards {
  readonly #limits: RiskLimits;
  readonly #now: () => number;
  readonly #wallNow: () => number;
  readonly #onNotice: (notice: AlarmNotice) => void;
  readonly #board = new AlarmBoard();
  readonly #disabled: ReadonlySet<string>;
  readonly #watch: ReturnType<typeof createWatches>;

  constructor(
    limits: RiskLimits,
    now: () => number,
    wallNow: () => number,
    onNotice: (notice: AlarmNotice) => void,
  ) {
    [this.#limits, this.#now] = [limits, now];
    [this.#wallNow, this.#onNotice] = [wallNow, onNotice];
    this.#disabled = new Set(limits.guards.disabled);
    this.#watch = createWatches(limits);
  }

  /** Call on every change of an event in the market. */
  onEvent(sighting: EventSighting): void {
    const wallMs = this.#wallNow();
    this.#raise(this.#watch.score.see(sighting, wallMs));
    this.#raise(this.#watch.redCards.see(sighting, wallMs));
    this.#raise(this.#watch.suspension(sighting));
    this.#raise(this.#watch.start.see(sighting, wallMs));
  }

  /** Call on every change of a quoted selection in the market. */
  onSelection(sighting: SelectionSighting): void {
    this.#raise(this.#watch.divergence(sighting));
    this.#raise(this.#watch.priceJump.see(sighting, this.#now()));
  }

  /** Call regularly for each selection with open orders. */
  onAge(sighting: AgeSighting): void {
    this.#raise(this.#watch.stale(sighting));
  }

  /** Call regularly for each event with open orders. */
  onScoreAge(sighting: ScoreSighting): void {
    this.#raise(this.#watch.scoreAge(sighting));
  }

  /** The score of an event has gone back: nobody knows which one stands. */
  onScoreBack(event: EventName): void {
    const { backCoolDownS } = this.#limits.guards.scoreChange;
    this.#raise(pull('score_change', eventScope(event), backCoolDownS, 'its score went back'));
  }

  onFeedCleared(): void {
    this.#raise(feedCleared(this.#limits.guards.feedCleared.coolDownS));
  }

  /** A fresh fill of one of our own orders; `filledMs` is monotonic. */
  onFill(fill: Fill, filledMs: number): void {
    this.#raise(this.#watch.toxicity.see(fill, filledMs));
    this.#raise(this.#watch.taking.see(fill, filledMs));
  }

  /** The outcome of each create request. */
  onOrderOutcome(outcome: OrderOutcome): void {
    this.#raise(this.#watch.orderErrors(outcome, this.#now()));
  }

  /** Our wall clock less the exchange's. */
  onClockOffset(offsetMs: number): void {
    this.#raise(this.#watch.clockOffset(offsetMs));
  }

  onLoopLag(lagMs: number): void {
    this.#raise(this.#watch.loopLag(lagMs));
  }

  /** The exchange's position of an event has differed from ours for a while. */
  onPositionMismatch(event: EventName, why: string): void {
    const { coolDownS } = this.#limits.guards.positionMismatch;
    this.#raise(pull('position_mismatch', eventScope(event), coolDownS, why));
  }

  /** Alarms in force where all these scopes apply, the account's included. */
  of(scopes: readonly Scope[]): readonly ActiveAlarm[] {
    return this.#board.of(scopes, this.#now());
  }

  active(): readonly ActiveAlarm[] {
    return this.#board.all(this.#now());
  }

  /** Ends alarms whose time is over. */
  expire(): void {
    for (const alarm of this.#board.expire(this.#now())) this.#onNotice({ kind: 'alarm_over', alarm });
  }

  /** The event is over. */
  forget(event: EventName): void {
    const { score, redCards, start: started, priceJump: jump, toxicity: toxic, taking } = this.#watch;
    for (const watch of [score, redCards, started, jump, toxic, taking]) watch.forget(event);
  }

  #raise(alarm: Alarm | null): void {
    if (alarm === null || this.#disabled.has(alarm.guard)) return;
    const active = this.#board.raise(alarm, this.#now());
    if (active !== null) this.#onNotice({ kind: 'alarm', alarm: active });
  }
}

function createWatches({ guards, inPlay }: RiskLimits) {
  return {
    score: scoreChange(guards.scoreChange.coolDownS),
    redCards: redCard(guards.redCard.coolDownS),
    scoreAge: scoreAge(inPlay.scoreMaxAgeS, guards.scoreAge.coolDownS),
    suspension: suspension(guards.suspension.coolDownS),
    start: start(guards.start.coolDownS, inPlay),
    divergence: divergence(guards.divergence.maxLogOdds, guards.divergence.coolDownS),
    priceJump: priceJump(guards.priceJump.maxLogOdds, guards.priceJump.windowS, guards.priceJump.coolDownS),
    stale: staleData(guards.staleData.maxAgeS, guards.staleData.coolDownS),
    toxicity: toxicity(guards.toxicity),
    taking: unintendedTaking(guards.unintendedTaking),
    orderErrors: orderErrors(guards.orderErrors),
    clockOffset: clockOffset(guards.clockOffset.maxS, guards.clockOffset.coolDownS),
    loopLag: loopLag(guards.loopLag.maxS, guards.loopLag.coolDownS),
  };
}
