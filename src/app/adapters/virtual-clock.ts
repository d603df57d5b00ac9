import { nextTick } from 'node:process';
import { VirtualTime } from '../../lib/virtual-time.ts';
import type { Clock } from '../../ports/clock.ts';

/** Time that moves only on command: the same engine runs repeatably, as fast as the machine can. */
export class VirtualClock extends VirtualTime implements Clock {
  /** Moves time by `ms`, running each timer at its instant and letting promises settle after each. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.instantIn(ms);
    await settle();
    while (this.runTimer(untilMs)) await settle();
    this.moveTo(untilMs);
  }

  /**
   * Moves time to the next timer due by `untilMs` (monotonic), runs it and lets promises settle. Returns false, without moving
   * time, if there is none. Work since the last call must have settled.
   */
  async runNext(untilMs: number): Promise<boolean> {
    const ran = this.runTimer(untilMs);
    if (ran) await settle();
    return ran;
  }
}

/**
 * Lets promise chains of any length run until they wait for time again: Node runs the next tick only when no microtask is left.
 */
export const settle = (): Promise<void> => new Promise(nextTick);
