import { type Random, seededRandom } from '../../lib/random.ts';
import type { Fault } from './schema.ts';

/** An added fault, with its window in exchange time and its counters. */
export interface Armed<F extends Fault = Fault> {
  readonly id: number;
  readonly fault: F;
  readonly fromMs: number;
  /** Exclusive; null when the fault stays until it is removed. */
  readonly untilMs: number | null;
  readonly random: Random;
  /** How many targets the fault met while it was pending, skipped ones included. */
  matched: number;
  /** How often the fault happened. */
  reached: number;
}

export function arm(id: number, fault: Fault, seed: number, nowMs: number): Armed {
  const fromMs = typeof fault.at === 'number' ? nowMs + fault.at * 1000 : Date.parse(fault.at);
  const untilMs = fault.for_s === undefined ? null : fromMs + fault.for_s * 1000;
  return { id, fault, fromMs, untilMs, random: seededRandom(seed, `fault:${id}`), matched: 0, reached: 0 };
}

export function isActive(armed: Armed, nowMs: number): boolean {
  return armed.fromMs <= nowMs && (armed.untilMs === null || nowMs < armed.untilMs);
}

/** Whether a fault is active and has happened less than `times`. */
export function isPending(armed: Armed, nowMs: number): boolean {
  return isActive(armed, nowMs) && armed.reached < (armed.fault.times ?? Infinity);
}

/** Decides whether a pending fault happens to the next target that it covers, and counts it. */
export function happens(armed: Armed, nowMs: number): boolean {
  const { skip, probability } = armed.fault;
  if (!isPending(armed, nowMs)) return false;
  if (armed.matched++ < skip) return false;
  if (probability < 1 && armed.random.next() >= probability) return false;
  armed.reached++;
  return true;
}
