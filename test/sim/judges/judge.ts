import type { InspectedOrder } from '../../../src/simulator/core/api.ts';
import type { JournalView } from '../journal-view.ts';
import type { SimPlan } from '../plan.ts';
import type { Received } from '../received.ts';
import type { SentRequest, Witness } from '../witness.ts';
import type { World } from '../world.ts';

/** Everything that a judge may look at. */
export interface Court {
  readonly world: World;
  readonly plan: SimPlan;
  readonly journal: JournalView;
  /** Since when a person has stopped everything, on the monotonic clock; null for not. */
  readonly killedSinceMs: () => number | null;
  /** An invariant is broken: its number in the design and a name, and what was seen. */
  readonly fail: (invariant: string, seen: string) => void;
}

/** Everything that has crossed the border of one run so far. */
export interface Border {
  readonly witness: Witness;
  readonly received: Received;
}

/** Judges one matter. Weeks are judged at every event: what is looked at each time must be little. */
export interface Judgement {
  /** At the instant at which a request leaves, the journal being read up to then. */
  onSent?(sent: SentRequest, border: Border): void;
  /** After each event; `changed` are the orders of the account that it changed. */
  onEvent?(changed: readonly InspectedOrder[]): void;
  /** Acts and faults are over, and time to come to rest has passed. */
  atRest?(): void;
}

export type MakeJudgement = (court: Court) => Judgement;
