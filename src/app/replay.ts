import { Subject } from 'rxjs';
import { eventKey } from '../domain/events.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';
import type { StreamSignal } from '../domain/stream.ts';
import type { Decider, DeciderCall } from '../engine/calls.ts';
import type { TurnClock } from '../engine/turn-clock.ts';
import { digestOf, type RecordedDecision, type TurnRecord } from '../engine/turn-record.ts';
import type { Turn, TurnInput } from '../engine/turn.ts';
import { InvariantError } from '../lib/assert.ts';
import type { Clock } from '../ports/clock.ts';
import type { Deciders } from './deciders.ts';

/** A decision that comes out otherwise. */
export interface Difference {
  readonly seq: number;
  readonly event: string;
  readonly recorded: RecordedDecision['targets'];
  readonly now: RecordedDecision['targets'];
}

/** Decides recorded turns again, one after the other, from their inputs alone. */
export class Replay {
  readonly #deciders: Deciders;
  readonly #clock: TurnClock;
  readonly #signals$ = new Subject<StreamSignal>();
  readonly #orders$ = new Subject<LiveOrder>();
  readonly #fills$ = new Subject<Fill>();
  #quoting = true;

  /** `deciders` are made anew, on this clock, under which there is `NO_TIME`. */
  constructor(deciders: Deciders, clock: TurnClock) {
    [this.#deciders, this.#clock] = [deciders, clock];
    const inputs = { signals$: this.#signals$, orders$: this.#orders$, fills$: this.#fills$ };
    deciders.market.changes$(inputs).subscribe({
      error: (error: unknown) => {
        throw error;
      },
    });
  }

  /** Answers what comes out otherwise than it was recorded. */
  turn({ turn, decided }: TurnRecord): readonly Difference[] {
    const clock = this.#clock;
    for (const input of turn.inputs) clock.within(input, () => this.#take(input));
    return decided.flatMap((recorded) => clock.within(turn, () => this.#decide(turn, recorded)) ?? []);
  }

  #take(input: TurnInput): void {
    if (input.kind === 'signal') this.#signals$.next(input.signal);
    else if (input.kind === 'own_order') this.#orders$.next(input.change.order);
    else if (input.kind === 'fill') this.#fills$.next(input.fill);
    else if (input.kind === 'call') this.#call(input);
    else if (input.kind === 'stop') this.#quoting = false;
  }

  #call({ on, method, args }: DeciderCall): void {
    const { market, risk, ledger, strategy } = this.#deciders;
    const targets: Readonly<Record<Decider, object>> = {
      market,
      risk,
      guards: risk.guards,
      ledger,
      strategy,
    };
    const called: unknown = Reflect.get(targets[on], method);
    if (typeof called === 'function') Reflect.apply(called, targets[on], args);
  }

  #decide(turn: Turn, recorded: RecordedDecision): Difference | null {
    const { market, ledger, strategy, risk } = this.#deciders;
    const { event, selections } = recorded;
    const held = ledger.selectionsOn(event);
    const view = this.#quoting
      ? market.view(event, selections, (id) => ledger.position(id), held, turn)
      : null;
    const { intents } = view === null ? { intents: [] } : strategy.quote(view);
    const admission = risk.admit(selections, intents);
    if (digestOf({ view, intents, admission }) === recorded.digest) return null;
    const { targets } = recorded;
    return { seq: turn.seq, event: eventKey(event), recorded: targets, now: admission.quotes };
  }
}

/** The clock under a replay: time is that of inputs and turns, and whatever decides must not ask for another. */
export const NO_TIME: Clock = { wallMs: noTime, monotonicMs: noTime, after: noTime };

function noTime(): never {
  throw new InvariantError('something that decides reads a clock outside of a turn');
}
