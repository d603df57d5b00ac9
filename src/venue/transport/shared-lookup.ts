import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

type Told = Parameters<LookupFunction>[2];

/**
 * Resolves names as the system does, but asks after each once at a time: whoever wants it meanwhile waits for the same
 * answer. The system looks up two names at a time, and no question can be taken back: where no name server answers, those of
 * each attempt to connect would queue up, and when one answers again it would be asked all of them first.
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
