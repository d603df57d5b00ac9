import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

type Told = Parameters<LookupFunction>[2];

/**
 * Resolves names with the system's resolver, but has only one look-up of a name in flight: other callers wait for the
 * same answer. The system looks up two names at a time, and a look-up cannot be cancelled. While no name server answers,
 * the look-ups of every attempt to connect would queue up, and would all be asked first when a server answers again.
 */
export function sharedLookup(): LookupFunction {
  const asked = new Map<string, Told[]>();
  return (name, options, told) => {
    const question = JSON.stringify([name, options]);
    const waiting = asked.get(question);
    if (waiting !== undefined) return void waiting.push(told);
    const all = [told];
    asked.set(question, all);
    lookup(name, options, (...answer) => {
      asked.delete(question);
      for (const each of all) each(...answer);
    });
  };
}
