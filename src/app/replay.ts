import { Subject } from 'rxjs';
import type { AccountPort } from '../account/account.ts';
import type { AccountChange } from '../account/changes.ts';
import type { EventView } from '../domain/event-view.ts';
import { eventKey, type EventName } from '../domain/events.ts';
import type { SourceBatch } from '../domain/source-price.ts';
import type { StreamSignal } from '../domain/stream.ts';
import type { Decider, DeciderCall } from '../engine/calls.ts';
import { bookedOf, oldCall, type OldInput, type OldNews } from '../engine/old-calls.ts';
import type { Owned, Viewed } from '../engine/strategies.ts';
import { StrategyTimers } from '../engine/strategy-timers.ts';
import type { TurnClock } from '../engine/turn-clock.ts';
import { digestOf, type RecordedDecision, type TurnRecord } from '../engine/turn-record.ts';
import type { Turn, TurnInput } from '../engine/turn.ts';
import { InvariantError } from '../lib/assert.ts';
import { planFor } from '../orders/targets/reconcile.ts';
import type { Clock } from '../ports/clock.ts';
import type { StrategyAnswer } from '../strategy/host.ts';
import { type Deciders, viewIn } from './deciders.ts';

/** A decision that differs from the recorded one. */
export interface Difference {
  readonly seq: number;
  readonly event: string;
  readonly recorded: RecordedDecision['targets'];
  readonly now: RecordedDecision['targets'];
}

type Answered = Viewed & Owned & StrategyAnswer;

/** Decides recorded turns again, in order, from their inputs alone. */
export class Replay {
  readonly #deciders: Deciders;
  readonly #clock: TurnClock;
  readonly #signals$ = new Subject<StreamSignal>();
  readonly #account$ = new Subject<AccountChange>();
  readonly #sourcePrices$ = new Subject<SourceBatch>();
  readonly #viewed$ = new Subject<Viewed>();
  readonly #answers: Answered[] = [];
  #quoting = true;

  /** `deciders` must be new and use this clock, which must wrap `NO_TIME`. */
  constructor(deciders: Deciders, clock: TurnClock) {
    [this.#deciders, this.#clock] = [deciders, clock];
    const inputs = {
      ...{ signals$: this.#signals$, account$: this.#account$, sourcePrices$: this.#sourcePrices$ },
    };
    const error = (failure: unknown): never => {
      throw failure;
    };
    deciders.market.changes$(inputs).subscribe({ error });
    deciders.strategies
      .quotes(this.#viewed$)
      .subscribe({ next: (answer) => this.#answers.push(answer), error });
  }

  /** Returns the decisions that differ from the recorded ones. */
  turn({ turn, decided }: TurnRecord): readonly Difference[] {
    const clock = this.#clock;
    for (const input of turn.inputs) clock.within(input, () => this.#take(input));
    return decided.flatMap((recorded) => clock.within(turn, () => this.#decide(turn, recorded)) ?? []);
  }

  #take(input: TurnInput | OldInput): void {
    if (input.kind === 'signal') this.#signals$.next(input.signal);
    else if (input.kind === 'account') this.#deciders.account.apply(input.event).forEach(this.#show);
    else if (input.kind === 'own_order') this.#show({ ...input.change, kind: 'order' });
    else if (input.kind === 'fill') this.#show(bookedOf(input.fill));
    else if (input.kind === 'source_prices') this.#sourcePrices$.next(input);
    else if (input.kind === 'call') this.#call(input);
    else if (input.kind === 'stop') this.#quoting = false;
  }

  /** Shows a change to what the projections of the account do not include. */
  readonly #show = (change: AccountChange): void => {
    this.#deciders.strategies.onChange(change);
    this.#account$.next(change);
  };

  #call(call: DeciderCall): void {
    const { prices, market, risk, account, strategies } = this.#deciders;
    const old = oldCall(call);
    if (old === 'told twice') return;
    if (old !== null && 'over' in old) return risk.onEventOver(old.over);
    if (old !== null) return this.#applyOld(account, old);
    const { on, method, args } = call;
    const targets: Readonly<Record<Decider, object>> = {
      prices,
      market,
      risk,
      guards: risk.guards,
      strategies,
    };
    const called: unknown = Reflect.get(targets[on], method);
    if (typeof called === 'function') Reflect.apply(called, targets[on], args);
  }

  #applyOld(account: AccountPort, { account: event, atMs: wallMs = this.#clock.wallMs() }: OldNews): void {
    this.#clock.within({ monotonicMs: this.#clock.monotonicMs(), wallMs }, () => account.apply(event));
  }

  #decide(turn: Omit<Turn, 'inputs'>, recorded: RecordedDecision): Difference | null {
    const { risk, strategies } = this.#deciders;
    const { event, selections, targets } = recorded;
    const viewed = this.#quoting ? viewIn(turn, event, selections, this.#deciders) : null;
    const { owner, intents, view } = this.#quote(event, viewed);
    const admission = risk.admit(selections, intents);
    // Whether the event was decidable is taken from the record: it depends on when offers arrived.
    const quotes = targets === null ? null : admission.quotes;
    const plan = quotes === null ? null : planFor(quotes, recorded.basis);
    if (owner !== null && quotes !== null && quotes.length > 0) strategies.claim(event, owner);
    if (digestOf({ owner, view, intents, admission, plan }) === recorded.digest) return null;
    return { seq: turn.seq, event: eventKey(event), recorded: targets, now: admission.quotes };
  }

  #quote(event: EventName, view: EventView | null): Answered {
    this.#viewed$.next({ event, view });
    const answer = this.#answers.pop();
    if (answer === undefined) throw new InvariantError('a strategy does not answer at once');
    return answer;
  }
}

/**
 * The clock under a replay. Inputs and turns supply the time; a decider that reads any other time is a bug, and throws
 * InvariantError.
 */
export const NO_TIME: Clock = { wallMs: noTime, monotonicMs: noTime, after: noTime };

function noTime(): never {
  throw new InvariantError('something that decides reads a clock outside of a turn');
}

/** The timers of strategies under a replay: none is armed, because the record says when each one fired. */
export const timersOf = (clock: TurnClock): StrategyTimers =>
  new StrategyTimers({
    wallMs: () => clock.wallMs(),
    monotonicMs: () => clock.monotonicMs(),
    after: () => ({ cancel: () => undefined }),
  });
