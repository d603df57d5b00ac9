import { type Random, seededRandom } from '../../lib/random.ts';
import type { Fault, FaultKind, FaultOf } from './schema.ts';

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

/** Kinds that act at an instant, by the exchange itself. */
const ACTIONS = [
  'raw_close',
  'close',
  'half_open',
  'junk_frame',
  'huge_frame',
  'unknown_tag',
  'clear_events',
  'heartbeats_deleted',
  'betslips_deleted',
  'foreign_heartbeat',
  'foreign_order',
  'bets_voided',
  'events_suspended',
] as const satisfies readonly FaultKind[];

export type ActionFault = FaultOf<(typeof ACTIONS)[number]>;

/** A due step: the `begin` of an action or state, or the `end` of one that lasts. */
export interface Due {
  readonly atMs: number;
  readonly armed: Armed;
  readonly phase: 'begin' | 'end';
}

export function isAction(fault: Fault): fault is ActionFault {
  return (ACTIONS as readonly FaultKind[]).includes(fault.fault);
}

/** The steps of actions and states, earliest first. */
export class Timeline {
  #due: Due[] = [];

  /** Schedules the begin of a fault, and its end if it has one. */
  add(armed: Armed): void {
    this.#enter({ atMs: armed.fromMs, armed, phase: 'begin' });
    if (armed.untilMs !== null) this.#enter({ atMs: armed.untilMs, armed, phase: 'end' });
  }

  remove(id: number): void {
    this.#due = this.#due.filter(({ armed }) => armed.id !== id);
  }

  nextMs(): number | null {
    return this.#due[0]?.atMs ?? null;
  }

  /** Takes the next step due by `nowMs`; null when there is none. */
  take(nowMs: number): Due | null {
    const next = this.#due[0];
    if (next === undefined || next.atMs > nowMs) return null;
    this.#due.shift();
    return next;
  }

  /** Schedules a repeating fault again, until its `times` or its window are over. Call it after each begin. */
  repeat({ armed, atMs }: Due): void {
    const everyS = 'every_s' in armed.fault ? armed.fault.every_s : undefined;
    if (everyS === undefined) return;
    const againMs = atMs + everyS * 1000;
    if (isPending(armed, againMs)) this.#enter({ atMs: againMs, armed, phase: 'begin' });
  }

  #enter(due: Due): void {
    const at = this.#due.findIndex(({ atMs }) => atMs > due.atMs);
    this.#due.splice(at === -1 ? this.#due.length : at, 0, due);
  }
}
