import { TouchlineError } from '../../domain/errors.ts';
import type { EventName } from '../../domain/events.ts';
import type { Ending } from '../../ops/commands/controls.ts';
import type { Composed } from '../compose.ts';

/** Wall-clock milliseconds at which a wish ends by itself; null: it does not. Throws TouchlineError `refused` if that cannot be. */
export function untilMsOf(
  { parts: { clock, core } }: Composed,
  { minutes, untilStart }: Ending,
  event: EventName | null,
): number | null {
  if (minutes !== undefined) return clock.wallMs() + minutes * 60_000;
  if (untilStart !== true) return null;
  if (event === null) throw new TouchlineError('refused', 'only an event has a start');
  const startMs = core.market.event(event)?.event.startTimeMs ?? null;
  if (startMs === null) throw new TouchlineError('refused', 'the start of the event is not known');
  if (startMs <= clock.wallMs()) throw new TouchlineError('refused', 'the start of the event has passed');
  return startMs;
}

/** Whether an end comes before another; null: never. */
export const endsBefore = (untilMs: number | null, otherMs: number | null): boolean =>
  (untilMs ?? Infinity) < (otherMs ?? Infinity);
