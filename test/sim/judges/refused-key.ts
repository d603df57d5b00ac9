import { isStalled } from '../duties.ts';
import { isCreate } from '../witness.ts';
import type { MakeJudgement } from './judge.ts';

/** These requests left in the same instant as the answer arrived. */
const ON_ITS_WAY_MS = 50;

/** A run whose key is refused places nothing more until a person has checked and resumed. */
export const refusedKey: MakeJudgement = ({ plan, fail }) => ({
  onSent(sent, { received: { keyRefusedMs } }) {
    if (keyRefusedMs === null || !isCreate(sent) || isStalled(plan, sent.atMs)) return;
    const afterMs = sent.atMs - keyRefusedMs;
    if (afterMs > ON_ITS_WAY_MS)
      fail('19 refused key', `a create left ${afterMs} ms after the key was refused`);
  },
});
