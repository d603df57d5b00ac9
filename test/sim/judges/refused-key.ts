import { isStalled } from '../duties.ts';
import type { MakeJudgement } from './judge.ts';

/** These requests left in the same instant as the answer arrived. */
const ON_ITS_WAY_MS = 50;
const CLOSE_MANY = 'POST /v2/orders/close_many/';
/** One close a second, less what a step of the clock rounds. */
const CLOSE_EVERY_MS = 990;

/** A run whose key is refused sends nothing but one close a second until a person has checked and resumed. */
export const refusedKey: MakeJudgement = ({ plan, fail }) => {
  let closedMs = -Infinity;
  return {
    onSent(sent, { received: { keyRefusedMs } }) {
      if (keyRefusedMs === null || isStalled(plan, sent.atMs)) return;
      const afterMs = sent.atMs - keyRefusedMs;
      if (afterMs <= ON_ITS_WAY_MS) return;
      if (sent.what !== CLOSE_MANY)
        return fail('19 refused key', `${sent.what} left ${afterMs} ms after the key was refused`);
      if (sent.atMs - closedMs < CLOSE_EVERY_MS)
        fail('19 refused key', `two closes left within ${sent.atMs - closedMs} ms`);
      closedMs = sent.atMs;
    },
  };
};
