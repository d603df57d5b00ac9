import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

type Callback = Parameters<LookupFunction>[2];

/**
 * Resolves names with the system's resolver, but has only one look-up of a name in flight: other callers wait for the
 * same answer. The system looks up two names at a time, and a look-up cannot be cancelled. While no name server answers,
 * the look-ups of every attempt to connect would queue up, and would all be asked first when a server answers again.
 */
export function sharedLookup(): LookupFunction {
  const inFlight = new Map<string, Callback[]>();
  return (name, options, callback) => {
    const key = JSON.stringify([name, options]);
    const waiting = inFlight.get(key);
    if (waiting !== undefined) {
      waiting.push(callback);
      return;
    }
    const callbacks = [callback];
    inFlight.set(key, callbacks);
    lookup(name, options, (...answer) => {
      inFlight.delete(key);
      for (const each of callbacks) each(...answer);
    });
  };
}
