import { Subject } from 'rxjs';
import type { AccountChange } from '../account/changes.ts';
import { eventKey } from '../domain/events.ts';
import type { SourceBatch } from '../domain/source-price.ts';
import type { StreamFrame, StreamSignal } from '../domain/stream.ts';
import { StrategyTimers } from './strategy-timers.ts';
import type { TurnClock } from './turn-clock.ts';
import {
  type FrameReference,
  type RecordedDecision,
  type RecordedInput,
  sumOfDecision,
  type TurnRecord,
} from './turn-record.ts';
import type { Turn } from './turn.ts';
import { InvariantError } from '../lib/assert.ts';
import type { Clock } from '../ports/clock.ts';
import type { Core } from './core.ts';

/** A decision that differs from the recorded one. */
export interface Difference {
  readonly seq: number;
  readonly event: string;
  readonly recorded: RecordedDecision['targets'];
  readonly now: RecordedDecision['targets'];
}

/** Decides recorded turns again, in order, from their inputs alone. */
export class Replay {
  readonly #core: Core;
  readonly #clock: TurnClock;
  readonly #signals$ = new Subject<StreamSignal>();
  readonly #account$ = new Subject<AccountChange>();
  readonly #sourcePrices$ = new Subject<SourceBatch>();
  readonly #frameOf: (reference: FrameReference) => StreamFrame | null;
  #quoting = true;

  /**
   * `core` must be new and use this clock, which must wrap `NO_TIME`. `frameOf` finds the frames that records refer to. A frame that is
   * missing is left out.
   */
  constructor(
    core: Core,
    clock: TurnClock,
    frameOf: (reference: FrameReference) => StreamFrame | null = () => null,
  ) {
    [this.#core, this.#clock, this.#frameOf] = [core, clock, frameOf];
    const inputs = { signals$: this.#signals$, account$: this.#account$, sourcePrices$: this.#sourcePrices$ };
    const error = (failure: unknown): never => {
      throw failure;
    };
    core.market.changes$(inputs).subscribe({ error });
    core.change$.subscribe({ next: (change) => this.#show(change), error });
  }

  /** Returns the decisions that differ from the recorded ones. */
  turn({ turn, decided }: TurnRecord): readonly Difference[] {
    const clock = this.#clock;
    for (const input of turn.inputs) clock.within(input, () => this.#take(input));
    return decided.flatMap((recorded) => clock.within(turn, () => this.#decide(turn, recorded)) ?? []);
  }

  #take(input: RecordedInput): void {
    if (input.kind === 'signal') this.#signals$.next(input.signal);
    else if (input.kind === 'frame') this.#takeFrame(input);
    else if (input.kind === 'source_prices') this.#sourcePrices$.next(input);
    else if (input.kind === 'stop') this.#quoting = false;
    else if (input.kind !== 'wake' && input.kind !== 'tick') this.#core.apply(input);
  }

  #takeFrame(reference: FrameReference): void {
    const frame = this.#frameOf(reference);
    if (frame !== null) this.#signals$.next(frame);
  }

  /** Shows a change to what the projections of the account do not include. */
  #show(change: AccountChange): void {
    this.#core.show(change);
    this.#account$.next(change);
  }

  #decide(turn: Omit<Turn, 'inputs'>, recorded: RecordedDecision): Difference | null {
    const { event, targets, basis } = recorded;
    const decision = this.#core.decide(
      {
        isQuoting: this.#quoting,
        // It depends on when offers arrived, so it is taken from the record.
        isDecidable: () => targets !== null,
        planBasis: () => basis,
      },
      event,
      turn,
    );
    if (sumOfDecision(decision) === recorded.sum) return null;
    return { seq: turn.seq, event: eventKey(event), recorded: targets, now: decision.admission.quotes };
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
