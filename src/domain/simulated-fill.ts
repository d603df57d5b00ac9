import type { FillCause } from './fill-cause.ts';
import type { Fill } from './live-order.ts';

/**
 * A fill that a simulated exchange made, of its account or under another fill model beside it. It says why and by which rule; what only
 * the owner of the order knows is absent.
 */
export interface SimulatedFill extends Omit<Fill, 'mode' | 'take' | 'score' | 'isParlay'> {
  readonly role: 'maker' | 'taker';
  readonly cause: FillCause;
  /** The name of the fill model (`fills/fill-model.ts`). */
  readonly model: string;
}
