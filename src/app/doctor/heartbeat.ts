import { outcomeOf, TouchlineError } from '../../domain/errors.ts';
import type { HeartbeatId } from '../../domain/ids.ts';
import { reasonOf } from '../../lib/reason.ts';
import type { Clock } from '../../ports/clock.ts';
import { type ExchangeClient, NotFound } from '../exchange/connect.ts';
import { countOf } from './caps.ts';

/** The requests of the heartbeat check. */
export type HeartbeatCalls = Pick<ExchangeClient['heartbeats'], 'list' | 'create' | 'refresh' | 'delete'>;

/** Handles the signals to stop, the first and a later one. Returns a function that restores the system's handling. */
export type TakeSignals = (onStop: (signal: string) => void, onForce: () => void) => () => void;

/** Thrown when a signal to stop ended the examination. */
export class Interrupted extends TouchlineError {
  readonly signal: NodeJS.Signals;

  constructor({ reason }: AbortSignal, what: string, advice: unknown) {
    super('interrupted', `${reason}: ${what}`, { advice });
    this.signal = reason as NodeJS.Signals;
  }
}

/** The longest possible: if deleting it fails, there is time to act before its expiry closes the account's orders. */
const HEARTBEAT_S = 300;

/**
 * Creates a heartbeat, refreshes and deletes it. A first signal to stop waits until it is deleted and then throws Interrupted; a
 * second signal does not wait. Throws TouchlineError `heartbeat_left` if it could not be deleted.
 */
export async function heartbeatBeats(
  { heartbeats }: { readonly heartbeats: HeartbeatCalls },
  clock: Clock,
  takeSignals: TakeSignals,
): Promise<string> {
  const others = await heartbeats.list();
  const [stop, force] = [new AbortController(), new AbortController()];
  const leave = takeSignals(
    (signal) => stop.abort(signal),
    () => force.abort(),
  );
  let tookMs: number;
  try {
    tookMs = await beat(heartbeats, clock, stop.signal, force.signal);
  } catch (error) {
    throw stop.signal.aborted ? new Interrupted(stop.signal, reasonOf(error), adviceIn(error)) : error;
  } finally {
    leave();
  }
  if (stop.signal.aborted) throw new Interrupted(stop.signal, 'the heartbeat is deleted', 'examine again');
  return `refreshed in ${tookMs.toFixed(0)} ms and deleted; ${countOf(others.length, 'other')} on the account`;
}

/** Returns roughly how long one request took, in milliseconds. */
async function beat(
  heartbeats: HeartbeatCalls,
  clock: Clock,
  stop: AbortSignal,
  force: AbortSignal,
): Promise<number> {
  const { heartbeatId } = await heartbeats.create(HEARTBEAT_S, { signal: force });
  const fromMs = clock.monotonicMs();
  try {
    await heartbeats.refresh(heartbeatId, { signal: stop });
  } catch (error) {
    if (!stop.aborted) throw error;
  } finally {
    await deleteOrTell(heartbeats, heartbeatId, clock, force);
  }
  return (clock.monotonicMs() - fromMs) / 2;
}

async function deleteOrTell(
  heartbeats: HeartbeatCalls,
  id: HeartbeatId,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const endsMs = clock.wallMs() + HEARTBEAT_S * 1000;
  try {
    await heartbeats.delete(id, { signal });
  } catch (error) {
    if (error instanceof NotFound) throw error;
    const end = `it runs out by ${new Date(endsMs).toISOString()}, which closes every open order of the account`;
    const left = outcomeOf(error) === 'unknown' ? 'may be left' : 'is left';
    const advice = `touchline exchange heartbeats --delete ${id}`;
    throw new TouchlineError('heartbeat_left', `heartbeat ${id} ${left}: ${reasonOf(error)}; ${end}`, {
      advice,
    });
  }
}

const adviceIn = (error: unknown): unknown =>
  error instanceof TouchlineError ? error.details['advice'] : undefined;
